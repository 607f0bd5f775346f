"""Vectors: cases that describe the same situation merged into one, with raw counts and sums of outcomes.

Seed 001, section 5.2.3: so a million cases became 95,152. Nothing is lost that a policy asks for, and raw
counts can be added to, which shares could not.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.errors import SchemaError

__all__ = ["Vectors", "same"]


class Vectors(CaseBase):
    """The cases of a case-base, those of equal situations as one.

    Whatever is retrieved by a threshold, a policy is told the same sums as by the single cases; only "so many
    most similar" counts situations here, and cases there. A merged case keeps solution, outcome and
    provenance of the first one that it is made of.

    Parameters
    ----------
    casebase
        What to merge. It does not change, and what it learns later is not merged.
    groups
        Which cases are one, as ``same`` says it; None = those of equal situations.

    Attributes
    ----------
    counts, outcomes
        int64 and float64, shape (solutions, cases): how often each solution was tried, and what it brought in
        all.

    Examples
    --------
    >>> from baycarp.cases import Case, Feature, Linear, Majority, Schema, retrieve
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> for solution in ("call", "fold", "call"):
    ...     _ = casebase.append(Case(schema.situation({"strength": 0.5}), solution))
    >>> merged = Vectors(casebase)
    >>> len(merged), Majority()(retrieve(merged, {"strength": 0.5}), merged, ("fold", "call")).votes
    (1, {'fold': 1, 'call': 2})
    """

    def __init__(
        self, casebase: CaseBase, groups: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    ) -> None:
        super().__init__(casebase.schema)
        columns = casebase.columns()
        first, which = groups or same(columns["numbers"], columns["codes"])
        solutions = len(self.schema.solutions)
        place = which * solutions + columns["solutions"]
        size = len(first) * solutions
        self.counts = np.bincount(place, minlength=size).reshape(-1, solutions).T.copy()
        self.outcomes = np.bincount(place, columns["outcomes"], size).reshape(-1, solutions).T.copy()
        kept = {name: column[..., first] for name, column in columns.items() if name != "ids"}
        super().extend_columns({name: np.ascontiguousarray(column) for name, column in kept.items()})
        self.fold_in()

    def extend_columns(self, columns: object) -> NDArray[np.int64]:
        """Refused: what is learned goes into the single cases.

        Raises
        ------
        SchemaError
            Always.
        """
        raise SchemaError(f"merged cases of {self.schema.name}: expected new cases in the single ones")

    def fork(self) -> CaseBase:
        """The same; it does not change."""
        return self

    def sums(
        self, ids: NDArray[np.int64], similarities: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """What some of the cases hold, by place of the solution: their counts, outcomes and similarities."""
        rows = self.snapshot().rows(ids)
        counts = self.counts[:, rows]
        return counts.sum(axis=1), self.outcomes[:, rows].sum(axis=1), counts @ similarities


def same(
    numbers: NDArray[np.float32], codes: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first case of every situation, in order, and the place of its situation for every case."""
    numbers = numbers + np.float32(0)  # -0.0 is 0.0
    keys = np.concatenate([numbers.view(np.uint32), codes.astype(np.uint32)]).T
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return first[order], places[which.ravel()]
