"""When to stop: a test that may be evaluated after every deal and keeps its rate of error.

The interval of a fixed number of deals, evaluated repeatedly, sooner or later excludes zero for two equal
players. A confidence sequence holds at all times together (Robbins 1970; the asymptotic form of Waudby-Smith,
Arbour, Sinha, Kennedy, Ramdas 2021): with probability 1 - alpha the true mean never leaves

    mean +- s sqrt(2 (n r + 1) / (n^2 r) log(sqrt(n r + 1) / alpha)),    s the standard deviation.

``r`` sets the number of deals at which it is tightest.
"""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import TableError, brief

__all__ = ["Until", "anytime_margin"]

TIGHTEST = 5000
"""Deals at which the sequence is about tightest; our choice."""
LEAST = 100
"""Deals before the first result: the sequence relies on the central limit theorem."""

_UNTIL = re.compile(
    r"\s*+([^>@]+?)(?<!\s)\s*+>\s*+([^>@]+?)(?<!\s)\s*+(?:@\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*%\s*)?"
)


def anytime_margin(n: int, deviation: float, alpha: float = 0.05, tightest: int = TIGHTEST) -> float:
    """Half the width of the confidence sequence after ``n`` blocks.

    Examples
    --------
    >>> fixed = 1.96 / 5000**0.5
    >>> round(anytime_margin(5000, 1.0) / fixed, 2)
    1.55
    """
    if n < 2:
        return math.inf
    log = -2 * math.log(alpha)
    r = (log + math.log(log + 1)) / tightest
    scale = 2 * (n * r + 1) / (n * n * r) * math.log(math.sqrt(n * r + 1) / alpha)
    return deviation * math.sqrt(scale)


@dataclass(frozen=True, slots=True)
class Until:
    """``A>B @95%``: play until it is clear at this level whether A wins more than B, or less.

    Examples
    --------
    >>> Until.parse("karma>jake @99%")
    Until(one='karma', other='jake', level=0.99)
    """

    one: str
    other: str
    level: float = 0.95

    @classmethod
    def parse(cls, text: str) -> "Until":
        """Read ``A>B`` or ``A>B @95%``.

        Raises
        ------
        TableError
            Anything else, the same player twice, or a level that is not between 50 % and 100 %.
        """
        match = _UNTIL.fullmatch(text)
        level = float(match[3] or 95) / 100 if match else 0.0
        if match is None or match[1] == match[2] or not 0.5 < level < 1:
            raise TableError(
                f"until {brief(text)}: expected 'A>B @95%' of two, with a level between 50 and 100 %"
            )
        return cls(match[1], match[2], level)

    def settled(self, differences: NDArray[np.float64]) -> bool:
        """Whether the differences A - B, block by block, decide the condition."""
        n = len(differences)
        if n < LEAST:
            return False
        margin = anytime_margin(n, float(differences.std(ddof=1)), 1 - self.level)
        return abs(float(differences.mean())) > margin
