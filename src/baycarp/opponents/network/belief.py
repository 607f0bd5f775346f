"""The belief about an opponent: the thesis' network's posterior given its acts (Unger 2011, section 5.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.card import blocked_by
from baycarp.game.state import Observation
from baycarp.opponents.network.holdings import Holdings
from baycarp.opponents.network.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.opponents.network.topology import OBSERVED, PARENTS, STRUCTURE, TYPE_NODES, observed
from baycarp.rules import PlayerView, read
from baycarp.rules.hand import GROUPS, TYPES

__all__ = [
    "LEAST",
    "NONE",
    "OBSERVED",
    "PARENTS",
    "STRUCTURE",
    "TYPE_NODES",
    "Belief",
    "Chances",
    "RangeRule",
    "evidence_of",
    "mean_types",
    "ranges",
]

RangeRule: TypeAlias = TopGroups | GroupsTo | Pruned | Weighted
"""How the posterior becomes a range."""

Chances: TypeAlias = NDArray[np.float64]

NONE: Chances = np.empty(0)
"""No probabilities: they are not computed, or there are no hand types yet."""

LEAST = 0.01
"""The least probability of a state that could have been observed."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The posterior about one opponent now.

    Parameters
    ----------
    position, player
        The opponent's position and name.
    evidence
        The observations of it: node -> state.
    group_chances
        Probability of each hand group, in the order of ``GROUPS``; float64, empty where none is computed.
    type_chances
        Probability of each hand type on this street, in the order of ``TYPES``; empty pre-flop.
    weights
        The range that follows: float64, shape (1326,), known cards removed.
    """

    position: int
    player: str
    evidence: dict[str, str]
    group_chances: Chances
    type_chances: Chances
    weights: NDArray[np.float64]

    @property
    def groups(self) -> dict[str, float]:
        """Probability of each hand group by name."""
        return dict(zip(GROUPS, self.group_chances.tolist(), strict=False))

    @property
    def types(self) -> dict[str, float]:
        """Probability of each hand type by name; empty pre-flop."""
        return dict(zip(TYPES, self.type_chances.tolist(), strict=False))


def evidence_of(inference: Inference, view: PlayerView, street: int) -> dict[str, str]:
    """What was observed of a player by the end of a street: node -> state."""
    names = observed(inference.network.structure, street)
    return cast(dict[str, str], read(view, names))  # nodes are readings of named states


def ranges(
    inference: Inference,
    rule: RangeRule,
    observation: Observation,
    evidence: Sequence[dict[str, str]],
    groups: Chances,
    types: Chances,
) -> list[NDArray[np.float64]]:
    """The range of each of several opponents by a rule.

    Parameters
    ----------
    inference
        The fitted network.
    rule
        How the posterior becomes a range.
    observation
        The observer's observation of the hand, whose cards are known.
    evidence
        The observations of each opponent: node -> state.
    groups, types
        By opponent, the probabilities of hand groups and hand types; shapes (opponents, 10) and
        (opponents, 17), or (opponents, 0) pre-flop.

    Returns
    -------
    list of float64 array, shape (1326,)
    """
    hole, board = observation.hole, observation.board
    if isinstance(rule, Weighted):
        weights = [_holdings(inference)(each, board, observation.street) for each in evidence]
        for each in weights:
            each[blocked_by(hole)] = 0.0
        return weights
    if isinstance(rule, Pruned):
        return rule.weigh_all(groups, types, board, hole)
    return rule.weigh_all(groups, (*hole, *board))


@lru_cache(maxsize=8)
def _holdings(inference: Inference) -> Holdings:
    """One for each network: it caches its posteriors."""
    return Holdings(inference)


def mean_types(beliefs: Mapping[int, Belief]) -> dict[str, float]:
    """The mean of the opponents' hand-type posteriors, likeliest first: what several opponents add up to.

    That the combined runs of the network (Unger 2011, section 5.3.4) are averaged is our choice.
    """
    every = [belief.type_chances for belief in beliefs.values() if len(belief.type_chances)]
    if not every:
        return {}
    mean = (sum(every[1:], every[0]) / len(every)).tolist()
    return dict(sorted(zip(TYPES, mean, strict=True), key=itemgetter(1), reverse=True))
