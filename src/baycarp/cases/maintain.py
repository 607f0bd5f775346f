"""Maintenance: what a case-base covers, what in it is said twice, and what to forget.

A stored case is asked like a query. It keeps which states were predicted and not how likely each was, so that
they count as equally likely.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.retrieve import retrieve, retrieve_all
from baycarp.cases.schema import Situation
from baycarp.cases.similarity import NONE
from baycarp.cases.vectors import Vectors, same
from baycarp.errors import SchemaError

__all__ = ["Competence", "competence", "forget", "merge", "queries", "utility"]

NEAREST = 16
"""Cases among which the nearest newer one is sought."""


@dataclass(frozen=True, slots=True)
class Competence:
    """What a case-base covers and solves; shares are of the cases that were asked, each without itself.

    Parameters
    ----------
    cases, situations, asked
        Stored; different ones among them; how many were asked.
    covered
        That another case is near enough to.
    solved
        Whose own solution is what most of those chose: the leave-one-out accuracy of the majority.
    neighbours
        Other cases that are near enough, the median.
    by_solution
        Of each solution: cases asked, and the share of them that is solved.
    """

    cases: int
    situations: int
    asked: int
    covered: float
    solved: float
    neighbours: float
    by_solution: dict[str, tuple[int, float]]


def competence(casebase: CaseBase, most: int = 1000, seed: int = 0, workers: int = 1) -> Competence:
    """Ask stored cases of the others: what is covered, and what is solved.

    Parameters
    ----------
    casebase
        Not empty.
    most
        Ask so many at most, drawn with the seed.
    seed, workers
        As everywhere; threads change nothing but the time.

    Notes
    -----
    Coverage and competence as in Smyth and Keane (1995); the majority's vote stands for "solves".
    """
    n, columns = len(casebase), casebase.columns()
    if n == 0:
        raise SchemaError(f"case-base {casebase.schema.name}: expected at least one case")
    rows = np.sort(np.random.default_rng(seed).permutation(n)[:most])
    found = retrieve_all(casebase, queries(casebase, rows), fallback=0, workers=workers)
    near = np.zeros(len(rows), np.int64)
    solved = np.zeros(len(rows), np.bool_)
    for i, (row, answer) in enumerate(zip(rows.tolist(), found, strict=True)):
        others = answer.ids != columns["ids"][row]
        chosen = columns["solutions"][casebase.snapshot().rows(answer.ids[others])]
        votes = np.bincount(chosen, minlength=len(casebase.schema.solutions))
        near[i] = others.sum()
        solved[i] = near[i] > 0 and votes.argmax() == columns["solutions"][row]
    tried = columns["solutions"][rows]
    by_solution = {
        name: (int((tried == code).sum()), float(solved[tried == code].mean()))
        for code, name in enumerate(casebase.schema.solutions)
        if (tried == code).any()
    }
    different = len(same(columns["numbers"], columns["codes"])[0])
    covered, neighbours = float((near > 0).mean()), float(np.median(near))
    return Competence(n, different, len(rows), covered, float(solved.mean()), neighbours, by_solution)


def merge(casebase: CaseBase, at_least: float) -> Vectors:
    """Merge near-duplicates, each into the first case that it is so similar to; counts and outcomes add up.

    Parameters
    ----------
    casebase
        What to merge; it does not change.
    at_least
        The similarity from which on two cases are one; 1 merges what no similarity tells apart.
    """
    n, now = len(casebase), casebase.snapshot()
    leader = np.full(n, -1, np.int64)
    for row in range(n):
        if leader[row] < 0:
            alike = now.rows(retrieve(casebase, _query(casebase, row), at_least=at_least, fallback=0).ids)
            leader[alike[leader[alike] < 0]] = row
            leader[row] = row
    first, which = np.unique(leader, return_inverse=True)
    return Vectors(casebase, (first, which.ravel()))


def utility(casebase: CaseBase, workers: int = 1) -> NDArray[np.float64]:
    """What would be lost with each case: how unlike it is the nearest newer one.

    What a newer case tells as well is worth nothing, whatever was done in it: forgetting thins out what is
    known best, and leaves the shares of the solutions as they are. It is sought among the 16 nearest;
    where none is there, a case is worth what its last neighbour is unlike it.

    Returns
    -------
    float64, shape (cases,), 0..1
    """
    columns, n = casebase.columns(), len(casebase)
    oldest_last = same(columns["numbers"][:, ::-1], columns["codes"][:, ::-1])[0]
    newest = np.sort(n - 1 - oldest_last)
    different = _only(casebase, newest)
    found = retrieve_all(different, queries(casebase, newest), 0.0, NEAREST + 1, workers=workers)
    worth = np.zeros(n)
    for row, answer in zip(newest.tolist(), found, strict=True):
        newer = np.flatnonzero(answer.ids > columns["ids"][row])
        worth[row] = 1.0 - answer.similarities[newer[0] if len(newer) else -1]
    return worth


def forget(casebase: CaseBase, most: int, seed: int = 0, workers: int = 1) -> CaseBase:
    """Keep so many cases, drawn without replacement in proportion to their utility; ids stay.

    They are drawn and not ranked: the cases of the greatest utility are the odd ones, and a memory of these
    alone is near enough to hardly anything. What equals a newer case goes first. The newest stays:
    ids go on from it.

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
    uniform = 1.0 - np.random.default_rng(seed).random(len(casebase))
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
    columns = casebase.columns()
    codes = columns["codes"][:, row].copy()
    return Situation(
        columns["numbers"][:, row].copy(), codes, np.where(codes == NONE, 0.0, 1 / max(len(codes), 1))
    )


def queries(casebase: CaseBase, rows: NDArray[np.int64]) -> Iterable[Situation]:
    """Stored cases as queries; states that were predicted count as equally likely."""
    return (_query(casebase, row) for row in rows.tolist())
