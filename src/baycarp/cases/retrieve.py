"""Retrieve: all similar cases, or sums over them; and the explanation of their similarity."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase, Snapshot
from baycarp.cases.schema import Schema, Situation
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError, brief
from baycarp.kernels import similarity as kernel
from baycarp.kernels.arguments import real

__all__ = [
    "ColumnMatch",
    "Retrieved",
    "Totals",
    "explain",
    "local_similarities",
    "retrieve",
    "retrieve_all",
    "totals",
]


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The cases that were found, most similar first, equals by id.

    Parameters
    ----------
    ids, similarities
        int64 and float64, shape (found,).
    fell_back
        Whether no case reached the threshold, so that these are the most similar ones.
    scored, stored
        Cases that were compared, of the number of stored ones.
    """

    ids: NDArray[np.int64]
    similarities: NDArray[np.float64]
    fell_back: bool
    scored: int
    stored: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over the cases that were found, by place of the solution in the schema.

    Parameters
    ----------
    votes
        Cases; int64, shape (solutions,).
    outcomes, similarities
        Sums of their outcomes and similarities; float64, shape (solutions,). Similarities that were not
        summed are NaN.
    fell_back, scored, stored
        As of ``Retrieved``.
    """

    votes: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    similarities: NDArray[np.float64]
    fell_back: bool
    scored: int
    stored: int

    def __len__(self) -> int:
        return int(self.votes.sum())


@dataclass(frozen=True, slots=True)
class ColumnMatch:
    """One column of a query beside a case's: the values, their similarity and its weight."""

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
        The stored cases.
    query
        A situation, or its values by feature.
    at_least
        The least similarity, 0..1; None = the schema's threshold, 0 = any (for the ``at_most`` most similar).
    at_most
        The largest number; None = the schema's, which may be all. With ``ties`` in the schema, cases as
        similar as the last of them are found too.
    fallback
        The number of most similar cases if none reaches ``at_least``; None = the schema's number, 0 = none.

    Raises
    ------
    SchemaError
        A query that does not fit the schema.

    Notes
    -----
    Unger (2011), section 5.4.3; the fall-back is CASPER's rule (Rubin and Watson 2007).
    """
    return _answer(casebase.snapshot(), _limits(casebase.schema, at_least, at_most, fallback), query)


def retrieve_all(
    casebase: CaseBase,
    queries: Iterable[Situation | Mapping[str, Any]],
    at_least: float | None = None,
    at_most: int | None = None,
    fallback: int | None = None,
    workers: int = 1,
) -> list[Retrieved]:
    """Answer many queries from the cases of this moment; cases that are added meanwhile are not found.

    Parameters
    ----------
    casebase, at_least, at_most, fallback
        As in ``retrieve``.
    queries
        Situations, or their values by feature.
    workers
        Threads; the kernel runs without Python's lock. The answers do not depend on their number.

    Returns
    -------
    One answer a query, in order.
    """
    limits, now = _limits(casebase.schema, at_least, at_most, fallback), casebase.snapshot()

    answer = partial(_answer, now, limits)
    if workers == 1:
        return list(map(answer, queries))
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(answer, queries))


def totals(
    casebase: CaseBase,
    query: Situation | Mapping[str, Any],
    at_least: float | None = None,
    fallback: int | None = None,
    similarities: bool = True,
) -> Totals:
    """Sum over all cases at or above a similarity, or where there are none, over the most similar.

    These are the cases that ``retrieve`` finds; a policy takes the sums in place of the list, whose sorting
    is half of the time of a large answer. The numbers of cases are equal; the other sums may differ in their
    last bits, because the cases are added in another order.

    Parameters
    ----------
    casebase, query, at_least, fallback
        As in ``retrieve``. Where the schema merges cases or limits their number, the list is made.
    similarities
        False = only votes and outcomes. Of a large answer this takes half of the time, because bounds decide
        for most cases that they are similar enough. A policy gives a tie to the cheaper solution then, and
        one by similarities is refused.

    Raises
    ------
    SchemaError
        A query that does not fit the schema.

    Examples
    --------
    >>> from baycarp.cases import Case, CaseBase, Feature, Linear, Majority, Schema
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> _ = casebase.append(Case(schema.situation({"strength": 0.5}), "call", outcome=2.0))
    >>> found = totals(casebase, {"strength": 0.55})
    >>> found.votes, found.outcomes
    (array([0, 1]), array([0., 2.]))
    >>> Majority()(found, casebase, ("fold", "call")).choice
    'call'
    """
    schema, now = casebase.schema, casebase.snapshot()
    limits = _limits(schema, at_least, None, fallback)
    if now.counts is None and limits.at_most is None:
        stored = schema.measure, now.numbers, now.codes, now.count, now.cells
        numbers, tables, vocabularies = _encoded(schema, now, query)
        settled = limits.at_least, now.solutions, now.outcomes
        sums = kernel.totals(*stored, numbers, tables, *settled, now.symbols, vocabularies, similarities)
        votes, outcomes, alike, scored = sums
        if votes.any() or not limits.fallback:
            of = slice(len(schema.solutions))
            return Totals(votes[of], outcomes[of], alike[of], False, scored, now.count)
    found = _answer(now, limits, query)
    votes, outcomes, alike = casebase.sums(found.ids, found.similarities)
    if not similarities:
        alike = np.full_like(alike, np.nan)
    return Totals(votes, outcomes, alike, found.fell_back, found.scored, found.stored)


class _Limits(NamedTuple):
    """A schema, and the limits of a retrieval."""

    schema: Schema
    at_least: float
    at_most: int | None
    fallback: int


def _limits(schema: Schema, at_least: float | None, at_most: int | None, fallback: int | None) -> _Limits:
    at_least = schema.threshold if at_least is None else at_least
    at_most = schema.most if at_most is None else index(at_most)
    fallback = schema.fallback if fallback is None else fallback
    at_least, fallback = real(at_least, "at_least"), index(fallback)
    if not 0 <= at_least <= 1 or (at_most is not None and at_most < 1) or fallback < 0:
        raise SchemaError(
            f"at_least {at_least!r}, at_most {brief(at_most)}, fallback {brief(fallback)}: "
            "expected 0..1, >= 1, >= 0"
        )
    return _Limits(schema, at_least, at_most, fallback)


def _encoded(schema: Schema, now: Snapshot, query: Situation | Mapping[str, Any]) -> tuple[Any, ...]:
    """The numbers of a query, and the similarities of all states and symbols to it."""
    situation = query if isinstance(query, Situation) else schema.situation(query)
    if len(situation.symbols) != len(now.vocabularies):
        raise SchemaError(f"a situation that schema {schema.name} has not encoded")
    vocabularies: tuple[NDArray[np.float64], ...] = ()
    if now.vocabularies:
        pairs = zip(now.vocabularies, situation.symbols, strict=True)
        vocabularies = tuple(vocabulary.similarities(symbol) for vocabulary, symbol in pairs)
    return situation.numbers, schema.tables(situation), vocabularies


def _answer(now: Snapshot, limits: _Limits, query: Situation | Mapping[str, Any]) -> Retrieved:
    schema, encoded = limits.schema, _encoded(limits.schema, now, query)
    rows, similarities, scored = _best(schema, now, encoded, limits.at_least, limits.at_most)
    fell_back = not len(rows) and now.count > 0 and limits.fallback > 0
    if fell_back:
        rows, similarities, scored = _best(schema, now, encoded, 0.0, limits.fallback)
    return Retrieved(now.named(rows), similarities, fell_back, scored, now.count)


def _best(
    schema: Schema, now: Snapshot, encoded: tuple[Any, ...], at_least: float, at_most: int | None
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Rows and similarities of the most similar cases, and the number of compared ones."""
    numbers, tables, vocabularies = encoded
    stored = schema.measure, now.numbers, now.codes, now.count, now.cells, numbers, tables
    symbols = now.symbols, vocabularies
    rows, similarities, scored = kernel.similar(*stored, at_least, at_most or max(now.count, 1), *symbols)
    if schema.ties and len(rows) == at_most:  # all cases as similar as the last one
        rows, similarities, again = kernel.similar(*stored, float(similarities[-1]), now.count, *symbols)
        scored += again
    return rows, similarities, scored


def explain(casebase: CaseBase, query: Situation | Mapping[str, Any], id: int) -> tuple[ColumnMatch, ...]:
    """Lay a query beside a stored case, column by column.

    The weighted mean of the similarities equals, to the last bit, the similarity by ``retrieve``.

    Examples
    --------
    >>> from baycarp.cases import Case, CaseBase, Feature, Linear, Schema
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> _ = casebase.append(Case(schema.situation({"strength": 0.5}), "call"))
    >>> explain(casebase, {"strength": 0.75}, 0)
    (ColumnMatch(column='strength', weight=1.0, query=0.75, case=0.5, similarity=0.75),)
    """
    schema, now = casebase.schema, casebase.snapshot()
    situation = query if isinstance(query, Situation) else schema.situation(query)
    row = now.row(id)
    here = [*situation.numbers.tolist(), *_named(schema, situation.codes), *situation.symbols]
    held = now.symbols_of(row)
    there = [*now.numbers[:, row].tolist(), *_named(schema, now.codes[:, row]), *held]
    tables = schema.tables(situation)
    alike = [scale(x, y) for scale, x, y in zip(schema.scales, here, there, strict=False)]
    alike += [
        float(tables[slot, code % kernel.STATES]) for slot, code in enumerate(now.codes[:, row].tolist())
    ]
    alike += [how(x, y) for how, x, y in zip(schema.comparisons, situation.symbols, held, strict=True)]
    return tuple(map(ColumnMatch, schema.columns, schema.weights, here, there, alike))


def local_similarities(casebase: CaseBase, query: Situation, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """The similarities of a query and some stored cases by column: those of ``explain``, bit for bit.

    Returns
    -------
    float64 array, shape (columns, ids)
        In the order of ``schema.columns``.
    """
    schema, now = casebase.schema, casebase.snapshot()
    rows = now.rows(ids)
    if rows.ndim != 1:
        raise SchemaError(f"ids of shape {rows.shape}: expected one row of ids")
    k = np.array([scale.k for scale in schema.scales])[:, None]
    largest = np.array([scale.max for scale in schema.scales])[:, None]
    apart = np.abs(now.numbers[:, rows].astype(np.float64) - query.numbers[:, None])
    numbers = np.where(
        k > 0, kernel.exp_nonpositive_all(-k * apart / largest), np.maximum(1 - apart / largest, 0)
    )
    slots = np.take_along_axis(
        schema.tables(query), now.codes[:, rows].astype(np.intp) % kernel.STATES, axis=1
    )
    symbols = np.empty((len(now.vocabularies), len(rows)))
    for place, (vocabulary, symbol) in enumerate(zip(now.vocabularies, query.symbols, strict=True)):
        assert now.symbols is not None
        symbols[place] = vocabulary.similarities(symbol)[now.symbols[place, rows]]
    return np.concatenate([numbers, slots, symbols])


def _named(schema: Schema, codes: NDArray[np.uint8]) -> list[str | None]:
    return [
        None if code == NONE else names[code]
        for code, names in zip(codes.tolist(), schema.states, strict=True)
    ]
