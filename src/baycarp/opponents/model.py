"""Opponent models: the thesis' network, the action-conditioned model (``player_models``), or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.card import blocked_by, holding_index
from baycarp.game import Event, HandOver, Observation
from baycarp.opponents.actions.player_models import PlayerModels
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.network.belief import LEAST, NONE, Belief, Chances, RangeRule, evidence_of, ranges
from baycarp.opponents.network.earned import HABITS, STATISTICS, Earned, without_statistics
from baycarp.opponents.network.ranges import TopGroups, Weighted
from baycarp.opponents.network.topology import TYPE_NODES, observed
from baycarp.opponents.stats import Statistics
from baycarp.rules import PlayerView

__all__ = [
    "HABITS",
    "ByActions",
    "ByNetwork",
    "EarnedNetwork",
    "NetworkModel",
    "OpponentModel",
    "OpponentModelSpec",
    "UniformModel",
    "believe_all",
    "new_opponent_model",
    "opponents_of",
]

TOP_FOUR = TopGroups(4)
"""The groups that make the range (Unger 2011, section 5.3.4)."""


class OpponentModel(Protocol):
    """One seat's models of all others, by name, and its belief about each in a hand.

    Everywhere ``observation`` is the hand as the believing player observes it; ``position`` and
    ``player`` are the opponent's position and name; ``evidence`` is what was observed of it: node -> state.
    """

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        ...

    def believe_all(self, observation: Observation, opponents: Mapping[int, str]) -> dict[int, Belief]:
        """The belief about each of several opponents, given as names by position."""
        return {position: self.believe(observation, position, name) for position, name in opponents.items()}

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief under other evidence."""
        ...

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Other possible observations, each with all else unchanged; ``None`` = not observed."""
        ...

    def learn(self, event: Event) -> None:
        """Learn from an event."""
        ...


class OpponentModelSpec(Protocol):
    """A kind of opponent model, as a frozen value."""

    @property
    def needs_network(self) -> bool:
        """Whether it is made of a fitted network."""
        ...

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        ...


@dataclass(frozen=True, slots=True)
class ByNetwork:
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
    needs_network: ClassVar[bool] = True

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        if inference is None:
            return UniformModel()
        if self.earned:
            return (EarnedNetwork if self.adaptive else FirstHandEarned)(inference, self.rule)
        return (NetworkModel if self.adaptive else FirstHandNetwork)(inference, self.rule)


@dataclass(frozen=True, slots=True)
class ByActions:
    """The action-conditioned model: a mixture of styles and of blind players for each opponent.

    Parameters
    ----------
    styles
        The styles.
    adaptive
        As for ``ByNetwork``.
    """

    styles: Styles
    adaptive: bool = True
    needs_network: ClassVar[bool] = False

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        return (PlayerModels if self.adaptive else FirstHandModels)(self.styles)


def new_opponent_model(spec: OpponentModelSpec | None, inference: Inference | None) -> OpponentModel:
    """The opponent model of a specification; None = every holding is as likely as another."""
    return spec.new(inference) if spec else UniformModel()


def opponents_of(observation: Observation) -> dict[int, str]:
    """The names of the players still in besides the observer, by position."""
    names = observation.players
    inside = (position for position in observation.state.seats_in if position != observation.seat)
    return {position: names[position] if names else f"seat {position}" for position in inside}


def believe_all(opponent_model: OpponentModel, observation: Observation) -> dict[int, Belief]:
    """The deciding seat's belief about each opponent still in, by position."""
    return opponent_model.believe_all(observation, opponents_of(observation))


class NetworkModel(OpponentModel):
    """Beliefs of the thesis' network; habits are counted by name (Unger 2011, section 5.3).

    Parameters
    ----------
    inference
        The fitted network.
    rule
        How hand groups become a range.
    """

    def __init__(self, inference: Inference, rule: RangeRule) -> None:
        self.inference, self.rule, self.statistics = inference, rule, Statistics()

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        return self.believe_all(observation, {position: player})[position]

    def believe_all(self, observation: Observation, opponents: Mapping[int, str]) -> dict[int, Belief]:
        """The belief about each of several opponents, given as names by position."""
        evidence = [
            evidence_of(
                self.inference,
                PlayerView(observation, position, self.statistics.of(player)),
                observation.street,
            )
            for position, player in opponents.items()
        ]
        return self._beliefs(observation, opponents, evidence)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief under other evidence."""
        return self._beliefs(observation, {position: player}, [dict(evidence)])[position]

    def _beliefs(
        self, observation: Observation, opponents: Mapping[int, str], evidence: Sequence[dict[str, str]]
    ) -> dict[int, Belief]:
        """The belief about each opponent under its evidence."""
        groups, types = self._chances(tuple(opponents.values()), evidence, TYPE_NODES[observation.street])
        held = self._ranges(observation, tuple(opponents.values()), evidence, groups, types)
        rows = zip(opponents.items(), evidence, groups, types, held, strict=True)
        return {position: Belief(position, player, *row) for (position, player), *row in rows}

    def _chances(
        self, players: Sequence[str], evidence: Sequence[dict[str, str]], node: str
    ) -> tuple[Chances, Chances]:
        """The probabilities of hand groups, and of hand types at a node (none = pre-flop), by player."""
        wanted = ("HandGroup", node) if node else ("HandGroup",)
        found = [self.inference.posterior(each, wanted) for each in evidence]
        groups = np.array([each["HandGroup"] for each in found])
        return groups, np.array([each[node] if node else NONE for each in found])

    def _ranges(
        self,
        observation: Observation,
        players: Sequence[str],
        evidence: Sequence[dict[str, str]],
        groups: Chances,
        types: Chances,
    ) -> list[NDArray[np.float64]]:
        """The range of each player."""
        return ranges(self.inference, self.rule, observation, evidence, groups, types)

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
        self.statistics.observe(event)


class EarnedNetwork(NetworkModel):
    """Beliefs of the network as far as each player's showdowns support it (``earned``)."""

    def __init__(self, inference: Inference, rule: RangeRule) -> None:
        super().__init__(inference, rule)
        self.earned = Earned(inference)

    def _chances(
        self, players: Sequence[str], evidence: Sequence[dict[str, str]], node: str
    ) -> tuple[Chances, Chances]:
        """The means of the sources; hand types follow from the hand's actions and the group."""
        weights = np.array([self.earned.weights(player) for player in players])
        groups = _mixed(weights, np.array([self.earned.sources(each) for each in evidence]))
        if not node:
            return groups, np.empty((len(players), 0))
        return groups, _mixed(groups, np.array([self.earned.types(node, each) for each in evidence]))

    def _ranges(
        self,
        observation: Observation,
        players: Sequence[str],
        evidence: Sequence[dict[str, str]],
        groups: Chances,
        types: Chances,
    ) -> list[NDArray[np.float64]]:
        """The range of each player; its holdings by the rule ``Weighted`` are the mean of the sources."""
        if not isinstance(self.rule, Weighted):
            return super()._ranges(observation, players, evidence, groups, types)
        dealt = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        held = []
        for player, each in zip(players, evidence, strict=True):
            sources = (without_statistics(each), each)
            found = np.stack([*ranges(self.inference, self.rule, observation, sources, NONE, NONE), dealt])
            held.append(self.earned.weights(player) @ (found / found.sum(axis=1, keepdims=True)))
        return held

    def learn(self, event: Event) -> None:
        """Learn from the cards that were shown; count every player's actions."""
        if isinstance(event, HandOver):
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


class FirstHandEarned(EarnedNetwork):
    """Every player has the weights of a new one, and no statistics."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""


class FirstHandNetwork(NetworkModel):
    """The network without statistics of earlier hands."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""


class FirstHandModels(PlayerModels):
    """Every player has the new player's model."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""


class UniformModel(OpponentModel):
    """Every opponent may hold any two hidden cards."""

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """Any two cards."""
        weights: NDArray[np.float64] = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        return Belief(position, player, {}, NONE, NONE, weights)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """Any two cards."""
        return self.believe(observation, position, player)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """None."""
        return iter(())

    def learn(self, event: Event) -> None:
        """Nothing is learned."""
