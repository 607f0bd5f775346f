"""What figures say: means and shares with their 95 % intervals."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rate", "Share", "Sum", "interval"]

Z = 1.96
"""Standard errors on either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean with its 95 % interval: ``mean`` +- ``margin`` in ``unit`` over ``n`` hands."""

    mean: float
    margin: float
    n: int
    unit: str = "sb/h"

    def __str__(self) -> str:
        return f"{self.mean:+.3f} +-{self.margin:.3f} {self.unit}"


def interval(blocks: NDArray[np.floating], hands: int = 1, unit: str = "sb/h") -> Rate:
    """The mean of what blocks of ``hands`` hands won a hand, with its normal 95 % interval over blocks.

    Parameters
    ----------
    blocks
        What each block won a hand, in ``unit``.

    Examples
    --------
    >>> print(interval(np.array([1.0, 3.0, 2.0, 2.0]), 2))
    +2.000 +-0.800 sb/h
    """
    n = len(blocks)
    mean = float(blocks.mean()) if n else math.nan
    margin = Z * float(blocks.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Rate(mean, margin if n else math.nan, n * hands, unit)


@dataclass(frozen=True, slots=True)
class Sum:
    """Chips won in hands of one kind: as many sums as add up have one mean and one interval.

    Parameters
    ----------
    hands
        Their number.
    chips, squares
        The sums of what each won, and of its square.

    Examples
    --------
    >>> print((Sum.of(6) + Sum.of(-2) + Sum.of(2)).rate(small_bet=2))
    +1.000 +-2.263 sb/h
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

    def rate(self, small_bet: int) -> Rate:
        """Small bets won in such a hand, with the normal 95 % interval over them."""
        n = self.hands
        if n == 0:
            return Rate(math.nan, math.nan, 0)
        if n == 1:
            return Rate(self.chips / small_bet, math.inf, 1)
        spread = n * self.squares - self.chips * self.chips  # n (n - 1) times the variance, in whole numbers
        return Rate(self.chips / n / small_bet, Z * math.sqrt(spread / (n - 1)) / n / small_bet, n)


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
        z2 = Z * Z / self.of
        centre = (self.value + z2 / 2) / (1 + z2)
        margin = math.sqrt(self.value * (1 - self.value) * z2 + z2 * z2 / 4) / (1 + z2)
        return max(0.0, centre - margin), min(1.0, centre + margin)
