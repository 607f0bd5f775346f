"""Weighted soft buckets of holdings by E[HS^2] on every street, 20, 20, 20 and 10.

Source: van der Kleij (2010), section 5.4. Ours: the base of the exponential weights, not printed, and 20
weighted buckets before the flop, where the source has the 169 classes: as many trees have few rows each.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, HOLDINGS
from baycarp.errors import ArgumentError
from baycarp.evaluation import expected_strength
from baycarp.rules.buckets import Bucketing, percentiles

__all__ = ["CLASSES", "StreetBuckets"]

Array = NDArray[np.float64]

CLASSES = 169
"""The number of classes of starting hands: the lossless buckets before the flop."""


@dataclass(frozen=True, slots=True)
class StreetBuckets:
    """Weighted soft buckets of E[HS^2] on every street.

    Parameters
    ----------
    counts
        By street; 1 to 64, and 169 before the flop = the classes of starting hands.
    base
        The factor of the weights from a bucket to the next, at least 1.

    Raises
    ------
    ArgumentError
        A number outside its range.
    """

    counts: tuple[int, int, int, int] = (20, 20, 20, 10)
    base: float = 1.3

    def __post_init__(self) -> None:
        lossless = self.counts[:1] == (CLASSES,)
        rest = self.counts[1:] if lossless else self.counts
        if len(self.counts) != 4 or not all(1 <= each <= 64 for each in rest) or not 1 <= self.base <= 4:
            raise ArgumentError(f"{self}: expected four counts of 1 to 64, and a base of 1 to 4")

    def membership(self, board: tuple[int, ...]) -> Array:
        """The share of each holding in each bucket.

        Parameters
        ----------
        board
            No card, or three to five ids.

        Returns
        -------
        float64, shape (1326, buckets of the street), read-only
            Rows sum to 1, those of holdings that the board blocks to 0.

        Examples
        --------
        >>> shares = StreetBuckets().membership(())
        >>> shares.shape, round(float(shares[:, -1].sum()), 1)  # the best: 2.1 of the 1,326
        ((1326, 20), 2.1)
        """
        return _membership(self, board)

    def stretches(self, street: int) -> Array:
        """The part of the ranking of each bucket, from 0, the weakest, to 1: shape (2, buckets), its ends."""
        if self.counts[street] == CLASSES:
            _, square = expected_strength(None)
            middle = np.bincount(CLASS_OF, percentiles(square)) / np.bincount(CLASS_OF)
            half = np.bincount(CLASS_OF) / len(HOLDINGS) / 2
            return np.stack([middle - half, middle + half])
        bounds = np.array([0.0, *np.cumsum(self._bucketing(street).fractions)])
        return np.stack([bounds[:-1], bounds[1:]])

    def ranks(self, street: int) -> Array:
        """The middle of the stretch of each bucket, 0 (weakest) to 1; shape (buckets,)."""
        return np.asarray(self.stretches(street).mean(axis=0))

    def _bucketing(self, street: int) -> Bucketing:
        return Bucketing.exponential(self.counts[street], self.base)


@lru_cache(maxsize=256)  # 212 KB each
def _membership(buckets: StreetBuckets, board: tuple[int, ...]) -> Array:
    street = len(board) - 2 if board else 0
    if not board and buckets.counts[0] == CLASSES:
        found = np.eye(CLASSES)[CLASS_OF]
    else:
        _, square = expected_strength(None, board)
        found = buckets._bucketing(street).soft(square)
    found.flags.writeable = False
    return found
