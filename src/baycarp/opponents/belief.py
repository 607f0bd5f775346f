"""The belief about an opponent: the thesis' network's posterior given its acts (Unger 2011, section 5.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.card import blocked_by
from baycarp.game.state import Observation
from baycarp.opponents.holdings import Holdings
from baycarp.opponents.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.opponents.topology import OBSERVED, PARENTS, STRUCTURE, TYPE_NODES, observed
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
    "believe",
    "evidence_of",
    "mean_types",
    "range_of",
    "suppose",
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


def believe(inference: Inference, view: PlayerView, rule: RangeRule, player: str = "") -> Belief:
    """Compute the posterior about one opponent, given all that was observed of it so far.

    Parameters
    ----------
    inference
        The fitted network.
    view
        The opponent, from the observer's side: the observer's cards are known, the opponent's are not.
    rule
        Which hand groups make the range.
    player
        The opponent's name, for the record.

    Raises
    ------
    EvidenceError
        The evidence has probability 0.
    """
    evidence = evidence_of(inference, view, view.observation.street)
    return suppose(inference, evidence, view.observation, rule, view.position, player)


def evidence_of(inference: Inference, view: PlayerView, street: int) -> dict[str, str]:
    """What was observed of a player by the end of a street: node -> state."""
    names = observed(inference.network.structure, street)
    return cast(dict[str, str], read(view, names))  # nodes are readings of named states


def suppose(
    inference: Inference,
    evidence: dict[str, str],
    table: Observation,
    rule: RangeRule,
    position: int,
    player: str = "",
) -> Belief:
    """The belief about an opponent under other evidence, on the same board.

    Parameters
    ----------
    inference, rule, player
        As in ``believe``.
    evidence
        The other evidence: node -> state.
    table, position
        The observer's observation of the hand; the opponent's position.
    """
    node = TYPE_NODES[table.street]
    posterior = inference.posterior(evidence, ("HandGroup", node) if node else ("HandGroup",))
    groups, types = posterior["HandGroup"], posterior[node] if node else NONE
    weights = range_of(inference, rule, table, evidence, groups, types)
    return Belief(position, player, evidence, groups, types, weights)


def range_of(
    inference: Inference,
    rule: RangeRule,
    table: Observation,
    evidence: dict[str, str],
    groups: Chances,
    types: Chances,
) -> NDArray[np.float64]:
    """The range by a rule, given the evidence and the probabilities of groups and types; float64, (1326,)."""
    if isinstance(rule, Weighted):
        weights = _holdings(inference)(evidence, table.board, table.street)
        weights[blocked_by(table.hole)] = 0.0
        return weights
    if isinstance(rule, Pruned):
        return rule.weigh(groups.tolist(), types.tolist(), table.board, table.hole)
    return rule.weigh(groups.tolist(), (*table.hole, *table.board))


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
