"""How common each kind of player is at a table: the prior of a player, learned from the others there.

Players of one table are more alike than players of different tables. A kind is a dependence on the cards
(``hypotheses``): one for each power, and the players that ignore their cards. Its share has a Dirichlet
distribution around the prior, worth ``WORTH`` players; each other player counts once, divided among the kinds
by what its own hands say of it (empirical Bayes). Which style a player has within its kind, is not shared.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.actions.hypotheses import Hypotheses

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
        self._prior = self._by_kind(known.prior[None])[0]
        self._by_player: dict[str, Array] = {}
        self._sum = self._none = np.zeros_like(self._prior)

    def count(self, players: Sequence[str], weights: Array) -> None:
        """Count players by the probability of each hypothesis about them; their earlier counts are replaced.

        Parameters
        ----------
        players
            By name.
        weights
            float64, shape (players, hypotheses).
        """
        for player, shares in zip(players, self._by_kind(weights), strict=True):
            self._sum = self._sum + shares - self._by_player.get(player, 0.0)
            self._by_player[player] = shares

    def _by_kind(self, weights: Array) -> Array:
        """The sums of each row over the hypotheses of a kind."""
        rows, kinds = len(weights), int(self._kinds[-1]) + 1
        places = self._kinds + kinds * np.arange(rows)[:, None]
        sums = np.bincount(places.ravel(), np.ravel(weights), minlength=rows * kinds)
        return np.asarray(sums.reshape(rows, kinds), np.float64)

    def factors(self, players: Sequence[str]) -> Array:
        """By how much the other players of the table change the prior of each hypothesis about a player.

        Returns
        -------
        float64, shape (players, hypotheses)
            All 1 where no other player was observed.
        """
        own = np.array([self._by_player.get(player, self._none) for player in players])
        count = len(self._by_player) - np.array([[player in self._by_player] for player in players])
        shares = (WORTH * self._prior + np.maximum(self._sum - own, 0.0)) / (WORTH + count)
        ratio = np.divide(shares, self._prior, out=np.ones_like(shares), where=self._prior > 0)
        return np.asarray(ratio[:, self._kinds])
