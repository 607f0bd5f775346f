"""All-in equity of any number of ranges: exact if the budget is enough, otherwise sampled, with its error."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, inf, prod

import numpy as np
from numpy.typing import NDArray

from baycarp.budget import Budget
from baycarp.card import HOLDINGS, Cards, as_cards, blocked_by, text
from baycarp.errors import ArgumentError, RangeError
from baycarp.evaluation import Side, as_side, equity
from baycarp.kernels.runout import runout
from baycarp.kernels.sampling import Sampler
from baycarp.kernels.strength import weights_beside

__all__ = ["Estimate", "equities"]

RATE = 4e6
"""Showdowns in a second: a limit of time is converted by it, to decide whether the result is exact."""

PRODUCT = 40
"""No product of ten weights of 2**-40 to 2**40 overflows or underflows."""

CHUNK = 256
"""Deals between two reads of the clock."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The share of a pot of each side, with its standard error.

    Parameters
    ----------
    shares
        float64, shape (sides,), summing to 1.
    errors
        The standard error of each; 0 if exact.
    deals
        The number of sampled deals; 0 if exact.
    exact
        Whether every deal was counted.
    """

    shares: NDArray[np.float64]
    errors: NDArray[np.float64]
    deals: int
    exact: bool


def equities(
    *sides: Side, board: Cards = "", budget: Budget | None = None, seed: int | None = None
) -> Estimate:
    """Share a pot among two to ten sides that are all-in.

    Parameters
    ----------
    *sides
        A range, its 1,326 weights, or one holding as text or ids, each. A combination of holdings counts with
        the product of its weights; those in which players share a card do not count.
    board
        None, three, four or five cards, text or ids.
    budget
        ``playouts``: showdowns. If the budget is enough for all showdowns, or for their expected time, the
        result is exact; otherwise deals are sampled. None = exact, however long it takes.
    seed
        Of the deals; needed if the result may be sampled. With ``playouts`` alone the result repeats bit for
        bit.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Not two to ten sides, or sides without a combination in which each has two cards of its own.
    ArgumentError
        A seed out of range, or a budget without one.

    Examples
    --------
    >>> found = equities("AhKd", "QsQc", "Js9s", board="Ts7d2c")
    >>> found.shares.round(4), found.exact
    (array([0.2148, 0.5515, 0.2337]), True)
    >>> found = equities("AhKd", np.ones(1326), np.ones(1326), budget=Budget(playouts=10_000), seed=1)
    >>> print(f"{found.shares[0]:.3f} +- {found.errors[0]:.3f}")
    0.469 +- 0.005
    """
    table = as_cards(board, "board", (0, 3, 4, 5))
    if not 2 <= len(sides) <= 10:
        raise RangeError(f"{len(sides)} sides: expected 2 to 10")
    live = ~blocked_by(table)
    weights = [as_side(side, f"side {number}") * live for number, side in enumerate(sides, 1)]
    for number, each in enumerate(weights, 1):
        if not each.any():
            raise RangeError(f"side {number}: no holding is left beside the board {text(table)!r}")
    if _fits(weights, table, budget):
        return _exact(weights, table)
    if budget is None or seed is None:
        raise ArgumentError("seed: expected one, since the budget may not hold the exact answer")
    return _sampled(weights, table, budget, seed)


def _fits(weights: Sequence[NDArray[np.float64]], table: NDArray[np.uint8], budget: Budget | None) -> bool:
    """Whether the budget is enough for every showdown; two sides need whole boards only, or a look-up."""
    if budget is None:
        return True
    tuples = prod(int(np.count_nonzero(each)) for each in weights)
    boards = comb(52 - len(table) - 2 * len(weights), 5 - len(table))
    if len(weights) == 2:
        boards, tuples = boards if len(table) else 1, min(tuples, 2 * 1326)
    seconds = inf if budget.time is None else budget.time
    return boards * tuples <= min(budget.playouts or inf, RATE * seconds)


def _exact(weights: Sequence[NDArray[np.float64]], table: NDArray[np.uint8]) -> Estimate:
    if len(weights) == 2:
        share = equity(weights[0], weights[1], table)
        return Estimate(np.array([share, 1 - share]), np.zeros(2), 0, True)
    weights = [weights_beside(each, table, limit=PRODUCT) for each in weights]
    won, all_sides = np.zeros(len(weights)), (1 << len(weights)) - 1
    for held in product(*(np.flatnonzero(each) for each in weights)):
        holes = HOLDINGS[list(held)].tolist()
        if len({card for hole in holes for card in hole}) == 2 * len(holes):
            weight = prod(float(each[i]) for each, i in zip(weights, held, strict=True))
            won += weight * runout(holes, table.tolist(), [all_sides])[0]
    if not won.any():
        raise RangeError("sides: no combination leaves every side two cards of its own")
    return Estimate(won / won.sum(), np.zeros(len(weights)), 0, True)


def _sampled(
    weights: Sequence[NDArray[np.float64]], table: NDArray[np.uint8], budget: Budget, seed: int
) -> Estimate:
    meter, sampler = budget.start(), Sampler(weights, table, seed)
    wanted = max(2, budget.playouts) if budget.playouts else None
    while wanted is None or sampler.deals < wanted:
        sampler.deal(CHUNK if wanted is None else min(CHUNK, wanted - sampler.deals))
        if meter.left() <= 0:
            break
    return Estimate(*sampler.shares(), sampler.deals, False)
