"""How far a network is believed about each player: its belief has to be earned at showdowns.

A network that was trained on some players may be wrong about others. Three sources of the belief about a
player's hand group are weighed:

    network      the network of Unger (2011), without the player's statistics of earlier hands
    statistics   the same with them, as in the thesis
    deal         every holding alike: the player's actions carry no information about its cards

Cards that a player shows move its weights by Bayes. After each showdown a small part of the weight returns
to the prior, so that the weights follow a change of style (as in ``adapt``). That a belief is earned is our
choice: heads-up most statistics are outside those of the trained full tables, where rows are uniform over
groups, and the thesis' range is then groups 1 to 4, the best holdings, for the loosest players.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.opponents.network.topology import AGGRESSION, observed
from baycarp.rules.hand import GROUP_OF, GROUPS

__all__ = ["DEAL", "HABITS", "SOURCES", "STATISTICS", "Earned", "without_statistics"]

Array = NDArray[np.float64]

HABITS = ("VPIP", "PFR")
"""The nodes of the statistics of earlier hands before the flop."""

STATISTICS = (*HABITS, *AGGRESSION.values())
"""The nodes of all statistics of earlier hands."""

SOURCES = ("network", "statistics", "deal")

PRIOR: Array = np.array([0.85, 0.1, 0.05])
"""The weight of each source about a new player; our choice."""

CHANGE = 0.01
"""The part of the weights that returns to the prior at each showdown; our choice."""

KEPT = 8192
"""Posteriors that are kept, at most; some 1.4 KB each."""

_STATISTICS = frozenset(STATISTICS)

DEAL: Array = np.bincount(GROUP_OF, minlength=len(GROUPS)) / len(GROUP_OF)
"""The probability of each hand group by the deal."""


class Earned:
    """The weights of the sources for each player, by name.

    Parameters
    ----------
    inference
        The fitted network.
    """

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        first = observed(inference.network.structure, 0)
        self._first, self._acted = first, frozenset(first) - {*STATISTICS}
        self._weights: dict[str, Array] = {}
        self._known: dict[tuple[str, ...], Array] = {}

    def weights(self, player: str) -> Array:
        """The weight of each source; float64, shape (3,), in the order of ``SOURCES``; sums to 1."""
        return self._weights.get(player, PRIOR)

    def sources(self, evidence: Mapping[str, str]) -> Array:
        """The probability of each hand group by each source; float64, shape (3, 10).

        Parameters
        ----------
        evidence
            The observations of the player: node -> state.
        """
        if self._acted <= evidence.keys():  # the actions after the flop then change nothing
            evidence = {node: evidence[node] for node in self._first if node in evidence}
        key = (*evidence, *evidence.values())
        if key not in self._known:
            read = (without_statistics(evidence), evidence)
            posteriors = [self.inference.posterior(each, ("HandGroup",))["HandGroup"] for each in read]
            self._keep(key, np.stack([*posteriors, DEAL]))
        return self._known[key]

    def learn(self, player: str, evidence: Mapping[str, str], holding: int) -> None:
        """Update the weights of a player by cards that it showed.

        Parameters
        ----------
        evidence
            The observations of the player in the hand, its statistics those of earlier hands.
        holding
            The index of its hole cards.
        """
        weights = self.weights(player) * self.sources(evidence)[:, GROUP_OF[holding]]
        self._weights[player] = (1 - CHANGE) * weights / weights.sum() + CHANGE * PRIOR

    def types(self, node: str, evidence: Mapping[str, str]) -> Array:
        """The probability of each hand type at a node, given each hand group; float64, shape (10, 17).

        Parameters
        ----------
        node
            The hand type of the street.
        evidence
            The observations of the player; its statistics are not used, since the groups have them.
        """
        acted = without_statistics(evidence)
        key = (node, *acted, *acted.values())
        if key not in self._known:
            self._keep(key, self._by_group(node, acted))
        return self._known[key]

    def _by_group(self, node: str, acted: Mapping[str, str]) -> Array:
        """The probability of each hand type given each hand group."""
        states = self.inference.network.structure.states
        given = [states[name].index(state) for name, state in acted.items()]
        rows = np.array([[*given, group] for group in range(len(GROUPS))], np.int64)
        return self.inference.plan((*acted, "HandGroup"), (node,)).posteriors(rows)[node]

    def _keep(self, key: tuple[str, ...], found: Array) -> None:
        if len(self._known) >= KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[key] = found


def without_statistics(evidence: Mapping[str, str]) -> dict[str, str]:
    """The observations of the hand itself."""
    return {node: state for node, state in evidence.items() if node not in _STATISTICS}
