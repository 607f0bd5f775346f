"""CBR-BN-2: a case retrieves a network, by its reliability (Pavon et al., in Unger 2011, section 4.2.4).

A case is a player that was watched: its habits, its number of showdowns, and as solution its own network. An
opponent is read by the network of the most reliable among the players of like habits. Where that one is
based on little, or the opponent's habits are, the pool of all players reads instead.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.learn import counts
from baycarp.bn.network import Network, Structure
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import TYPE_NODES
from baycarp.opponents.shown.situations import Shown, habits

__all__ = ["RELIABLE", "RetrievedNetwork", "columns_of", "networks_of"]

RELIABLE = 100.0
"""Showdowns of a player from which on its network is reliable; our choice, as are the other numbers."""

LIKE = 0.95
"""Players whose habits are at least as similar are candidates: 1 less the mean difference of five shares."""

HANDS = 50
"""Hands of an opponent from which on its habits are known."""

POOLED = 20.0
"""Pseudo-rows, of the pool, in each row of a player's tables."""


class RetrievedNetwork(NetworkModel):
    """Beliefs of the network that an opponent's habits retrieve.

    Parameters
    ----------
    inference
        The network of the pool.
    shown
        The showdowns of the players.
    reliability
        The least number of showdowns of a player whose network is used; infinite = the pool reads always.
    adaptive
        Whether habits are counted.
    """

    def __init__(
        self, inference: Inference, shown: Shown, reliability: float = RELIABLE, adaptive: bool = True
    ) -> None:
        super().__init__(inference, Weighted(), adaptive)
        self.reliability = reliability
        self._habits: NDArray[np.float64] = np.array([shares for shares, _ in shown.players])
        self._rows: NDArray[np.int64] = np.array([rows for _, rows in shown.players], np.int64)
        self._networks = _posteriors(inference.network, shown)

    def retrieved(self, player: str) -> int | None:
        """The number of the player whose network reads an opponent; None = the pool."""
        stats = self.statistics.of(player)
        if stats.hands < HANDS or not len(self._rows):
            return None
        alike = 1 - np.abs(self._habits - np.array(habits(stats))).mean(axis=1)
        reliable = np.where(alike >= LIKE, self._rows, -1)
        best = int(reliable.argmax())
        return best if reliable[best] >= max(self.reliability, 0) else None

    def posterior(self, player: str) -> HoldingPosterior:
        """By the network that the player's habits retrieve."""
        found = self.retrieved(player)
        return super().posterior(player) if found is None else self._networks[found]


@lru_cache(maxsize=8)
def _posteriors(pool: Network, shown: Shown) -> list[HoldingPosterior]:
    return [HoldingPosterior(Inference(network)) for network in networks_of(pool, shown)]


def networks_of(pool: Network, shown: Shown) -> list[Network]:
    """A network for each player: its own counts, and ``POOLED`` rows of the pool in each row of a table.

    Parameters
    ----------
    pool
        The network of all.
    shown
        The showdowns.
    """
    structure, found = pool.structure, []
    columns = columns_of(shown, structure)
    players = shown.bases[0].columns()["provenance"]["player"]
    for number in range(len(shown.players)):
        own = players == number
        met = counts(structure, {node: column[own] for node, column in columns.items()})
        tables = {node: met[node] + POOLED * pool.cpt(node) for node in structure.nodes}
        cpts = {node: table / table.sum(axis=-1, keepdims=True) for node, table in tables.items()}
        found.append(Network(structure, cpts))
    return found


def columns_of(shown: Shown, structure: Structure) -> dict[str, NDArray[np.int64]]:
    """The showdowns as codes of the network's nodes; -1 = not observed."""
    last = shown.bases[-1].columns()
    columns = {"HandGroup": last["solutions"].astype(np.int64)}
    for street, node in enumerate(TYPE_NODES):
        if node:
            columns[node] = shown.bases[street].columns()["provenance"]["type"].astype(np.int64)
    schema = shown.bases[-1].schema
    for feature, texts in zip(schema.symbols, last["symbols"], strict=True):
        places = {state: place for place, state in enumerate(structure.states[feature.name])}
        columns[feature.name] = np.array([places.get(str(text), -1) for text in texts], np.int64)
    for feature, values in zip(schema.numbers, last["numbers"], strict=True):
        whole = values == np.floor(values)  # the middle of two states = unknown
        columns[feature.name] = np.where(whole, values, -1).astype(np.int64)
    return columns
