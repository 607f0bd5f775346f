"""The network as far as each player's showdowns support it, as a model: the belief of ``baycarp2``."""

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network
from baycarp.card import blocked_by
from baycarp.game import Event
from baycarp.opponents.network.earned import DEAL
from baycarp.opponents.network.model import EarnedNetwork, evidence_of
from baycarp.opponents.network.ranges import TopGroups
from baycarp.rules import PlayerView
from baycarp.rules.hand import GROUP_OF
from experiments.beliefs.moments import name_of

__all__ = ["SeatedNetwork"]


class SeatedNetwork:
    """The weights of each player, updated by a seated player's observations: ``Watcher``.

    Parameters
    ----------
    network
        Fitted.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.sit()

    def sit(self) -> None:
        """Begin a session without player models."""
        self._inference = Inference(self.network)
        self._known = EarnedNetwork(self._inference, TopGroups())

    def learn(self, event: Event) -> None:
        """Learn from a finished hand."""
        self._known.learn(event)

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``queries.Model``. Holdings of one hand group are equally probable."""
        earned = self._known.earned
        groups = earned.weights(name_of(view)) @ earned.sources(evidence_of(self._inference, view, street))
        held = np.where(blocked_by(view.observation.board), 0.0, (groups / DEAL)[GROUP_OF])
        return np.asarray(held / held.sum())

    def __reduce__(self) -> tuple[type["SeatedNetwork"], tuple[Network]]:
        return SeatedNetwork, (self.network,)
