"""The networks by style and by opponent as models: trained on other players, adapted while watching."""

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network, Structure, counts
from baycarp.game import Event, HandOver
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.statistics import PlayerStats, Statistics
from baycarp.opponents.network.topology import observed
from baycarp.rules import PlayerView, read
from baycarp.training.rows import row_of
from experiments.recipes.player_networks import PlayerNetworks

__all__ = ["ByPlayer"]


class ByPlayer:
    """A ``Watcher``: each player's network is its style's, or its own, which learns from the cards it shows.

    Parameters
    ----------
    fitted
        The networks.
    own
        Whether a player has a network of its own.
    """

    def __init__(self, fitted: PlayerNetworks, own: bool) -> None:
        self.fitted, self.own = fitted, own
        self._of_style = [HoldingPosterior(Inference(network)) for network in fitted.networks]
        self.sit()

    def sit(self) -> None:
        """Begin a session: nothing is known of any player."""
        self._statistics = Statistics()
        self._counts: dict[str, dict[str, NDArray[np.int64]]] = {}
        self._of_player: dict[tuple[str, int], HoldingPosterior] = {}

    def learn(self, event: Event) -> None:
        """Count the cards that were shown, each with its player's actions."""
        if not self.own or not isinstance(event, HandOver):
            return
        observation, structure = event.observation, self._structure
        for position, name in enumerate(observation.players):
            view = PlayerView(observation, position, self._statistics.of(name))
            if view.hole and position in observation.state.seats_in:
                states = row_of(view, 4, (structure,)).states
                new = counts(structure, [states])
                old = self._counts.get(name)
                self._counts[name] = {node: old[node] + new[node] for node in new} if old else new
                for style in range(len(self._of_style)):
                    self._of_player.pop((name, style), None)
        self._statistics.observe(event)

    def __call__(self, view: PlayerView, street: int) -> NDArray[np.float64]:
        """The belief; see ``queries.Model``."""
        readings = read(view, observed(self._structure, street))
        evidence = {name: str(state) for name, state in readings.items()}
        return self._holdings(view)(evidence, view.observation.board, street)

    def network(self, view: PlayerView) -> Network:
        """The network by which a player is judged now."""
        return self._holdings(view).inference.network

    @property
    def _structure(self) -> Structure:
        return self.fitted.networks[0].structure

    def _holdings(self, view: PlayerView) -> HoldingPosterior:
        style = self.fitted.groups(view.habits if isinstance(view.habits, PlayerStats) else None)
        players = view.observation.players
        name = players[view.position] if players else ""
        if name not in self._counts:
            return self._of_style[style]
        if (name, style) not in self._of_player:
            network = self.fitted.of_player(style, self._counts[name])
            self._of_player[name, style] = HoldingPosterior(Inference(network))
        return self._of_player[name, style]

    def __reduce__(self) -> tuple[type["ByPlayer"], tuple[PlayerNetworks, bool]]:
        return ByPlayer, (self.fitted, self.own)
