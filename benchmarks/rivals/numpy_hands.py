"""Ranks of seven cards, and all holdings of a river against a range, as written in numpy by hand.

A set of ranks is an integer of 13 bits, the ace the highest. Of two sets of as many ranks the better one is
the greater integer, so that sets are the ranks of hands within a category.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, as_cards, blocked_by

BLOCK = 8_192
"""Hands whose arrays stay in a processor's cache."""

CARDS = np.uint64(1) << np.array([16 * (card % 4) + card // 4 for card in range(52)], np.uint64)
"""A bit of each card: sixteen for a suit."""

SETS = np.arange(1 << 13)
COUNT = np.sum([SETS >> rank & 1 for rank in range(13)], axis=0)


def _highest(most: int) -> NDArray[np.int64]:
    """The highest ranks of each set."""
    kept = SETS
    for _ in range(13 - most):
        kept = np.where(COUNT[kept] > most, kept & kept - 1, kept)
    return kept


ONE, TWO, THREE, FIVE = map(_highest, (1, 2, 3, 5))
PAIRS, FLUSH = np.where(COUNT > 1, TWO, 0), np.where(COUNT > 4, SETS, 0)
"""By set: its highest ranks; the two highest and all, or 0 where there are fewer than two and five."""

LOW = SETS << 1 | SETS >> 12
"""With the ace below the deuce, too."""

STRAIGHT = ONE[LOW & LOW >> 1 & LOW >> 2 & LOW >> 3 & LOW >> 4]
"""The lowest card of the best straight of each set; 0 = no straight."""


def numpy_ranks(deals: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Ranks of hands of shape (n, 7), a stronger hand with a higher one: bit operations on whole columns."""
    blocks = range(0, len(deals), BLOCK)
    return np.concatenate([_ranks(deals[start : start + BLOCK]) for start in blocks])


def _ranks(deals: NDArray[np.uint8]) -> NDArray[np.int64]:
    held = np.bitwise_or.reduce(CARDS[np.ascontiguousarray(deals.T)])
    c, d, h, s = held.view(np.uint16).reshape(-1, 4).T.astype(np.int64)
    black, red, both_black, both_red = c | s, d | h, c & s, d & h
    once, twice = black | red, both_black | both_red | black & red
    thrice, four = both_black & red | both_red & black, both_black & both_red
    suited = FLUSH[c] | FLUSH[d] | FLUSH[h] | FLUSH[s]
    pair, pairs, three = ONE[twice], PAIRS[twice], ONE[thrice]
    full = ONE[twice & ~three]
    best = FIVE[once]
    for category, (first, second) in enumerate(
        (
            (pair, THREE[once & ~pair]),
            (pairs, ONE[once & ~pairs]),
            (three, TWO[once & ~three]),
            (STRAIGHT[once], 0),
            (FIVE[suited], 0),
            (np.where(full, three, 0), full),
            (four, ONE[once & ~four]),
            (STRAIGHT[suited], 0),
        ),
        start=1,
    ):
        best = np.where(first, category << 26 | first << 13 | second, best)
    return np.asarray(best)


def numpy_river(board: str, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The equity of each holding against a range of weights, float64, shape (1326,); nan of blocked ones.

    Holdings in the order of their ranks: the weight below each is a running sum, less those of holdings that
    share a card with it.
    """
    free = np.flatnonzero(~blocked_by(as_cards(board)))
    holdings = HOLDINGS[free]
    table = np.broadcast_to(as_cards(board), (len(free), 5))
    ranks = numpy_ranks(np.hstack([table, holdings]).astype(np.uint8))
    order = np.argsort(ranks)
    ranks, holdings, weight = ranks[order], holdings[order], weights[free][order]
    sums = np.zeros((53, len(free) + 1))
    sums[52, 1:] = weight
    sums[holdings.T, np.arange(1, len(free) + 1)] = weight
    np.cumsum(sums, axis=1, out=sums)

    def apart(places: NDArray[np.intp]) -> NDArray[np.float64]:
        first, second = holdings.T
        return np.asarray(sums[52, places] - sums[first, places] - sums[second, places])

    below = apart(np.searchsorted(ranks, ranks))
    level = apart(np.searchsorted(ranks, ranks, "right")) + weight - below
    every = apart(np.full(len(free), len(free))) + weight
    found = np.full(len(HOLDINGS), np.nan)
    found[free[order]] = (below + level / 2) / every
    return found
