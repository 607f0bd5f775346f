"""Means and quotients of belief scores with 95 % intervals over hands or players, and the calibration error.

Queries of one hand are dependent, hands are not: an interval is over blocks, which are hands or players.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import margin

__all__ = ["Figure", "calibration", "mean", "ratio"]

Array = NDArray[np.float64]

BINS = 15
"""Of the calibration error (Guo et al. 2017)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with half of its 95 % interval."""

    value: float
    margin: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ±{'-' if np.isnan(self.margin) else f'{self.margin:.3f}'}"


def mean(values: Array, blocks: NDArray[np.intp]) -> Figure:
    """The mean of values, its interval over blocks; nan values are left out."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0), known.astype(np.float64), blocks)


def ratio(above: Array, below: Array, blocks: NDArray[np.intp]) -> Figure:
    """The quotient of two sums, its interval over blocks by linearisation (Cochran 1977, section 6.3).

    Parameters
    ----------
    above, below
        The terms of the two sums.
    blocks
        The number of the block of each row, from 0; blocks without rows do not count.

    Examples
    --------
    >>> print(ratio(np.array([1.0, 2.0, 3.0]), np.ones(3), np.arange(3)))
    2.000 ±2.484
    """
    a, b = np.bincount(blocks, above), np.bincount(blocks, below)
    if not b.sum():
        return Figure(np.nan, np.nan)
    value, n = a.sum() / b.sum(), len(np.unique(blocks))
    deviation = np.sqrt(((a - value * b) ** 2).sum() / max(n - 1, 1))
    return Figure(float(value), margin(float(deviation), n) * n / abs(float(b.sum())))


def calibration(sure: Array, right: Array) -> float:
    """Expected calibration error: mean distance of confidence and accuracy, over bins of equal width.

    Parameters
    ----------
    sure
        The probability of the most probable state, 0..1.
    right
        Whether it is the truth, 0..1: a share where states are tied.

    Source: Guo, Pleiss, Sun and Weinberger (2017), "On calibration of modern neural networks".

    Examples
    --------
    >>> calibration(np.array([0.75, 0.75, 0.75, 0.75]), np.array([1.0, 1.0, 1.0, 0.0]))
    0.0
    """
    bins = np.minimum((sure * BINS).astype(np.intp), BINS - 1)
    gaps = np.abs(np.bincount(bins, sure) - np.bincount(bins, right))
    return float(gaps.sum() / len(sure))
