"""Retrieve: the cases that are alike, all of them, and why they are."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase, Snapshot
from baycarp.cases.schema import Schema, Situation
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError
from baycarp.kernels.similarity import STATES, similar

__all__ = ["Match", "Retrieved", "explain", "local_similarities", "retrieve", "retrieve_all"]


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The cases that were found, most similar first, equals by id.

    Parameters
    ----------
    ids, similarities
        int64 and float64, shape (found,).
    exact
        Whether a scan of all cases would have found the same.
    fell_back
        Whether none reached the threshold, so that these are merely the most similar.
    scored, stored
        Cases that were looked at, of how many.
    """

    ids: NDArray[np.int64]
    similarities: NDArray[np.float64]
    exact: bool
    fell_back: bool
    scored: int
    stored: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Match:
    """One column of a query beside a case's: the values, how alike they are, and what that weighs."""

    column: str
    weight: float
    query: float | str | None
    case: float | str | None
    similarity: float


def retrieve(
    casebase: CaseBase,
    query: Situation | Mapping[str, Any],
    at_least: float | None = None,
    at_most: int | None = None,
    fallback: int | None = None,
) -> Retrieved:
    """Find all cases at or above a similarity, or where there are none, the most similar.

    The answer is that of a full scan in double precision, bit for bit.

    Parameters
    ----------
    casebase
        Where to look.
    query
        A situation, or its values by feature.
    at_least
        The least similarity, 0..1; None = the schema's threshold, 0 = any (for the ``at_most`` most similar).
    at_most
        How many are wanted; None = all.
    fallback
        How many of the most similar where none reaches ``at_least``; None = the schema's number, 0 = none.

    Raises
    ------
    SchemaError
        A query that does not fit the schema.

    Notes
    -----
    Seed 000, section 5.4.3; the fall-back is seed 002's (CASPER's) rule.
    """
    return _ask(casebase.schema, casebase.snapshot(), query, at_least, at_most, fallback)


def retrieve_all(
    casebase: CaseBase,
    queries: Iterable[Situation | Mapping[str, Any]],
    at_least: float | None = None,
    at_most: int | None = None,
    fallback: int | None = None,
    workers: int = 1,
) -> list[Retrieved]:
    """Answer many queries from the cases as they stand now, whatever is added meanwhile.

    Parameters
    ----------
    casebase, at_least, at_most, fallback
        As in ``retrieve``.
    queries
        Situations, or their values by feature.
    workers
        Threads; the kernel runs without Python's lock. They change nothing but the time.

    Returns
    -------
    One answer a query, in order.
    """
    schema, now = casebase.schema, casebase.snapshot()

    def ask(query: Situation | Mapping[str, Any]) -> Retrieved:
        return _ask(schema, now, query, at_least, at_most, fallback)

    if workers == 1:
        return list(map(ask, queries))
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(ask, queries))


def _ask(
    schema: Schema,
    now: Snapshot,
    query: Situation | Mapping[str, Any],
    at_least: float | None,
    at_most: int | None,
    fallback: int | None,
) -> Retrieved:
    situation = query if isinstance(query, Situation) else schema.situation(query)
    at_least = schema.threshold if at_least is None else at_least
    fallback = schema.fallback if fallback is None else fallback
    if not 0 <= at_least <= 1 or (at_most is not None and at_most < 1) or fallback < 0:
        raise SchemaError(
            f"at_least {at_least!r}, at_most {at_most!r}, fallback {fallback!r}: expected 0..1, >= 1, >= 0"
        )
    columns = (now.numbers, now.codes, now.count, now.cells)
    asked = (situation.numbers, schema.tables(situation))
    rows, similarities, scored = similar(
        schema.measure, *columns, *asked, at_least, at_most or max(now.count, 1)
    )
    fell_back = not len(rows) and now.count > 0 and fallback > 0
    if fell_back:
        rows, similarities, scored = similar(schema.measure, *columns, *asked, 0.0, fallback)
    return Retrieved(now.named(rows), similarities, True, fell_back, scored, now.count)


def explain(casebase: CaseBase, query: Situation | Mapping[str, Any], id: int) -> tuple[Match, ...]:
    """Lay a query beside a stored case, column by column.

    The weighted mean of the similarities is, to the last bit, what ``retrieve`` says of the case.

    Examples
    --------
    >>> from baycarp.cases import Case, CaseBase, Feature, Linear, Schema
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> _ = casebase.append(Case(schema.situation({"strength": 0.5}), "call"))
    >>> explain(casebase, {"strength": 0.75}, 0)
    (Match(column='strength', weight=1.0, query=0.75, case=0.5, similarity=0.75),)
    """
    schema, now = casebase.schema, casebase.snapshot()
    situation = query if isinstance(query, Situation) else schema.situation(query)
    row = int(now.rows(np.array([id], np.int64))[0])
    here = [*situation.numbers.tolist(), *_named(schema, situation.codes)]
    there = [*now.numbers[:, row].tolist(), *_named(schema, now.codes[:, row])]
    tables = schema.tables(situation)
    alike = [scale(x, y) for scale, x, y in zip(schema.scales, here, there, strict=False)]
    alike += [float(tables[slot, code % STATES]) for slot, code in enumerate(now.codes[:, row].tolist())]
    return tuple(map(Match, schema.columns, schema.weights, here, there, alike))


def local_similarities(casebase: CaseBase, query: Situation, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """How alike a query and some stored cases are, column by column: ``explain`` without words.

    Returns
    -------
    float64 array, shape (columns, ids)
        In the order of ``schema.columns``.
    """
    schema, now = casebase.schema, casebase.snapshot()
    rows = now.rows(ids)
    k = np.array([scale.k for scale in schema.scales])[:, None]
    largest = np.array([scale.max for scale in schema.scales])[:, None]
    apart = np.abs(now.numbers[:, rows].astype(np.float64) - query.numbers[:, None]) / largest
    numbers = np.where(k > 0, np.exp(-k * apart), np.maximum(1 - apart, 0))
    slots = np.take_along_axis(schema.tables(query), now.codes[:, rows].astype(np.intp) % STATES, axis=1)
    return np.concatenate([numbers, slots])


def _named(schema: Schema, codes: NDArray[np.uint8]) -> list[str | None]:
    return [
        None if code == NONE else names[code]
        for code, names in zip(codes.tolist(), schema.states, strict=True)
    ]
