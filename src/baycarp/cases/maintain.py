"""Maintenance: coverage of a case-base, its redundant cases, and the cases to forget.

A stored case serves as a query. It holds the predicted states without their probabilities, so that they
count as equally likely.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import add_up, keys, same
from baycarp.cases.retrieve import retrieve, retrieve_all
from baycarp.cases.schema import Situation
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError
from baycarp.kernels.arguments import seeded

__all__ = ["Competence", "competence", "forget", "merge", "queries", "utility"]

NEAREST = 16
"""Cases among which the nearest newer one is sought."""


@dataclass(frozen=True, slots=True)
class Competence:
    """Coverage and accuracy of a case-base; shares are of the cases used as queries, each without itself.

    A merged case counts as the cases that it was made of.

    Parameters
    ----------
    cases, situations, asked
        Stored; different ones among them; the number used as queries.
    covered
        Share with another case that is near enough.
    solved
        Share whose solution is the majority's among those: the leave-one-out accuracy of the majority.
    neighbours
        Other cases that are near enough, the median.
    by_solution
        Of each solution: cases used as queries, and the share of them that is solved.
    """

    cases: int
    situations: int
    asked: int
    covered: float
    solved: float
    neighbours: float
    by_solution: dict[str, tuple[int, float]]


def competence(casebase: CaseBase, most: int = 1000, seed: int = 0, workers: int = 1) -> Competence:
    """Retrieve for stored cases from the others: the share that is covered, and the share that is solved.

    Parameters
    ----------
    casebase
        Not empty.
    most
        The largest number of queries, drawn with the seed.
    seed, workers
        As elsewhere; threads change nothing but the time.

    Notes
    -----
    Coverage and competence as in Smyth and Keane (1995); the majority's vote stands for "solves".
    """
    n, now = len(casebase), casebase.snapshot()
    if n == 0:
        raise SchemaError(f"case-base {casebase.schema.name}: expected at least one case")
    rows = np.sort(seeded(seed).permutation(n)[:most])
    one_more = None if casebase.schema.most is None else casebase.schema.most + 1  # itself
    found = retrieve_all(casebase, queries(casebase, rows), None, one_more, fallback=0, workers=workers)
    near: list[int] = []
    solved: list[bool] = []
    tried: list[int] = []
    for row, answer in zip(rows.tolist(), found, strict=True):
        own = casebase.tried(now.ids[row : row + 1])[0][:, 0]
        others = casebase.tried(answer.ids[answer.ids != now.ids[row]])[0].sum(axis=1)
        for code in np.flatnonzero(own).tolist():
            votes = others + own
            votes[code] -= 1
            times = int(own[code])
            tried += [code] * times
            near += [int(votes.sum())] * times
            solved += [bool(votes.any() and votes.argmax() == code)] * times
    right = np.array(solved)
    did = np.array(tried)
    by_solution = {
        name: (int((did == code).sum()), float(right[did == code].mean()))
        for code, name in enumerate(casebase.schema.solutions)
        if (did == code).any()
    }
    different = len(same(_situations(casebase))[0])
    covered = float((np.array(near) > 0).mean())
    neighbours = float(np.median(near))
    return Competence(n, different, len(did), covered, float(right.mean()), neighbours, by_solution)


def merge(casebase: CaseBase, at_least: float | None = None) -> CaseBase:
    """The same cases, merged: those of equal situations, or near-duplicates too; counts and outcomes add up.

    With retrieval by a threshold, a policy weighs the same sums as of the single cases; only a number of
    most similar cases counts situations here, and cases there. Rubin and Watson (2012), section 5.2.3,
    reduced a million cases to 95,152 in this way.

    Parameters
    ----------
    casebase
        The case-base; it does not change.
    at_least
        The least similarity of a case to the first case that it is merged into; None =
        only cases of equal situations are merged, 1 = those of similarity 1.

    Returns
    -------
    A case-base whose schema is merged; it has the solution, outcome, provenance and id of each first case.

    Examples
    --------
    >>> from baycarp.cases import Case, CaseBase, Feature, Linear, Majority, Schema, retrieve
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> for solution in ("call", "fold", "call"):
    ...     _ = casebase.append(Case(schema.situation({"strength": 0.5}), solution))
    >>> merged = merge(casebase)
    >>> len(merged), Majority()(retrieve(merged, {"strength": 0.5}), merged, ("fold", "call")).votes
    (1, {'fold': 1, 'call': 2})
    """
    columns: dict[str, NDArray[Any]] = casebase.columns()
    columns["counts"], columns["sums"] = casebase.tried(columns["ids"])
    if at_least is not None:
        leader = _leaders(casebase, at_least)
        first, which = np.unique(leader, return_inverse=True)
        for name in ("counts", "sums"):
            total = np.zeros((len(columns[name]), len(first)), columns[name].dtype)
            add_up(total, which.ravel().astype(np.int64), columns[name])
            columns[name] = total
        columns |= {
            name: np.ascontiguousarray(column[..., first])
            for name, column in columns.items()
            if name not in ("counts", "sums")
        }
    merged = CaseBase(replace(casebase.schema, merged=True))
    merged.extend_columns(columns)
    merged.fold_in()
    return merged


def _leaders(casebase: CaseBase, at_least: float) -> NDArray[np.int64]:
    """The row of the first case that each is merged into; shape (cases,)."""
    n, now = len(casebase), casebase.snapshot()
    leader = np.full(n, -1, np.int64)
    for row in range(n):
        if leader[row] < 0:
            near = retrieve(casebase, _query(casebase, row), at_least, n, fallback=0)
            alike = now.rows(near.ids)
            leader[alike[leader[alike] < 0]] = row
            leader[row] = row
    return leader


def utility(casebase: CaseBase, workers: int = 1) -> NDArray[np.float64]:
    """The loss if a case is forgotten: one minus its similarity to the nearest newer one.

    A case with an equal newer case has no utility, with any solution: forgetting thins out the best covered
    situations, and leaves the shares of the solutions as they are. The newer case is sought among the 16
    nearest; where none is there, the utility is the distance of the last neighbour.

    Returns
    -------
    float64, shape (cases,), 0..1
    """
    n, ids = len(casebase), casebase.snapshot().ids
    oldest_last = same(_situations(casebase)[::-1])[0]
    newest = np.sort(n - 1 - oldest_last)
    different = _only(casebase, newest)
    found = retrieve_all(different, queries(casebase, newest), 0.0, NEAREST + 1, workers=workers)
    worth = np.zeros(n)
    for row, answer in zip(newest.tolist(), found, strict=True):
        newer = np.flatnonzero(answer.ids > ids[row])
        worth[row] = 1.0 - answer.similarities[newer[0] if len(newer) else -1]
    return worth


def forget(casebase: CaseBase, most: int, seed: int = 0, workers: int = 1) -> CaseBase:
    """Keep a number of cases, drawn without replacement in proportion to their utility; ids stay.

    They are drawn and not ranked: the cases of the greatest utility are outliers, which cover hardly any
    situation. Cases that equal a newer one are forgotten first. The newest stays: the next id follows it.

    Parameters
    ----------
    casebase
        It does not change.
    most
        How many to keep at most, 1 or more.
    seed, workers
        Of the draw; threads.

    Notes
    -----
    Efraimidis and Spirakis (2006): the largest log(uniform) / weight are such a draw.
    """
    if most < 1:
        raise SchemaError(f"most {most}: expected at least 1 case to keep")
    if len(casebase) <= most:
        return casebase
    uniform = 1.0 - seeded(seed).random(len(casebase))
    keys = np.log(uniform) / np.maximum(utility(casebase, workers), 1e-12)
    keys[-1] = np.inf
    return _only(casebase, np.sort(np.argsort(keys, kind="stable")[-most:]))


def _only(casebase: CaseBase, rows: NDArray[np.int64]) -> CaseBase:
    fewer = CaseBase(casebase.schema)
    kept = {name: np.ascontiguousarray(column[..., rows]) for name, column in casebase.columns().items()}
    fewer.extend_columns(kept)
    fewer.fold_in()
    return fewer


def _query(casebase: CaseBase, row: int) -> Situation:
    now = casebase.snapshot()
    codes = now.codes[:, row].copy()
    chances = np.where(codes == NONE, 0.0, 1 / max(len(codes), 1))
    return Situation(now.numbers[:, row].copy(), codes, chances, now.symbols_of(row))


def _situations(casebase: CaseBase) -> NDArray[np.uint32]:
    """A row for each case, equal where situations are."""
    now = casebase.snapshot()
    symbols = None if now.symbols is None else now.symbols[:, : now.count]
    return keys(now.numbers[:, : now.count], now.codes[:, : now.count], symbols)


def queries(casebase: CaseBase, rows: NDArray[np.int64]) -> Iterable[Situation]:
    """Stored cases as queries; states that were predicted count as equally likely."""
    return (_query(casebase, row) for row in rows.tolist())
