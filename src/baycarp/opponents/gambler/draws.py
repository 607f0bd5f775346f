"""The exact draws of every holding on a board, the scare pool, and bigger hands (Matthews 2005, section 4).

Draws are counted over all cards to come by the kernel ``categories``. Holdings with equal counts and orders
are one *cell*: they are equal in every query of the post-flop network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import blocked_by
from baycarp.kernels.categories import CATEGORIES, category_orders

__all__ = ["BoardDraws", "Entry", "Scare", "draws_on", "scare"]

Array = NDArray[np.float64]

_HASHES = np.random.default_rng(5).integers(1, 2**63, (2 * CATEGORIES,), dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class BoardDraws:
    """The draws on a board, by cell.

    Parameters
    ----------
    cell
        int64, shape (1326,): the cell of each holding; -1 where the board blocks.
    shares
        float64, shape (cells, 9): the probability that a holding of the cell ends in each category; rows sum
        to 1.
    places
        int64, shape (9, cells): the place of the cell's hands within the category, dense from 0 = the worst,
        by the mean order over its complete boards: the paper's high and low cards of a hand.
    """

    cell: NDArray[np.int64]
    shares: Array
    places: NDArray[np.int64]

    @cached_property
    def _flat(self) -> NDArray[np.int64]:
        return np.asarray(self.places + np.arange(CATEGORIES)[:, None] * len(self.shares))

    def by_cell(self, weights: Array) -> Array:
        """The probability of each cell under weights of holdings; shape (cells,), sums to 1."""
        mass = np.bincount(self.cell[self.free], weights[self.free], len(self.shares))
        return np.asarray(mass / mass.sum())

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which holdings the board does not block; shape (1326,)."""
        return np.asarray(self.cell >= 0)

    def entry(self, weights: Array) -> "Entry":
        """The entry of a player in the scare pool: its draws, and what its hands are beaten by."""
        mass = self.by_cell(weights)[:, None] * self.shares  # (cells, 9)
        chances = np.minimum(mass.sum(axis=0), 1.0)  # rounding may exceed 1
        by_place = np.bincount(self._flat.ravel(), mass.T.ravel(), self._flat.size).reshape(CATEGORIES, -1)
        beaten = np.cumsum(by_place, axis=1) - by_place / 2
        beaten = beaten.ravel()[self._flat] / np.where(chances > 0, chances, 1)[:, None]
        return Entry(chances, np.minimum(beaten, 1.0))


@dataclass(frozen=True, eq=False)
class Entry:
    """One player in the scare pool.

    Parameters
    ----------
    draws
        float64, shape (9,): the probability that it ends in each category; sums to 1.
    beaten
        float64, shape (9, cells): the probability that its hand of the category is worse than that of a
        holding of the cell (ties half), given that both draw the category; 0 where it cannot draw it.
    """

    draws: Array
    beaten: Array

    def of(self, cell: int) -> "Entry":
        """The entry as one cell meets it: ``beaten`` of shape (9, 1)."""
        return Entry(self.draws, self.beaten[:, cell : cell + 1])


@dataclass(frozen=True, eq=False)
class Scare:
    """What some opponents draw together.

    Parameters
    ----------
    any_draws
        float64, shape (9,): the probability that any of them draws the category.
    bigger
        float64, shape (9, cells): the probability that a cell's hand of the category beats all of theirs,
        given that any draws it.
    strongest
        float64, shape (cells, 18): the strongest category of all, and whether the cell's hand of it is
        bigger: the states of ``opponents-draw`` of the joint form.
    """

    any_draws: Array
    bigger: Array
    strongest: Array


def scare(entries: Sequence[Entry]) -> Scare:
    """The scare pool of some opponents, taken as independent of each other."""
    draws = np.array([entry.draws for entry in entries])  # (k, 9)
    beaten = np.array([entry.beaten for entry in entries])  # (k, 9, cells)
    none = np.prod(1 - draws, axis=0)
    beats = np.prod(1 - draws[:, :, None] * (1 - beaten), axis=0) - none[:, None]
    any_draws = 1 - none
    bigger = np.clip(beats / np.where(any_draws > 0, any_draws, 1)[:, None], 0, 1)
    below = np.maximum(np.cumsum(draws, axis=1) - draws, 0.0)
    lower = np.prod(below, axis=0)  # all lower
    upto = np.prod(below + draws, axis=0)
    beating = np.prod(below[:, :, None] + draws[:, :, None] * beaten, axis=0) - lower[:, None]
    beating = np.clip(beating, 0, (upto - lower)[:, None])
    strongest = np.stack([beating, (upto - lower)[:, None] - beating], axis=1)  # (9, 2, cells)
    return Scare(any_draws, bigger, np.ascontiguousarray(strongest.reshape(2 * CATEGORIES, -1).T))


@lru_cache(maxsize=64)
def draws_on(board: tuple[int, ...]) -> BoardDraws:
    """The draws on a board of three to five cards.

    Examples
    --------
    >>> from baycarp.card import cards
    >>> draws = draws_on(tuple(cards("Qs7d2c")))
    >>> len(draws.shares) < 600, bool(np.allclose(draws.shares.sum(axis=1), 1))
    (True, True)
    """
    counts, orders = category_orders(board)
    free = np.flatnonzero(~blocked_by(board))
    both = np.hstack([counts, orders])[free]
    hashed = (both.astype(np.uint64) * _HASHES).sum(axis=1, dtype=np.uint64)
    _, first, which = np.unique(hashed, return_index=True, return_inverse=True)
    if not np.array_equal(both[first][which], both):  # two unequal rows with one hash
        _, first, which = np.unique(both, axis=0, return_index=True, return_inverse=True)
    cell = np.full(len(counts), -1)
    cell[free] = which.ravel()
    number, sums = both[first, :CATEGORIES], both[first, CATEGORIES:]
    means = sums / np.maximum(number, 1)
    places = np.array([np.unique(column, return_inverse=True)[1].ravel() for column in means.T])
    return BoardDraws(cell, number / number.sum(axis=1, keepdims=True), places)
