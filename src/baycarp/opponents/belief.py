"""What we believe of each opponent: the thesis' network, asked with what he did (Unger 2011, section 5.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.plan import Inference
from baycarp.card import blocked_by
from baycarp.game.state import Observation
from baycarp.opponents.holdings import Holdings
from baycarp.opponents.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.opponents.topology import OBSERVED, PARENTS, STRUCTURE, TYPE_NODES, observed
from baycarp.rules import PlayerView, read
from baycarp.rules.hand import GROUPS, TYPES

__all__ = [
    "LEAST",
    "OBSERVED",
    "PARENTS",
    "STRUCTURE",
    "TYPE_NODES",
    "Belief",
    "RangeRule",
    "believe",
    "mean_types",
    "suppose",
]

RangeRule: TypeAlias = TopGroups | GroupsTo | Pruned | Weighted
"""How what the network says becomes a range."""

LEAST = 0.01
"""What has this probability or more could have been seen."""


@dataclass(frozen=True, slots=True)
class Belief:
    """One opponent, as the network sees him now.

    Parameters
    ----------
    position, player
        His position and name.
    evidence
        What was observed of him: node -> state.
    groups
        Probability of each hand group.
    types
        Probability of each hand type on this street; empty pre-flop.
    weights
        The range that follows: float64, shape (1326,), known cards removed.
    """

    position: int
    player: str
    evidence: dict[str, str]
    groups: dict[str, float]
    types: dict[str, float]
    weights: NDArray[np.float64]


def believe(inference: Inference, view: PlayerView, rule: RangeRule, player: str = "") -> Belief:
    """Ask the network about one opponent with everything that he has shown so far.

    Parameters
    ----------
    inference
        The fitted network.
    view
        The opponent, in the eyes of the one who asks: his own cards are known, the opponent's are not.
    rule
        Which hand groups make the range.
    player
        The opponent's name, for the record.

    Raises
    ------
    EvidenceError
        The network holds what was seen to be impossible.
    """
    names = observed(inference.network.structure, view.observation.street)
    evidence = {name: str(state) for name, state in read(view, names).items()}
    return suppose(inference, evidence, view.observation, rule, view.position, player)


def suppose(
    inference: Inference,
    evidence: dict[str, str],
    table: Observation,
    rule: RangeRule,
    position: int,
    player: str = "",
) -> Belief:
    """What would be believed of an opponent had this been seen of him, on the same board.

    Parameters
    ----------
    inference, rule, player
        As in ``believe``.
    evidence
        What was seen: node -> state.
    table, position
        The hand, in the eyes of the one who believes; the opponent's position.
    """
    node = TYPE_NODES[table.street]
    posterior = inference.posterior(evidence, ("HandGroup", node) if node else ("HandGroup",))
    groups = dict(zip(GROUPS, posterior["HandGroup"].tolist(), strict=True))
    types = dict(zip(TYPES, posterior[node].tolist(), strict=True)) if node else {}
    weights = _range(inference, rule, table, evidence, groups, types)
    return Belief(position, player, evidence, groups, types, weights)


def _range(
    inference: Inference,
    rule: RangeRule,
    table: Observation,
    evidence: dict[str, str],
    groups: dict[str, float],
    types: dict[str, float],
) -> NDArray[np.float64]:
    if isinstance(rule, Pruned):
        return rule(groups, table.board, types, table.hole)
    if not isinstance(rule, Weighted):
        return rule(groups, (*table.hole, *table.board))
    weights = _holdings(inference)(evidence, table.board, table.street)
    weights[blocked_by(table.hole)] = 0.0
    return weights


@lru_cache(maxsize=8)
def _holdings(inference: Inference) -> Holdings:
    """One a network: it keeps what it has been asked."""
    return Holdings(inference)


def mean_types(beliefs: Mapping[int, Belief]) -> dict[str, float]:
    """The mean of the opponents' hand-type posteriors, likeliest first: what several opponents add up to.

    That the combined runs of the network (Unger 2011, section 5.3.4) are averaged is our choice.
    """
    every = [belief.types for belief in beliefs.values() if belief.types]
    if not every:
        return {}
    mean = {name: sum(types[name] for types in every) / len(every) for name in TYPES}
    return dict(sorted(mean.items(), key=lambda item: -item[1]))
