"""CBR-BN-1, first reading: retrieved cases fill a part of the network (Unger 2011, section 4.1).

The table of the hand group given habits, position and action before the flop has few rows for many settings
of its parents. For each opponent its row is filled by the nearest showdowns; all other tables stay.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from baycarp.bn.inference import Inference
from baycarp.game import Observation
from baycarp.opponents.belief import Chances
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import STRUCTURE, observed
from baycarp.opponents.shown.model import NEAREST, ShownModel
from baycarp.opponents.shown.situations import Shown
from baycarp.rules.hand import GROUP_OF, GROUPS

__all__ = ["LocalTables"]

PSEUDO = 10.0
"""Pseudo-counts of the row, as of the tables of the network."""


class LocalTables(NetworkModel):
    """Beliefs of the network with local rows of the hand group.

    Parameters
    ----------
    inference
        The fitted network.
    shown
        The showdowns.
    nearest
        How many of them fill the row; all of them = a network without arcs into the hand group.
    adaptive
        Whether habits are counted.
    """

    def __init__(
        self, inference: Inference, shown: Shown, nearest: int = NEAREST, adaptive: bool = True
    ) -> None:
        super().__init__(inference, Weighted(), adaptive)
        self.cases = ShownModel(shown, nearest)

    def _ranges(
        self,
        observation: Observation,
        players: Sequence[str],
        evidence: Sequence[dict[str, str]],
        chances: tuple[Chances, Chances],
    ) -> list[Chances]:
        """The posterior of each player's holdings: later evidence counts as in the whole network."""
        held = super()._ranges(observation, players, evidence, chances)
        return [
            _normalised(weights * self.exchanged(each)[GROUP_OF])
            for weights, each in zip(held, evidence, strict=True)
        ]

    def exchanged(self, evidence: Mapping[str, str]) -> Chances:
        """By hand group: the local row over the network's, given what was observed before the flop."""
        before = {node: evidence[node] for node in observed(STRUCTURE, 0) if node in evidence}
        own = self.inference.posterior(before, ("HandGroup",))["HandGroup"]
        votes = self.cases.votes(before, 0).groups + PSEUDO / len(GROUPS)
        return np.asarray(votes / votes.sum() / own)


def _normalised(weights: Chances) -> Chances:
    return np.asarray(weights / weights.sum())
