"""How much is known against the blueprint: exploitation as far as it is earned.

The blueprint is a hypothesis about every opponent, beside its model. Each finished hand moves the odds by the
probabilities that both give to its acts, and to a holding that it shows, to the power by which the models
are updated, too (``opponents.reliance.Confidence.actions``). Between hands a small part of the
probability returns to the prior. An opponent that plays the blueprint cannot raise the odds by luck for long:
the ratio of two probabilities is a martingale under the one that is true.
"""

from math import exp, log

import numpy as np
from numpy.typing import NDArray

__all__ = ["Evidence"]

PRIOR = 0.95
"""The probability that an unknown opponent plays the blueprint."""

CHANGE = 0.002
"""The part of the probability that returns to the prior after every hand."""

POWER = 0.5
"""The power of the probability of a hand."""

MOST = 3.0
"""The greatest change of the log odds by one hand, so that no single one decides."""

Array = NDArray[np.float64]


class Evidence:
    """The probability, by name, that an opponent plays something else than the blueprint.

    Examples
    --------
    >>> evidence = Evidence()
    >>> evidence.earned("Ann")
    0.0
    >>> for _ in range(20):
    ...     evidence.learn("Ann", np.full(1326, 0.1), np.full(1326, 0.5), np.ones(1326))
    >>> evidence.earned("Ann") > 0.9
    True
    """

    def __init__(self) -> None:
        self._blueprint: dict[str, float] = {}

    def earned(self, player: str) -> float:
        """The share, 0..1, of the prior probability of the blueprint that evidence has taken away."""
        return max(0.0, 1 - self._blueprint.get(player, PRIOR) / PRIOR)

    def learn(self, player: str, blueprint: Array, model: Array, held: Array) -> None:
        """Learn from a finished hand.

        Parameters
        ----------
        player
            The opponent.
        blueprint, model
            The probability of its acts given each holding; float64, shape (1326,), above 0 where ``held`` is.
        held
            The holdings that it may have had: weights, shape (1326,); one alone that it showed.
        """
        ratio = log(float(held @ blueprint)) - log(float(held @ model))
        moved = max(-MOST, min(MOST, POWER * ratio))
        before = self._blueprint.get(player, PRIOR)
        odds = before / (1 - before) * exp(moved)
        self._blueprint[player] = (1 - CHANGE) * odds / (1 + odds) + CHANGE * PRIOR
