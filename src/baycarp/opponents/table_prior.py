"""How common each kind of player is at a table: the prior of a player, learned from the others there.

Players of one table are more alike than players of different tables. The probability of being blind and the
shares of the powers of each kind of action have Dirichlet distributions around the prior, worth ``WORTH``
players; each other player counts once, by what its own hands say of it (empirical Bayes). Which style a
player has is not shared.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.reliance import Confidence, Reliance

__all__ = ["WORTH", "TablePrior"]

Array = NDArray[np.float64]

WORTH = 1.0
"""The weight in players of the prior."""


class TablePrior:
    """The players that were observed at a table.

    Parameters
    ----------
    confidence
        The prior of a player of whom no other is known.
    """

    def __init__(self, confidence: Confidence) -> None:
        self._powers, self._blind = confidence.by_kind, confidence.blind
        self._by_player: dict[str | int, tuple[Array, float]] = {}
        self._sum: tuple[Array, float] = np.zeros_like(self._powers), 0.0

    def count(self, player: str | int, model: Reliance) -> None:
        """Count a player by what is known of it; its earlier count is replaced."""
        before = self._by_player.get(player, (0.0, 0.0))
        now = self._by_player[player] = model.powers, model.blind
        powers, blind = self._sum
        self._sum = powers + now[0] - before[0], blind + now[1] - before[1]

    def prior_of(self, player: str | int) -> tuple[Array, float]:
        """The priors of a player by the others, for ``Reliance.adjust``; an unknown one is none of them."""
        own = self._by_player.get(player)
        others = len(self._by_player) - (own is not None)
        powers, blind = self._sum
        if own is not None:
            powers, blind = np.maximum(powers - own[0], 0.0), max(blind - own[1], 0.0)
        weight = WORTH + others
        return (WORTH * self._powers + powers) / weight, (WORTH * self._blind + blind) / weight
