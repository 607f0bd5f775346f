"""Retrieval by the protocol of cbrkit, which is not imported: pairs of a case-base and a query in, and out.

The retriever can stand wherever cbrkit takes a retriever function, as in ``cbrkit.retrieval.apply_query``.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from baycarp.cases.casebase import CaseBase
from baycarp.cases.retrieve import retrieve_all
from baycarp.cases.schema import Case, Schema
from baycarp.errors import SchemaError, brief

__all__ = ["CaseRetriever"]

Key = TypeVar("Key", bound=Hashable)


class CaseRetriever:
    """The most similar cases of a mapping, exactly.

    Parameters
    ----------
    schema
        Features and their similarities; solutions and provenance are not used.
    limit
        The largest number of cases for each query; None = all.
    min_similarity
        The least similarity, 0..1.
    values
        The feature values of a case or query, as a mapping; None = cases are such mappings.

    Notes
    -----
    A mapping is indexed when it is first queried, and again when another one is; it must not be changed in
    between. ``put_index`` indexes it beforehand; queries whose mapping is empty are then answered from it.

    Examples
    --------
    >>> from baycarp.cases import Feature, Linear
    >>> schema = Schema("cars", (Feature("price", 1, Linear(max=10)),), ("car",), threshold=0)
    >>> cars = {"a": {"price": 3}, "b": {"price": 9}, "c": {"price": 5}}
    >>> CaseRetriever(schema, limit=2)([(cars, {"price": 4.5})])
    [({'c': {'price': 5}, 'a': {'price': 3}}, {'c': 0.95, 'a': 0.85})]
    """

    def __init__(
        self,
        schema: Schema,
        limit: int | None = None,
        min_similarity: float = 0.0,
        values: Callable[[Any], Mapping[str, Any]] | None = None,
    ) -> None:
        self.schema, self.limit, self.min_similarity = schema, limit, min_similarity
        self._values: Callable[[Any], Mapping[str, Any]] = values or _as_mapping
        self._cases: Mapping[Any, Any] | None = None
        self._keys: list[Any] = []
        self._casebase = CaseBase(schema)

    def __call__(
        self, batches: Sequence[tuple[Mapping[Key, Any], Any]]
    ) -> list[tuple[dict[Key, Any], dict[Key, float]]]:
        """The cases retrieved for each pair of a mapping and a query, and their similarities, in order."""
        answers = []
        for cases, query in batches:
            if cases or self._cases is None:
                self.put_index(cases)
            (found,) = retrieve_all(
                self._casebase, [self._values(query)], self.min_similarity, self.limit, fallback=0
            )
            keys = [self._keys[id] for id in found.ids.tolist()]
            similarities = dict(zip(keys, found.similarities.tolist(), strict=True))
            answers.append(({key: self.index[key] for key in keys}, similarities))
        return answers

    @property
    def index(self) -> Mapping[Any, Any]:
        """The indexed cases by key."""
        return {} if self._cases is None else self._cases

    @property
    def keys(self) -> Collection[Any]:
        """The keys of the indexed cases."""
        return self.index.keys()

    def has_index(self) -> bool:
        """Whether cases are indexed."""
        return self._cases is not None

    def put_index(self, cases: Mapping[Any, Any]) -> None:
        """Index these cases in place of the earlier ones; the same mapping again costs nothing.

        Raises
        ------
        SchemaError
            A case that does not fit the schema.
        """
        if cases is self._cases and len(cases) == len(self._keys):
            return
        casebase, solution = CaseBase(self.schema), self.schema.solutions[0]
        stored = (Case(self.schema.situation(self._values(case)), solution) for case in cases.values())
        casebase.extend(stored)
        casebase.fold_in()
        self._casebase = casebase
        self._cases = cases
        self._keys = list(cases)


def _as_mapping(case: Any) -> Mapping[str, Any]:
    if not isinstance(case, Mapping):
        raise SchemaError(
            f"case {brief(case)}: expected a mapping of feature to value, or a function `values`"
        )
    return case
