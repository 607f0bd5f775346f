"""Buckets of holdings for models of other players: intervals of strength, finer towards the best.

``OUTS``     ours. Before the flop a bucket is a share of the 1,326 in the order of income rates for as many
             players as there are seats. After it it is an interval of HS + (1 - HS) * draw * outs: HS is the
             share of random holdings that are beaten, ties half; outs are the cards that complete a flush or
             a straight (``csrc/include/baycarp/search_models.h``), none on the river. Among random holdings
             HS is nearly uniform, so that the intervals are weighted bucketing.
``SQUARES``  of van der Kleij (2010), section 5.4: shares of the holdings in the order of E[HS^2], 20 on flop
             and turn, 10 on the river. Equal holdings are spread over the stretch that they take together,
             where the source weighs each by it. Ours: the factor, not printed, and 20 before the flop.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.evaluation import expected_strength
from baycarp.kernels.search import bucket_table
from baycarp.rules.buckets import Bucketing
from baycarp.rules.income import income_group, percentiles

__all__ = ["BUCKETINGS", "OUTS", "SQUARES", "Buckets"]

SPREAD = 797
"""Fixes the order of equal holdings, as in the search: it has no divisor with 1,326."""


@dataclass(frozen=True)
class Buckets:
    """Buckets of holdings on every street.

    Parameters
    ----------
    name
        As files of models have it.
    counts
        By street, 1 to 64.
    growth
        How many times as large each bucket is as the next stronger one.
    draw
        The worth of an out, of what is missing to the best hand, 0..0.0625.
    ranked
        Whether holdings are in the order of E[HS^2]; ``draw`` does not count then.
    """

    name: str
    counts: tuple[int, int, int, int]
    growth: float
    draw: float = 0.0
    ranked: bool = False

    @property
    def count(self) -> int:
        """The most buckets of a street."""
        return max(self.counts)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of random holdings in each bucket, shape (4, count); 0 behind the last of a street."""
        found = np.zeros((len(self.counts), self.count))
        for row, count in zip(found, self.counts, strict=True):
            row[:count] = Bucketing.exponential(count, self.growth).fractions
        return found

    @cached_property
    def edges(self) -> tuple[NDArray[np.float64], ...]:
        """By street, the strength, or the rank, at which each bucket but the first begins."""
        return tuple(np.cumsum(row[: count - 1]) for row, count in zip(self.shares, self.counts, strict=True))

    def stretches(self, street: int) -> NDArray[np.float64]:
        """The ends of each bucket of a street, 0 (weakest) to 1: shape (2, buckets)."""
        bounds = np.array([0.0, *self.edges[street], 1.0])
        return np.stack([bounds[:-1], bounds[1:]])

    def on(self, board: tuple[int, ...], seats: int) -> NDArray[np.uint8]:
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
            0 (weakest) to ``counts`` - 1; 0 for holdings that the board blocks.

        Examples
        --------
        >>> from baycarp.card import cards, holding_index
        >>> found = OUTS.on(tuple(map(int, cards("Ac7d2s"))), 2)
        >>> [int(found[holding_index(*map(int, cards(each)))]) for each in ("3h4h", "7h6h", "AhAd")]
        [0, 12, 29]
        """
        return _on(self, board, seats)


@lru_cache(maxsize=2**11)
def _on(buckets: Buckets, board: tuple[int, ...], seats: int) -> NDArray[np.uint8]:
    if board:
        found = bucket_table(board, buckets.edges[len(board) - 2], buckets.draw, buckets.ranked)
    else:
        ranks = _ranks() if buckets.ranked else percentiles()[income_group(0, seats - 1)]
        found = np.searchsorted(buckets.edges[0], ranks, "right").astype(np.uint8)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=1)
def _ranks() -> NDArray[np.float64]:
    """The place of each holding by E[HS^2] before the flop, 0..1."""
    _, square = expected_strength(None)
    order = np.lexsort((np.arange(len(square)) * SPREAD % len(square), np.round(square, 12)))
    found = np.empty(len(square))
    found[order] = (np.arange(len(square)) + 0.5) / len(square)
    return found


OUTS = Buckets("outs", (30, 30, 30, 30), 1.12, draw=0.02)
SQUARES = Buckets("squares", (20, 20, 20, 10), 1.3, ranked=True)

BUCKETINGS: Mapping[str, Buckets] = {each.name: each for each in (OUTS, SQUARES)}
"""By name."""
