"""The network of Unger (2011), section 5.3, as an opponent model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, TypeAlias, cast

import numpy as np

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.card import blocked_by, holding_index
from baycarp.game import Event, HandOver, Observation
from baycarp.opponents.belief import LEAST, NONE, Belief, Chances, short_digest
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.network.earned import STATISTICS, Earned, without_statistics
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.ranges import Pruned, RangeRule, TopGroups, Weighted
from baycarp.opponents.network.statistics import Statistics
from baycarp.opponents.network.topology import TYPE_NODES, observed
from baycarp.opponents.uniform import UniformModel
from baycarp.rules import PlayerView, read

__all__ = ["ByNetwork", "EarnedNetwork", "NetworkModel", "evidence_of"]

Evidence: TypeAlias = Sequence[dict[str, str]]
"""By player: node -> state."""

GroupsAndTypes: TypeAlias = tuple[Chances, Chances]
"""By player, the probabilities of hand groups and of hand types."""

TOP_FOUR = TopGroups(4)
"""The groups that make the range (Unger 2011, section 5.3.4)."""


@dataclass(frozen=True, slots=True)
class ByNetwork(OpponentModelSpec):
    """The network of Unger (2011), section 5.3; without a fitted one every holding is as likely as another.

    Parameters
    ----------
    rule
        How hand groups become a range; by default the four most probable (section 5.3.4).
    adaptive
        Whether it learns from finished hands; otherwise every player remains a new one.
    earned
        Whether the network's belief has to be earned by each player's showdowns (``earned``); otherwise it
        is taken as it is, as in the thesis.
    """

    rule: RangeRule = TOP_FOUR
    adaptive: bool = True
    earned: bool = False
    kind: ClassVar[str] = "network"
    needs_network: ClassVar[bool] = True

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        if inference is None:
            return UniformModel()
        return (EarnedNetwork if self.earned else NetworkModel)(inference, self.rule, self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of a digest of the rule and the network; empty without one."""
        return short_digest(f"{self.rule} {network.digest()}") if network is not None else ""


class NetworkModel(OpponentModel):
    """Beliefs of the thesis' network; habits are counted by name (Unger 2011, section 5.3).

    Parameters
    ----------
    inference
        The fitted network.
    rule
        How hand groups become a range.
    adaptive
        Whether it learns from finished hands.
    """

    def __init__(self, inference: Inference, rule: RangeRule, adaptive: bool = True) -> None:
        self.inference = inference
        self.rule = rule
        self.adaptive = adaptive
        self.statistics = Statistics()

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        return self.believe_all(observation, {position: player})[position]

    def believe_all(self, observation: Observation, opponents: Mapping[int, str]) -> dict[int, Belief]:
        """The belief about each of several opponents, given as names by position."""
        views = (PlayerView(observation, at, self.statistics.of(name)) for at, name in opponents.items())
        evidence = [evidence_of(self.inference, view, observation.street) for view in views]
        return self._beliefs(observation, opponents, evidence)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief under other evidence."""
        return self._beliefs(observation, {position: player}, [dict(evidence)])[position]

    def _beliefs(
        self, observation: Observation, opponents: Mapping[int, str], evidence: Evidence
    ) -> dict[int, Belief]:
        groups, types = self._chances(tuple(opponents.values()), evidence, TYPE_NODES[observation.street])
        held = self._ranges(observation, tuple(opponents.values()), evidence, (groups, types))
        rows = zip(opponents.items(), evidence, groups, types, held, strict=True)
        return {position: Belief(position, player, *row) for (position, player), *row in rows}

    def _chances(self, players: Sequence[str], evidence: Evidence, node: str) -> GroupsAndTypes:
        """The probabilities of hand groups, and of hand types at a node (none = pre-flop), by player."""
        wanted = ("HandGroup", node) if node else ("HandGroup",)
        found = [self.inference.posterior(each, wanted) for each in evidence]
        groups = np.array([each["HandGroup"] for each in found])
        return groups, np.array([each[node] if node else NONE for each in found])

    def _ranges(
        self, observation: Observation, players: Sequence[str], evidence: Evidence, chances: GroupsAndTypes
    ) -> list[Chances]:
        """The range of each player by the rule: float64, shape (1326,)."""
        hole, board, (groups, types) = observation.hole, observation.board, chances
        if isinstance(self.rule, Weighted):
            pairs = zip(players, evidence, strict=True)
            weights = [self.posterior(name)(each, board, observation.street) for name, each in pairs]
            for each in weights:
                each[blocked_by(hole)] = 0.0
            return weights
        if isinstance(self.rule, Pruned):
            return self.rule.weigh_all(groups, types, board, hole)
        return self.rule.weigh_all(groups, (*hole, *board))

    def posterior(self, player: str) -> HoldingPosterior:
        """What weighs the holdings of a player by the rule ``Weighted``."""
        return _holdings(self.inference)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Habits and acts that the network holds possible.

        Board and positions stay the same. A habit may be unobserved; an act, which is public, may not.
        """
        structure = self.inference.network.structure
        for node in observed(structure, observation.street):
            if node not in (*STATISTICS, *(act for act in evidence if "Action" in act)):
                continue
            rest = {other: state for other, state in evidence.items() if other != node}
            chances = self.inference.posterior(rest, (node,))[node].tolist()
            for state, chance in zip(structure.states[node], chances, strict=True):
                if chance >= LEAST and state != evidence.get(node):
                    yield node, state
            if node in STATISTICS and node in evidence:
                yield node, None

    def learn(self, event: Event) -> None:
        """Count every player's actions."""
        if self.adaptive:
            self.statistics.observe(event)


class EarnedNetwork(NetworkModel):
    """Beliefs of the network as far as each player's showdowns support it (``earned``)."""

    def __init__(self, inference: Inference, rule: RangeRule, adaptive: bool = True) -> None:
        super().__init__(inference, rule, adaptive)
        self.earned = Earned(inference)

    def _chances(self, players: Sequence[str], evidence: Evidence, node: str) -> GroupsAndTypes:
        """The means of the sources; hand types follow from the hand's actions and the group."""
        weights = np.array([self.earned.weights(player) for player in players])
        groups = _mixed(weights, np.array([self.earned.sources(each) for each in evidence]))
        if not node:
            return groups, np.empty((len(players), 0))
        return groups, _mixed(groups, np.array([self.earned.types(node, each) for each in evidence]))

    def _ranges(
        self, observation: Observation, players: Sequence[str], evidence: Evidence, chances: GroupsAndTypes
    ) -> list[Chances]:
        """The range of each player; its holdings by the rule ``Weighted`` are the mean of the sources."""
        if not isinstance(self.rule, Weighted):
            return super()._ranges(observation, players, evidence, chances)
        dealt = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        held = []
        for player, each in zip(players, evidence, strict=True):
            sources = (without_statistics(each), each)
            found = np.stack([*super()._ranges(observation, (player, player), sources, (NONE, NONE)), dealt])
            held.append(self.earned.weights(player) @ (found / found.sum(axis=1, keepdims=True)))
        return held

    def learn(self, event: Event) -> None:
        """Learn from the cards that were shown; count every player's actions."""
        if self.adaptive and isinstance(event, HandOver):
            observation = event.observation
            for position, player in enumerate(observation.players):
                shown = observation.state.hole_of(position)
                if shown and position != observation.seat and position in observation.state.seats_in:
                    view = PlayerView(observation, position, self.statistics.of(player))
                    self.earned.learn(player, evidence_of(self.inference, view, 0), holding_index(*shown))
        super().learn(event)


def _mixed(weights: Chances, rows: Chances) -> Chances:
    """The weighted mean of the rows of each player; shapes (n, rows), (n, rows, states) -> (n, states)."""
    return np.asarray((weights[:, None] @ rows)[:, 0])


def evidence_of(inference: Inference, view: PlayerView, street: int) -> dict[str, str]:
    """What was observed of a player by the end of a street: node -> state."""
    names = observed(inference.network.structure, street)
    return cast(dict[str, str], read(view, names))  # nodes are readings of named states


@lru_cache(maxsize=8)
def _holdings(inference: Inference) -> HoldingPosterior:
    """One for each network: it caches its posteriors."""
    return HoldingPosterior(inference)
