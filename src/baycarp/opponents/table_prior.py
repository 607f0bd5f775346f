"""How common each kind of player is at a table: the prior of a player, learned from the others there.

Players of one table are more alike than players of different tables. A kind is a dependence on the cards
(``hypotheses``): one for each power, and the players that ignore their cards. Its share has a Dirichlet
distribution around the prior, worth ``WORTH`` players; each other player counts once, divided among the kinds
by what its own hands say of it (empirical Bayes). Which style a player has within its kind, is not shared.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.hypotheses import Hypotheses

__all__ = ["WORTH", "TablePrior"]

Array = NDArray[np.float64]

WORTH = 1.0
"""The weight in players of the prior of the kinds."""


class TablePrior:
    """The kinds of the players that were observed at a table.

    Parameters
    ----------
    known
        The hypotheses about a player.
    """

    def __init__(self, known: Hypotheses) -> None:
        self._kinds = known.kinds
        self._prior = self._by_kind(known.prior)
        self._by_player: dict[str, Array] = {}
        self._sum = np.zeros_like(self._prior)

    def count(self, player: str, weights: Array) -> None:
        """Count a player by the probability of each hypothesis about it; its earlier count is replaced."""
        shares = self._by_kind(weights)
        self._sum = self._sum + shares - self._by_player.get(player, 0.0)
        self._by_player[player] = shares

    def _by_kind(self, weights: Array) -> Array:
        return np.bincount(self._kinds, weights).astype(np.float64)

    def factor(self, player: str) -> Array:
        """By how much the other players of the table change the prior of each hypothesis about a player.

        Returns
        -------
        float64, shape (hypotheses,)
            All 1 where no other player was observed.
        """
        others = np.maximum(self._sum - self._by_player.get(player, 0.0), 0.0)
        count = len(self._by_player) - (player in self._by_player)
        shares = (WORTH * self._prior + others) / (WORTH + count)
        ratio = np.divide(shares, self._prior, out=np.ones_like(shares), where=self._prior > 0)
        return np.asarray(ratio[self._kinds])
