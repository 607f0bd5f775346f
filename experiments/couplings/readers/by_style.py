"""The thesis' network of each style of player, and of each opponent (Unger 2011, section 9.1), as a reader.

An opponent's habits choose the network of a style; its own rows of showdowns at the table may change it
(``experiments.beliefs.player_networks``).
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from baycarp.bn import Inference, Network, io
from baycarp.bn.learn import counts
from baycarp.files import read_arrays, write_arrays
from baycarp.game import Event, HandOver, Observation
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.rules import PlayerView
from baycarp.training.rows import row_of
from experiments.beliefs.backoff_levels import BackoffLevel
from experiments.beliefs.player_networks import HabitGroups, PlayerNetworks

__all__ = ["FIRST", "ByStyle", "load_styles", "save_styles"]

FIRST = 8
"""Showdowns of an opponent after which its own network is made; again whenever they have doubled."""

GROUPS, LEVELS = "groups.npz", "levels.npz"


class ByStyle(NetworkModel):
    """Beliefs of the network of an opponent's style, or of its own.

    Parameters
    ----------
    known
        The networks of the styles.
    adaptive
        Whether habits and showdowns are counted; otherwise every player is one of mean habits.
    own
        Whether an opponent's showdowns make a network of its own.
    """

    def __init__(self, known: PlayerNetworks, adaptive: bool = True, own: bool = True) -> None:
        super().__init__(Inference(known.networks[known.groups(None)]), Weighted(), adaptive)
        self.known, self.own = known, own
        self.shown: dict[str, list[dict[str, str]]] = {}
        self._own: dict[str, HoldingPosterior] = {}

    def posterior(self, player: str) -> HoldingPosterior:
        """The weights by the network of a player, or of its style."""
        if player in self._own:
            return self._own[player]
        return _posterior(self.known.networks[self.known.groups(self.statistics.of(player))])

    def learn(self, event: Event) -> None:
        """Keep the cards that were shown; count every player's actions."""
        if self.own and self.adaptive and isinstance(event, HandOver) and event.observation.players:
            self._learn(event.observation)
        super().learn(event)

    def _learn(self, observation: Observation) -> None:
        structure, inside = self.inference.network.structure, observation.state.seats_in
        for position in inside if len(inside) > 1 else ():
            name = observation.players[position]
            view = PlayerView(observation, position, self.statistics.of(name))
            if not view.hole or position == observation.seat:
                continue
            rows = self.shown.setdefault(name, [])
            rows.append(row_of(view, 4, (structure,)).states)
            if len(rows) >= FIRST and len(rows).bit_count() == 1:
                style = self.known.groups(view.habits)  # type: ignore[arg-type]
                network = self.known.of_player(style, counts(structure, rows))
                self._own[name] = HoldingPosterior(Inference(network))


@lru_cache(maxsize=8)
def _posterior(network: Network) -> HoldingPosterior:
    return HoldingPosterior(Inference(network))


def save_styles(known: PlayerNetworks, folder: Path) -> None:
    """Write the networks of the styles, the groups of habits, and the levels of a player's own tables."""
    folder.mkdir(parents=True, exist_ok=True)
    for style, network in enumerate(known.networks):
        io.save(network, folder / f"style-{style}.npz")
    groups = known.groups
    write_arrays(folder / GROUPS, {"mean": groups.mean, "spread": groups.spread, "centres": groups.centres})
    levels = {
        f"{node} {place}": np.array([each.strength, *each.kept])
        for node, several in known.own.items()
        for place, each in enumerate(several)
    }
    write_arrays(folder / LEVELS, levels)


@lru_cache(maxsize=2)
def load_styles(folder: Path) -> PlayerNetworks:
    """Read what ``save_styles`` wrote; a process reads a folder once."""
    groups = HabitGroups(**read_arrays(folder / GROUPS))
    networks = tuple(io.load(folder / f"style-{style}.npz") for style in range(len(groups.centres)))
    own: dict[str, tuple[BackoffLevel, ...]] = {}
    for name, row in read_arrays(folder / LEVELS).items():
        node = name.split()[0]
        own[node] = (*own.get(node, ()), BackoffLevel(tuple(map(int, row[1:])), float(row[0])))
    return PlayerNetworks(groups, networks, own)
