"""Means and shares with their 95 % intervals."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Z95", "Rate", "Share", "Sum", "interval", "margin", "mean_by_hand", "quantile"]

Z95 = 1.959964
"""Standard errors on either side of a 95 % interval: the normal distribution's."""

FEW = (12.706205, 4.302653, 3.182446)
"""The same with one, two and three degrees of freedom: Student's."""

ALIKE = 30
"""Fewer equal values than these give no estimate of a spread."""


def quantile(freedom: int) -> float:
    """Standard errors on either side of a 95 % interval whose deviation is estimated: Student's t.

    Parameters
    ----------
    freedom
        Degrees of freedom, at least 1. Above three by the expansion of Abramowitz and Stegun (1964), 26.7.5,
        to 0.0009.

    Examples
    --------
    >>> round(quantile(9), 3), round(quantile(1000), 3)
    (2.262, 1.962)
    """
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    square = Z95 * Z95
    terms = (
        (square + 1) / 4,
        (5 * square**2 + 16 * square + 3) / 96,
        (3 * square**3 + 19 * square**2 + 17 * square - 15) / 384,
        (79 * square**4 + 776 * square**3 + 1482 * square**2 - 1920 * square - 945) / 92160,
    )
    return Z95 + Z95 * sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def margin(deviation: float, n: int) -> float:
    """Half of the 95 % interval of a mean of ``n`` values with this standard deviation.

    It is nan, which is unknown, of one value and of a few that are all alike.
    """
    if n < 2 or (deviation == 0 and n < ALIKE):
        return math.nan
    return quantile(n - 1) * deviation / math.sqrt(n)


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean with its 95 % interval: ``mean`` +- ``margin`` in ``unit`` over ``n`` hands; nan = unknown."""

    mean: float
    margin: float
    n: int
    unit: str = "sb/h"

    def __str__(self) -> str:
        return f"{self.cell()} {self.unit}"

    def cell(self, digits: int = 3) -> str:
        """The text of a table cell.

        Examples
        --------
        >>> Rate(0.0561, 0.0204, 900).cell(), Rate(0.5, math.nan, 1).cell(1)
        ('+0.056 ± 0.020', '+0.5 ± -')
        """
        if math.isnan(self.mean):
            return "-"
        margin = "-" if math.isnan(self.margin) else f"{self.margin:.{digits}f}"
        return f"{self.mean:+.{digits}f} ± {margin}"

    def to_dict(self) -> dict[str, float]:
        """The rate as JSON values."""
        return {"mean": self.mean, "margin": self.margin, "hands": self.n}


def interval(blocks: NDArray[np.floating], hands: int = 1, unit: str = "sb/h") -> Rate:
    """The win rate over blocks of ``hands`` hands, with its 95 % interval over blocks.

    Parameters
    ----------
    blocks
        The winnings of each block a hand, in ``unit``.

    Examples
    --------
    >>> print(interval(np.array([1.0, 3.0, 2.0, 2.0]), 2))
    +2.000 ± 1.299 sb/h
    """
    n = len(blocks)
    mean = float(blocks.mean()) if n else math.nan
    deviation = float(blocks.std(ddof=1)) if n > 1 else math.nan
    return Rate(mean, margin(deviation, n), n * hands, unit)


@dataclass(frozen=True, slots=True)
class Sum:
    """Chips won in hands of one kind; sums can be added, and give a mean with its interval.

    Parameters
    ----------
    hands
        Their number.
    chips, squares
        The sums of what each won, and of its square.

    Examples
    --------
    >>> print((Sum.of(6) + Sum.of(-2) + Sum.of(2)).rate(small_bet=2))
    +1.000 ± 4.968 sb/h
    """

    hands: int = 0
    chips: int = 0
    squares: int = 0

    @classmethod
    def of(cls, chips: int) -> "Sum":
        """The sum of one hand."""
        return cls(1, chips, chips * chips)

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(self.hands + other.hands, self.chips + other.chips, self.squares + other.squares)

    def rate(self, small_bet: float) -> Rate:
        """Small bets won in such a hand, with the 95 % interval over them."""
        n = self.hands
        if n == 0:
            return Rate(math.nan, math.nan, 0)
        spread = n * self.squares - self.chips * self.chips  # n (n - 1) times the variance, in whole numbers
        deviation = math.sqrt(spread / n / max(n - 1, 1)) / small_bet
        return Rate(self.chips / n / small_bet, margin(deviation, n), n)


@dataclass(frozen=True, slots=True)
class Share:
    """A count of its opportunities.

    Parameters
    ----------
    count, of
        Whole numbers; ``of`` may be 0, and there is then no value.
    """

    count: int
    of: int

    def __str__(self) -> str:
        return f"{self.count}/{self.of}"

    @property
    def value(self) -> float:
        """0..1, nan without an opportunity."""
        return self.count / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the probability (Wilson 1927): (0, 1) without an opportunity.

        Examples
        --------
        >>> [round(bound, 3) for bound in Share(0, 10).interval]
        [0.0, 0.278]
        """
        if not self.of:
            return 0.0, 1.0
        z2 = Z95 * Z95 / self.of
        centre = (self.value + z2 / 2) / (1 + z2)
        margin = math.sqrt(self.value * (1 - self.value) * z2 + z2 * z2 / 4) / (1 + z2)
        return max(0.0, centre - margin), min(1.0, centre + margin)


def mean_by_hand(losses: NDArray[np.float64], hands: NDArray[np.int64]) -> tuple[float, float]:
    """Mean and 95 % margin of losses, clustered by hand.

    Examples
    --------
    >>> mean_by_hand(np.array([1.0, 1.0, 3.0, 3.0]), np.array([0, 0, 1, 1]))[0]
    2.0
    """
    if not len(losses):
        return np.nan, np.nan
    _, hand = np.unique(hands, return_inverse=True)
    mean = float(losses.mean())
    off = np.bincount(hand, losses - mean)
    return mean, margin(float(np.sqrt((off**2).mean())), len(off)) * len(off) / len(losses)
