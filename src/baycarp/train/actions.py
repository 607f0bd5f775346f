"""EM for hand -> action: tables fitted to all hands, folded ones too, whose cards are hidden.

    E   of every row the probability of each of its cells, by Bayes with the tables of now; a hand that was
        shown is its one cell
    M   the tables anew from the moves, counted by the bucket that they were probably made with

Whether cards are shown depends on the acts alone, so that the hidden ones are missing at random given the
acts, and the likelihood of all rows is the right one; that of the showdowns alone is not. The tables are
fitted twice: by price alone, then by situation with the first as prior (Dirichlet), so that rare situations
play as their price does. What is maximised, likelihood times prior, never falls from one round to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.actions import SHAPES, ActionModel, sensible
from baycarp.opponents.buckets import BLOCKED, STRENGTH
from baycarp.opponents.moves import LEGAL, PRICE_OF, PRICES
from baycarp.train.cells import Cells

__all__ = [
    "Fitted",
    "Prior",
    "ascend",
    "expected_choice",
    "expected_counts",
    "fit",
    "leftover",
    "likelihood",
    "restarts",
]

Array = NDArray[np.float64]
Tables = tuple[Array, ...]

PRIOR, BY_PRICE = 2.0, 10.0
"""What the start is worth in each bucket of a table by price, and that in each of a situation; in moves."""

STAY = 300.0
"""How many moves the strongest bucket's seldom folding is worth; a weaker one's falls with strength ** 12."""

ENOUGH = 1e-5
"""Rounds end when the objective grows by less, a row."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is known of the tables before any row.

    Parameters
    ----------
    counts
        By street, imagined moves by situation, bucket and choice; float64, of ``SHAPES``.
    stay
        How many moves it is worth that the strongest hands hardly fold; 0 = nothing.
    pooled
        Whether situations of one price share a table.
    """

    counts: Tables
    stay: float = STAY
    pooled: bool = False

    def log_density(self, tables: Tables) -> float:
        """The logarithm of the Dirichlets and of what is known of folds, but for constants."""
        total = 0.0
        for street, (table, before) in enumerate(zip(tables, self.counts, strict=True)):
            logs = np.log(np.where(before > 0, table, 1.0))
            each = np.where(before > 0, before * logs, 0.0).sum(axis=(1, 2))
            worth, folds = _staying(street, self.stay)
            fold = np.where(worth > 0, table[:, :, 0], 0.5)
            each += (worth * (folds * np.log(fold) + (1 - folds) * np.log1p(-fold))).sum(axis=1)
            if self.pooled:  # one table a price, however many situations share it
                each = np.bincount(PRICE_OF[street], each) / np.bincount(PRICE_OF[street])
            total += float(each.sum())
        return total


@dataclass(frozen=True, slots=True)
class Fitted:
    """What EM ended with.

    Parameters
    ----------
    model
        The tables.
    objective
        Log-likelihood of the rows plus log-prior, after each round of the last fit, in nats.
    """

    model: ActionModel
    objective: tuple[float, ...]


def fit(
    cells: Cells,
    known: NDArray[np.bool_],
    start: ActionModel | None = None,
    rounds: int = 60,
    stay: float = STAY,
) -> Fitted:
    """Fit the tables to rows.

    Parameters
    ----------
    cells
        The rows.
    known
        Of which rows the learner knows what was held: bool, a value a row; of the others it learns too.
    start
        Where to begin; default: ``sensible()``.
    rounds
        At most so many, by price and by situation each.
    stay
        How many moves it is worth that the strongest hands hardly fold; 0 = the acts alone speak.

    Examples
    --------
    >>> from baycarp.train.cells import stack
    >>> fit(stack([]), np.zeros(0, bool), rounds=1).model.tables[0][0, 0, 0]  # nobody folds for free
    np.float64(0.0)
    """
    begun = (start or sensible()).tables
    by_price = tuple(PRIOR * _price_means(table, street) for street, table in enumerate(begun))
    coarse, _ = ascend(cells, known, begun, Prior(by_price, stay, pooled=True), rounds)
    prior = Prior(tuple(BY_PRICE * table for table in coarse), stay)
    fine, objective = ascend(cells, known, coarse, prior, rounds)
    return Fitted(ActionModel(fine), objective)


def restarts(cells: Cells, known: NDArray[np.bool_], seeds: Sequence[int], rounds: int = 60) -> list[Fitted]:
    """Fits from starts near the sensible one, the best first; of equals the first."""
    each = [fit(cells, known, sensible(seed), rounds) for seed in seeds]
    return sorted(each, key=lambda fitted: -fitted.objective[-1])


def leftover(cells: Cells, known: NDArray[np.bool_]) -> ActionModel:
    """The start of van der Kleij (2010), section 5.5.1, for comparison: hidden cards are uniform.

    What is dealt is uniform, what was shown is counted, and the hidden ones hold the rest, whatever they did.
    """
    before = cells.bucket[:, 0]
    dealt = np.bincount(before, cells.count, minlength=BLOCKED + 1)
    shown = np.bincount(before[cells.true[known]], minlength=BLOCKED + 1)
    rest = np.maximum(dealt / dealt.sum() * len(cells) - shown, 0.0) / np.maximum(dealt, 1.0)
    weight = cells.count * rest[before]
    weight[known[cells.row]] = 0.0
    weight[cells.true[known]] = 1.0
    weight /= np.bincount(cells.row, weight, minlength=len(cells))[cells.row]
    found = []
    for street, counts in enumerate(expected_counts(cells, weight)):
        pooled = _price_sums(counts, street)
        mean = pooled.sum(axis=1, keepdims=True) + legal(street)[:, None, :]
        found.append(_normal(pooled + _normal(mean)))
    return ActionModel(tuple(found))


def likelihood(cells: Cells, tables: Tables) -> Array:
    """Of every cell: its number of holdings times the probability that they do all of the row's moves."""
    weight = cells.count.copy()
    for street, table in enumerate(tables):
        at = cells.move_street == street
        acts = np.ones((len(cells), table.shape[1]))
        chosen = table[cells.move_situation[at], :, cells.move_choice[at]]
        np.multiply.at(acts, cells.move_row[at], chosen)
        there = cells.there[street]
        weight[there] *= acts[cells.row[there], cells.bucket[there, street]]
    return weight


def expected_choice(cells: Cells, tables: Tables) -> Array:
    """The probability that a model gives each move before it is made, by the moves of the row before it.

    Returns
    -------
    float64, one a move
    """
    place = np.arange(len(cells.move_row)) - np.searchsorted(cells.move_row, cells.move_row, "left")
    weight, found = cells.count.copy(), np.empty(len(place))
    total = np.bincount(cells.row, weight, minlength=len(cells))
    for number in range(int(place.max(initial=-1)) + 1):
        at = np.flatnonzero(place == number)
        move = np.full(len(cells), -1)
        move[cells.move_row[at]] = at
        mine = np.flatnonzero(move[cells.row] >= 0)
        which = move[cells.row[mine]]
        for street, table in enumerate(tables):
            there = cells.move_street[which] == street
            cell, act = mine[there], which[there]
            weight[cell] *= table[
                cells.move_situation[act], cells.bucket[cell, street], cells.move_choice[act]
            ]
        after = np.bincount(cells.row, weight, minlength=len(cells))
        found[at] = (after / total)[cells.move_row[at]]
        total = after
    return found


def posterior(cells: Cells, known: NDArray[np.bool_], tables: Tables) -> tuple[Array, Array]:
    """The probability of each cell within its row, and of each row's moves (with its cards, where known)."""
    weight = likelihood(cells, tables)
    weight[~_possible(cells, known)] = 0.0
    total: Array = np.bincount(cells.row, weight, minlength=len(cells)).astype(np.float64)
    return weight / total[cells.row], total


def _possible(cells: Cells, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells possible for a learner: of a row with known cards, the true one."""
    possible: NDArray[np.bool_] = ~known[cells.row] | (np.arange(len(cells.row)) == cells.true[cells.row])
    return possible


def expected_counts(cells: Cells, probability: Array) -> Tables:
    """The moves by situation, bucket and choice, each bucket by its probability.

    Parameters
    ----------
    cells, probability
        The rows, and of each cell its probability in its row.

    Returns
    -------
    by street, float64, of ``SHAPES``
    """
    found = []
    for street, (situations, buckets, choices) in enumerate(SHAPES):
        there = cells.there[street]
        held = cells.row[there] * buckets + cells.bucket[there, street]
        mass = np.bincount(held, probability[there], minlength=len(cells) * buckets).reshape(-1, buckets)
        at = cells.move_street == street
        counts = np.zeros((situations, choices, buckets))
        np.add.at(counts, (cells.move_situation[at], cells.move_choice[at]), mass[cells.move_row[at]])
        found.append(np.ascontiguousarray(np.swapaxes(counts, 1, 2)))
    return tuple(found)


def ascend(
    cells: Cells,
    known: NDArray[np.bool_],
    tables: Tables,
    prior: Prior,
    rounds: int,
) -> tuple[Tables, tuple[float, ...]]:
    """Rounds of EM until the objective hardly grows: the tables, and the objective after each round."""
    cells, objective = cells.only(_possible(cells, known)), list[float]()
    for _ in range(rounds):
        probability, total = posterior(cells, known, tables)
        objective.append(float(np.log(total).sum()) + prior.log_density(tables))
        if len(objective) > 1 and objective[-1] - objective[-2] < ENOUGH * max(1, len(cells)):
            break
        counts = expected_counts(cells, probability)
        if prior.pooled:
            counts = tuple(_price_sums(count, street) for street, count in enumerate(counts))
        added = (count + before for count, before in zip(counts, prior.counts, strict=True))
        tables = tuple(_fitted(count, street, prior.stay) for street, count in enumerate(added))
    return tables, tuple(objective)


@cache
def _staying(street: int, stay: float) -> tuple[Array, Array]:
    """The prior of strong hands, (situations, buckets) each: its weight in moves, and their share of folds.

    Folded cards are hidden, and the likelihood hardly separates a raiser's folded aces from aces not
    dealt; the prior does. Only the share of folds is held, so that calls and raises are learned as ever.
    """
    worth = np.where(legal(street)[:, :1], stay * STRENGTH[street] ** 12, 0.0)
    return worth, sensible().tables[street][:, :, 0]


def _fitted(counts: Array, street: int, stay: float) -> Array:
    """The table that explains counts best, together with what is known of strong hands."""
    table, (worth, folds) = _normal(counts), _staying(street, stay)
    fold = (counts[:, :, 0] + worth * folds) / (counts.sum(axis=2) + worth)
    table[:, :, 1:] *= ((1 - fold) / (1 - table[:, :, 0]))[:, :, None]
    table[:, :, 0] = fold
    return table


def _price_sums(counts: Array, street: int) -> Array:
    """Of each situation the sum over all situations of its price."""
    sums = np.zeros((len(PRICES), *counts.shape[1:]))
    np.add.at(sums, PRICE_OF[street], counts)
    spread: Array = sums[PRICE_OF[street]]
    return spread


def _price_means(table: Array, street: int) -> Array:
    return _price_sums(table, street) / (len(table) / len(PRICES))


def _normal(counts: Array) -> Array:
    normal: Array = counts / counts.sum(axis=-1, keepdims=True)
    return normal


def legal(street: int) -> NDArray[np.bool_]:
    """Which choices each situation of a street allows; shape (situations, 3)."""
    return LEGAL[PRICE_OF[street]]
