"""Gambler's reading as a belief: every player is taken to play by its networks."""

import numpy as np
from numpy.typing import NDArray

from baycarp.game.event import Event
from baycarp.opponents.gambler.model import GamblerModel
from baycarp.opponents.gambler.reverse import Networks
from baycarp.rules import PlayerView

__all__ = ["SeatedGambler"]


class SeatedGambler:
    """The reading of all players, updated by a seated player's observations: ``Watcher``.

    Parameters
    ----------
    networks
        The networks that a new player is taken to play by; by default our tables.
    learning
        Whether biases and the tables of each player are learned.
    """

    def __init__(self, networks: Networks | None = None, learning: bool = True) -> None:
        self.networks, self.learning = networks or Networks.ours(), learning
        self.sit()

    def sit(self) -> None:
        """Begin a session without profiles of players."""
        self._known = GamblerModel(self.networks, self.learning)

    def learn(self, event: Event) -> None:
        """Learn from a finished hand."""
        self._known.learn(event)

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``decision_points.Model``."""
        return self._known.posterior(view.observation, view.position)

    def __reduce__(self) -> tuple[type["SeatedGambler"], tuple[Networks, bool]]:
        return SeatedGambler, (self.networks, self.learning)
