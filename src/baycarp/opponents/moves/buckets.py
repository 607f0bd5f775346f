"""Buckets of holdings for models of other players: intervals of strength, finer towards the best.

Before the flop a bucket is a share of the 1,326 in the order of income rates for as many players as there are
seats. After it it is an interval of HS + (1 - HS) * draw * outs: HS is the share of random holdings that are
beaten, ties half; outs are the cards that complete a flush or a straight (``csrc/include/baycarp/
search_models.h``), none on the river. Among random holdings HS is nearly uniform, so that the intervals are
weighted bucketing (van der Kleij 2010, equation 5.4). Its buckets by E[HS^2] take too long on the boards of
a search; the measure of a draw and the number of buckets are our choice.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.search import bucket_table
from baycarp.rules.buckets import Bucketing
from baycarp.rules.income import income_group, percentiles

__all__ = ["BUCKETS", "DRAW", "EDGES", "SHARES", "buckets_on"]

BUCKETS, GROWTH = 30, 1.12
"""Their number on each street, and how many times as large each is as the next stronger one."""

DRAW = 0.02
"""The worth of an out, of what is missing to the best hand."""

SHARES: NDArray[np.float64] = np.array(Bucketing.exponential(BUCKETS, GROWTH).fractions)
"""The share of random holdings in each."""

EDGES: NDArray[np.float64] = np.cumsum(SHARES)[:-1]
"""The strength, or the percentile before the flop, at which each bucket but the first begins."""


@lru_cache(maxsize=4096)
def buckets_on(board: tuple[int, ...], seats: int) -> NDArray[np.uint8]:
    """The bucket of every holding.

    Parameters
    ----------
    board
        0, 3, 4 or 5 card ids.
    seats
        Of the game, 2 to 10.

    Returns
    -------
    uint8, shape (1326,), read-only
        0 (weakest) to ``BUCKETS`` - 1; 0 for holdings that the board blocks.

    Examples
    --------
    >>> from baycarp.card import cards, holding_index
    >>> found = buckets_on(tuple(map(int, cards("Ac7d2s"))), 2)
    >>> [int(found[holding_index(*map(int, cards(each)))]) for each in ("3h4h", "7h6h", "AhAd")]
    [0, 12, 29]
    """
    if board:
        found = bucket_table(board, EDGES, DRAW)
    else:
        group = income_group(0, seats - 1)
        found = np.searchsorted(EDGES, percentiles()[group], "right").astype(np.uint8)
    found.flags.writeable = False
    return found
