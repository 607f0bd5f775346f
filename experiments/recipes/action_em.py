"""EM for hand -> action: tables fitted to all hands, including folded ones, whose cards are hidden.

    E   the probability of each cell of a row, by Bayes' rule with the current tables; a hand that was shown
        has its true cell only
    M   the tables from the moves, counted in each bucket by the probability that they were made with it

Whether cards are shown depends only on the actions, so that hidden cards are missing at random given the
actions: the likelihood of all rows is the right one, the likelihood of the showdowns alone is not. The tables
are fitted twice: by price alone, then by situation with the first fit as the (Dirichlet) prior, so that a
situation with few moves has the frequencies of its price. The objective, likelihood times prior, never
decreases from one round to the next.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.actions.buckets import BLOCKED, STRENGTH
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel, sensible
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, PRICES
from baycarp.training.priors import normal
from experiments.recipes.action_cells import Cells

__all__ = [
    "Fitted",
    "Prior",
    "ascend",
    "expected_choice",
    "expected_counts",
    "fit",
    "leftover",
    "likelihood",
    "price_sums",
]

Array = NDArray[np.float64]
Tables = tuple[Array, ...]

PRIOR, BY_PRICE = 2.0, 10.0
"""Weights in moves: of the start in each bucket of a table by price, of that table in each situation."""

STAY = 300.0
"""The weight in moves of the prior that the strongest bucket seldom folds; it falls with strength ** 12."""

ENOUGH = 1e-5
"""Rounds end when the objective per row grows by less than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """The prior distribution of the tables.

    Parameters
    ----------
    counts
        By street, imagined moves by situation, bucket and choice; float64, of ``SHAPES``.
    stay
        The weight in moves of the prior that the strongest hands hardly fold; 0 = none.
    pooled
        Whether situations of one price share a table.
    """

    counts: Tables
    stay: float = STAY
    pooled: bool = False

    def log_density(self, tables: Tables) -> float:
        """The logarithm of the Dirichlets and of the prior of folds, without constants."""
        total = 0.0
        for street, (table, before) in enumerate(zip(tables, self.counts, strict=True)):
            each = (before * np.log(np.where(before > 0, table, 1.0))).sum(axis=(1, 2))
            worth, folds = _staying(street, self.stay)
            fold = np.where(worth > 0, table[:, :, 0], 0.5)
            each += (worth * (folds * np.log(fold) + (1 - folds) * np.log1p(-fold))).sum(axis=1)
            if self.pooled:  # one table for each price, whatever the number of its situations
                each = np.bincount(PRICE_OF[street], each) / np.bincount(PRICE_OF[street])
            total += float(each.sum())
        return total


@dataclass(frozen=True, slots=True)
class Fitted:
    """The result of EM.

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
        The rows whose holding is given to the learner: bool, shape (rows,); it learns from the others too.
    start
        The first tables; default: ``sensible()``.
    rounds
        The greatest number of rounds, by price and by situation each.
    stay
        The weight in moves of the prior that the strongest hands hardly fold; 0 = none.

    Examples
    --------
    >>> from experiments.recipes.action_cells import stack
    >>> fit(stack([]), np.zeros(0, bool), rounds=1).model.tables[0][0, 0, 0]  # no fold without a bet
    np.float64(0.0)
    """
    begun = (start or sensible()).tables
    by_price = tuple(
        PRIOR * (price_sums(table, street) / (len(table) / len(PRICES))) for street, table in enumerate(begun)
    )
    coarse, _ = ascend(cells, known, begun, Prior(by_price, stay, pooled=True), rounds)
    fine_prior = Prior(tuple(BY_PRICE * table for table in coarse), stay)
    fine, objective = ascend(cells, known, coarse, fine_prior, rounds)
    return Fitted(ActionModel(fine), objective)


def leftover(cells: Cells, known: NDArray[np.bool_]) -> ActionModel:
    """The start of van der Kleij (2010), section 5.5.1, for comparison: hidden cards are uniform.

    The deal is uniform and shown holdings are counted; hidden cards have the rest, whatever the actions.
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
        pooled = price_sums(counts, street)
        mean = pooled.sum(axis=1, keepdims=True) + legal(street)[:, None, :]
        found.append(normal(pooled + normal(mean)))
    return ActionModel(tuple(found))


def likelihood(cells: Cells, tables: Tables) -> Array:
    """The number of holdings of each cell times the probability of all of the row's moves with them."""
    weight = cells.count.copy()
    for street, table in enumerate(tables):
        at, there = cells.move_street == street, cells.there[street]
        acts = np.ones((len(cells), table.shape[1]))
        np.multiply.at(acts, cells.move_row[at], table[cells.move_situation[at], :, cells.move_choice[at]])
        weight[there] *= acts[cells.row[there], cells.bucket[there, street]]
    return weight


def expected_choice(cells: Cells, tables: Tables) -> Array:
    """The probability that a model gives each move, given the earlier moves of its row.

    Returns
    -------
    float64, shape (moves,)
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
    return np.asarray(~known[cells.row] | (np.arange(len(cells.row)) == cells.true[cells.row]))


def expected_counts(cells: Cells, probability: Array) -> Tables:
    """The moves by situation, bucket and choice, counted in each bucket by its probability.

    Parameters
    ----------
    cells, probability
        The rows, and the probability of each cell in its row.

    Returns
    -------
    by street, float64, of ``SHAPES``
    """
    found = []
    for street, (situations, buckets, choices) in enumerate(SHAPES):
        at, there = cells.move_street == street, cells.there[street]
        held = cells.row[there] * buckets + cells.bucket[there, street]
        mass = np.bincount(held, probability[there], minlength=len(cells) * buckets).reshape(-1, buckets)
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
    """Run EM until the objective hardly grows: the tables, and the objective after each round."""
    cells, objective = cells.only(_possible(cells, known)), list[float]()
    for _ in range(rounds):
        probability, total = posterior(cells, known, tables)
        objective.append(float(np.log(total).sum()) + prior.log_density(tables))
        if len(objective) > 1 and objective[-1] - objective[-2] < ENOUGH * max(1, len(cells)):
            break
        counts = expected_counts(cells, probability)
        if prior.pooled:
            counts = tuple(price_sums(count, street) for street, count in enumerate(counts))
        added = (count + before for count, before in zip(counts, prior.counts, strict=True))
        tables = tuple(_fitted(count, street, prior.stay) for street, count in enumerate(added))
    return tables, tuple(objective)


@cache
def _staying(street: int, stay: float) -> tuple[Array, Array]:
    """The prior of strong hands, (situations, buckets) each: its weight in moves, and their share of folds.

    Folded cards are hidden, and the likelihood hardly separates a raiser's folded aces from aces not
    dealt; the prior does. It is of the share of folds alone and leaves calls and raises to the data.
    """
    worth = np.where(legal(street)[:, :1], stay * STRENGTH[street] ** 12, 0.0)
    return worth, sensible().tables[street][:, :, 0]


def _fitted(counts: Array, street: int, stay: float) -> Array:
    """The most probable table by counts and the prior of strong hands."""
    table, (worth, folds) = normal(counts), _staying(street, stay)
    fold = (counts[:, :, 0] + worth * folds) / (counts.sum(axis=2) + worth)
    table[:, :, 1:] *= ((1 - fold) / (1 - table[:, :, 0]))[:, :, None]
    table[:, :, 0] = fold
    return table


def price_sums(counts: Array, street: int) -> Array:
    """For each situation the sum of the counts of all situations of its price; the shape of ``counts``."""
    sums = np.zeros((len(PRICES), *counts.shape[1:]))
    np.add.at(sums, PRICE_OF[street], counts)
    return np.asarray(sums[PRICE_OF[street]])


def legal(street: int) -> NDArray[np.bool_]:
    """The legal choices in each situation of a street; shape (situations, 3)."""
    return LEGAL[PRICE_OF[street]]
