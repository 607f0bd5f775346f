"""Buckets of holdings that are about as strong: how a strength of many digits becomes one of a few numbers.

Strengths are E[HS] or E[HS^2] of all holdings on a board, as ``baycarp.expected_strength(None, board)`` has
them; nan = no holding there. Two ways to cut, which the sources both call uniform: by value, where a bucket
is an interval of strengths (Rubin and Watson 2012), and by rank, where it is a fraction of the holdings on
that board (van der Kleij 2010).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError

__all__ = ["Bucketing", "by_value", "percentiles"]

DIGITS = 12
"""Strengths that agree to this number of decimals are equal; smaller differences are rounding errors."""


def by_value(strengths: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Cut the strengths 0..1 into intervals of one length.

    Parameters
    ----------
    strengths
        float64, any shape, 0..1 or nan.
    count
        Buckets, at least 1.

    Returns
    -------
    int64 array, same shape
        0 (weakest) .. count - 1; -1 for nan.

    Source: Rubin and Watson (2012), sections 5.2.1 and 5.3 (50 buckets, 20 in an experiment).

    Examples
    --------
    >>> by_value(np.array([0.0, 0.49, 0.5, 1.0, np.nan]), 50)
    array([ 0, 24, 25, 49, -1])
    """
    if count < 1:
        raise ArgumentError(f"count: expected at least 1 bucket, got {count}")
    blocked = np.isnan(strengths)
    numbers = np.minimum(np.where(blocked, 0.0, strengths) * count, count - 1).astype(np.int64)
    return np.where(blocked, -1, numbers)


def percentiles(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute for each strength the share of strengths below it, equals counted half.

    Parameters
    ----------
    strengths
        float64, shape (n,), or nan.

    Returns
    -------
    float64 array, shape (n,)
        0..1; nan stays nan.

    Examples
    --------
    >>> percentiles(np.array([0.3, 0.9, np.nan, 0.3, 0.5]))
    array([0.25 , 0.875,   nan, 0.25 , 0.625])
    """
    shares = np.full(np.shape(strengths), np.nan)
    live, group, ends = _ranked(strengths)
    shares[live] = ((ends[:-1] + ends[1:]) / 2)[group]
    return shares


@dataclass(frozen=True)
class Bucketing:
    """Buckets by rank: each receives a fraction of the holdings, the weakest first.

    Parameters
    ----------
    fractions
        Of all holdings, > 0, summing to 1.

    Source: van der Kleij (2010), section 5.4.

    Examples
    --------
    >>> royal = np.full(1326, 0.5)  # a royal flush on the board: all holdings are equal
    >>> Bucketing.uniform(3).soft(royal)[0].round(3)
    array([0.333, 0.333, 0.333])
    """

    fractions: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.fractions or min(self.fractions) <= 0 or not math.isclose(sum(self.fractions), 1):
            raise ArgumentError(f"fractions: expected numbers above 0 that sum to 1, got {self.fractions}")

    @staticmethod
    @lru_cache(maxsize=64)
    def uniform(count: int) -> "Bucketing":
        """Give each bucket the same fraction."""
        return Bucketing.weighted([1.0] * count)

    @classmethod
    def weighted(cls, weights: Sequence[float]) -> "Bucketing":
        """Give a bucket the less, the more it weighs: 1 / w over the sum of 1 / w (equation 5.4).

        Examples
        --------
        >>> Bucketing.weighted([1, 2, 4]).fractions
        (0.5714285714285714, 0.2857142857142857, 0.14285714285714285)
        """
        if not weights or not all(0 < weight < math.inf for weight in weights):
            raise ArgumentError(f"weights: expected finite numbers above 0, got {weights}")
        whole = sum(1 / weight for weight in weights)
        return cls(tuple(1 / weight / whole for weight in weights))

    @classmethod
    def exponential(cls, count: int, growth: float) -> "Bucketing":
        """Let the weights grow from bucket to bucket by one factor: few holdings in the strongest.

        The source has 20, 20 and 10 buckets (flop, turn, river) and does not print its factor.

        Examples
        --------
        >>> [round(fraction, 4) for fraction in Bucketing.exponential(4, growth=3).fractions]
        [0.675, 0.225, 0.075, 0.025]
        """
        return cls.weighted([growth**number for number in range(count)])

    def soft(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the share of each holding in each bucket (section 5.4.4).

        Holdings of equal strength take one stretch of the ranking together, and each lies in the buckets as
        that stretch does. The probabilities of the buckets are a product with this matrix (equation 5.6).
        The way back, equation 5.5, is printed without a normalisation: the holdings in a bucket share its
        probability, so that each column is divided by its sum first.

        Parameters
        ----------
        strengths
            As for ``percentiles``.

        Returns
        -------
        float64 array, shape (n, buckets)
            Rows sum to 1, those of nan to 0; columns to their fraction of the holdings.

        Examples
        --------
        >>> shares = Bucketing.uniform(2).soft(np.array([0.1, 0.5, 0.5, 0.9]))
        >>> shares / shares.sum(axis=0) @ np.array([0.25, 0.75])  # of the holdings, from the buckets
        array([0.125, 0.25 , 0.25 , 0.375])
        """
        shares = np.zeros((len(strengths), len(self.fractions)))
        live, group, ends = _ranked(strengths)
        edges = np.array([0.0, *accumulate(self.fractions)])
        edges[-1] = 1.0
        low, high = ends[:-1, None], ends[1:, None]
        common = np.minimum(high, edges[1:]) - np.maximum(low, edges[:-1])
        shares[live] = (np.maximum(common, 0.0) / (high - low))[group]
        return shares

    def hard(self, strengths: NDArray[np.float64]) -> NDArray[np.int64]:
        """Put each holding into one bucket: the one in which its percentile lies.

        Returns
        -------
        int64 array, shape (n,)
            0 (weakest) .. buckets - 1; -1 for nan.

        Examples
        --------
        >>> Bucketing.uniform(2).hard(np.array([0.9, 0.1, 0.2, 0.8, np.nan]))
        array([ 1,  0,  0,  1, -1])
        """
        live = np.flatnonzero(~np.isnan(strengths))
        rounded = np.round(strengths[live], DIGITS)
        order = np.argsort(rounded)
        ascending = rounded[order]
        first = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))[: len(live)]
        bounds = np.append(first, len(live))
        ends = bounds / max(len(live), 1)
        buckets = np.searchsorted(self.inner, (ends[:-1] + ends[1:]) / 2, side="right")
        made = np.full(len(strengths), -1)
        made[live[order]] = np.repeat(buckets, np.diff(bounds))
        return made

    @cached_property
    def inner(self) -> NDArray[np.float64]:
        """The ends of all buckets but the last, from 0 to 1."""
        return np.array(list(accumulate(self.fractions))[:-1])


def _ranked(
    strengths: NDArray[np.float64],
) -> tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.float64]]:
    """The live holdings; the group of equals of each; where the groups end in the ranking, from 0 to 1."""
    live = ~np.isnan(strengths)
    _, group, sizes = np.unique(np.round(strengths[live], DIGITS), return_inverse=True, return_counts=True)
    return live, group, np.concatenate([[0.0], np.cumsum(sizes) / max(live.sum(), 1)])
