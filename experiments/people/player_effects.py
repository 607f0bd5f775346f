"""Offsets of the log odds of a yes, learned online: a logistic regression with random effects of players.

A decision has some keys, such as a player in a situation. Each key has an effect with a normal prior about 0;
effects are added to the log odds that a model of all players gives. After each outcome, the mean and variance
of the effects are updated by a step of assumed-density filtering that keeps them independent. A key with few
decisions has an effect near 0, whose variance flattens the prediction.
Source: MacKay (1992), The evidence framework applied to classification networks, for the moderated output.
"""

import math
from collections.abc import Sequence

__all__ = ["Effects", "moderated"]


class Effects:
    """The effects of all keys so far.

    Parameters
    ----------
    variances
        The prior variance of the effect of each place in a decision's keys.
    """

    def __init__(self, variances: Sequence[float]) -> None:
        self._variances = tuple(variances)
        self._found: dict[int, tuple[float, float]] = {}

    def offset(self, keys: Sequence[int], places: int | None = None) -> tuple[float, float]:
        """The mean and the variance of the sum of the effects, of the first places only if there is a number.

        Keys of different places must differ.
        """
        found = [self._found.get(key, (0.0, prior)) for key, prior in zip(keys, self._variances, strict=True)]
        found = found[:places]
        return sum(mean for mean, _ in found), sum(variance for _, variance in found)

    def learn(self, keys: Sequence[int], margin: float, yes: bool) -> None:
        """Update the effects by an outcome whose log odds were ``margin`` without them."""
        mean, variance = self.offset(keys)
        chance = moderated(margin + mean, variance)
        curvature = chance * (1 - chance)
        scale = 1 / (1 + curvature * variance)
        slope, curvature = (yes - chance) * scale, curvature * scale
        for key, prior in zip(keys, self._variances, strict=True):
            before, wide = self._found.get(key, (0.0, prior))
            self._found[key] = before + wide * slope, wide - wide * wide * curvature


def moderated(mean: float, variance: float) -> float:
    """The probability of a yes whose log odds are normal, about: MacKay's approximation."""
    return 1 / (1 + math.exp(-mean / math.sqrt(1 + math.pi * variance / 8)))
