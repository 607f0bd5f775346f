"""Strength buckets: holdings that a player would play alike, by street (van der Kleij 2010, section 5.4).

Pre-flop the buckets are shares of the 1,326, smaller towards the best (weighted bucketing, equation 5.4), in
the order of income rates for as many players as it had to expect. After it they are intervals of effective
hand strength, HS + (1 - HS) PPot (Billings et al. 1999), the draws apart from the made hands: a draw bets
for other reasons.
"""

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.kernels.evidence import strength_buckets
from baycarp.rules.hand import GROUP_OF
from baycarp.rules.income import IncomeGroup, percentiles
from baycarp.rules.strength import holding_values

__all__ = [
    "BLOCKED",
    "BUCKETS",
    "SHARES",
    "STRENGTH",
    "Orders",
    "both_orders",
    "buckets",
    "by_hand_group",
]

PREFLOP = 16
"""Shares of the holdings before the flop."""

SHRINK = 0.85
"""The size of each share divided by that of the one below it: the worst has 16 %, the best 1.5 %."""

EDGES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.775, 0.85, 0.9, 0.95, 0.98)
"""Edges of effective strength after the flop: finer where hands are few and bets large; our choice."""

_EDGES = np.array(EDGES)

LEVELS = len(EDGES) + 1

DRAW = 0.15
"""A hand that is behind (HS below one half), with a potential from here on, is a draw."""

BUCKETS = (PREFLOP, 2 * LEVELS, 2 * LEVELS, LEVELS)
"""How many there are, by street; the draws come last, and there are none on the river."""

BLOCKED = 255
"""The bucket of a holding of which a card lies on the board."""

STRENGTH: tuple[NDArray[np.float64], ...] = tuple(
    np.arange(count, dtype=np.float64)
    % (PREFLOP if not street else LEVELS)
    / ((PREFLOP if not street else LEVELS) - 1)
    for street, count in enumerate(BUCKETS)
)
"""How strong each bucket is among those of its street: 0 the weakest, 1 the strongest."""

_DEALT = (
    tuple(SHRINK**number for number in range(PREFLOP)),
    (97, 93, 91, 91, 95, 94, 89, 88, 39, 63, 35, 32, 10, 22, 24, 18, 16, 3, 0, 0, 0, 0, 0, 0),
    (73, 72, 77, 77, 75, 107, 88, 77, 56, 56, 41, 28, 10, 37, 44, 39, 36, 5, 0, 0, 0, 0, 0, 0),
    (209, 96, 96, 102, 97, 91, 75, 74, 48, 51, 35, 26),
)
SHARES: tuple[NDArray[np.float64], ...] = tuple(np.array(each) / sum(each) for each in _DEALT)
"""The share of the holdings in each bucket, by street: pre-flop exactly, later the mean of random boards."""

Codes = NDArray[np.uint8]


def _shares(percentile: NDArray[np.float64]) -> Codes:
    sizes = SHRINK ** np.arange(PREFLOP)
    edges = np.cumsum(sizes / sizes.sum())[:-1]
    codes: Codes = np.searchsorted(edges, percentile, "right").astype(np.uint8)
    codes.flags.writeable = False
    return codes


@cache
def _by_income(income_group: IncomeGroup) -> Codes:
    return _shares(percentiles()[income_group])


@cache
def by_hand_group() -> Codes:
    """The bucket of every holding before the flop by hand groups: the order in which people value holdings.

    Groups 1 to 10 in turn (Sklansky and Malmuth), within a group by the income rates of a full table.

    Examples
    --------
    >>> codes = by_hand_group()
    >>> int((codes == 15).sum()), int((codes == 0).sum())  # the best: AA, KK, QQ; the worst 16 %
    (18, 216)
    """
    value = percentiles()[IncomeGroup.IR7] - GROUP_OF
    _, place, count = np.unique(value, return_inverse=True, return_counts=True)
    middle = (np.cumsum(count) - count / 2) / len(HOLDINGS)
    return _shares(middle[place])


@lru_cache(maxsize=2**11)  # 3 MB; a table comes back to the boards of its last hands
def buckets(board: tuple[int, ...], income_group: IncomeGroup) -> Codes:
    """The bucket of every holding on a board.

    Parameters
    ----------
    board
        No card, or three to five ids.
    income_group
        Which income rates order the holdings before the flop.

    Returns
    -------
    uint8 array, shape (1326,), read-only
        0 .. BUCKETS[street] - 1, or ``BLOCKED``.

    Examples
    --------
    >>> codes = buckets((), IncomeGroup.IR7)
    >>> int(codes.max()), int((codes == 15).sum())  # the best: AA, KK, QQ
    (15, 18)
    """
    if not board:
        return _by_income(income_group)
    hs, ppot, _ = holding_values(board)
    codes = strength_buckets(hs, ppot, _EDGES, DRAW)
    codes.flags.writeable = False
    return codes


class Orders(NamedTuple):
    """Two orders of the holdings before the flop: income rates for the players to expect, and hand groups.

    Parameters
    ----------
    cell
        Of each holding; uint8, shape (1326,), read-only. By either order a cell lies in one bucket.
    expected, hand_group
        Of each cell the bucket by each order; int64, shape (cells,), read-only.
    """

    cell: Codes
    expected: NDArray[np.int64]
    hand_group: NDArray[np.int64]


@cache
def both_orders(income_group: IncomeGroup) -> Orders:
    """The holdings by two orders before the flop.

    Examples
    --------
    >>> [len(both_orders(group).expected) for group in IncomeGroup]  # of 16 x 16 pairs of buckets
    [83, 63, 48]
    """
    pairs = np.int64(PREFLOP) * buckets((), income_group) + by_hand_group()
    found, cell = np.unique(pairs, return_inverse=True)
    orders = Orders(cell.astype(np.uint8), *np.divmod(found, PREFLOP))
    for array in orders:
        array.flags.writeable = False
    return orders
