"""Cases as an opponent model: what players held in the most similar situations that ended in a showdown.

Salim and Rohwer applied case-based reasoning to opponents alone, to determine the strength of their hands
(Unger 2011, section 4.3.2). Their features are not printed: these are those of the thesis' network.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.card import blocked_by
from baycarp.cases import retrieve
from baycarp.errors import ModelError
from baycarp.game import Event, Observation
from baycarp.opponents.belief import LEAST, Belief, belief_of
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.network.statistics import Statistics
from baycarp.opponents.network.topology import STRUCTURE, observed
from baycarp.opponents.shown.situations import UNKNOWN, Shown, load_shown, situation_of
from baycarp.rules import PlayerView, read
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types

__all__ = ["NEAREST", "ByShown", "ShownModel", "Votes", "weights_of"]

Array = NDArray[np.float64]

NEAREST = 100
"""Shown situations that vote; our choice."""

PRIOR = 5.0
"""Votes that the deal has: on groups, and on types by what the groups make of the board; our choice."""

KEPT = 4096
"""Answers that are kept, at most."""


@dataclass(frozen=True, slots=True)
class ByShown(OpponentModelSpec):
    """Shown situations, retrieved.

    Parameters
    ----------
    folder
        Of the situations (``situations.save_shown``); empty = none yet.
    nearest
        How many of the most similar vote.
    adaptive
        Whether habits are counted; otherwise every player remains a new one.
    """

    folder: str
    nearest: int = NEAREST
    adaptive: bool = True
    kind: ClassVar[str] = "shown"
    needs_network: ClassVar[bool] = False

    @property
    def files(self) -> tuple[str, ...]:
        """The situations, by their digest."""
        return (f"shown {load_shown(self.folder).digest}",)

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        if not self.folder:
            raise ModelError(
                "opponents by cases: expected shown situations, as baycarp.training.coupled makes"
            )
        return ShownModel(load_shown(self.folder), self.nearest, self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of the situations' digest."""
        return load_shown(self.folder).digest


class Votes(NamedTuple):
    """Votes of the most similar situations: by hand group, shape (10,), and by hand type, shape (17,)."""

    groups: Array
    types: Array


class ShownModel(OpponentModel):
    """Beliefs by similar situations.

    Parameters
    ----------
    shown
        The situations.
    nearest
        How many of the most similar vote, all alike.
    adaptive
        Whether habits are counted.
    """

    def __init__(self, shown: Shown, nearest: int = NEAREST, adaptive: bool = True) -> None:
        self.shown, self.nearest, self.adaptive = shown, nearest, adaptive
        self.statistics = Statistics()
        self._kept: dict[tuple[str | float, ...], Votes] = {}

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        view = PlayerView(observation, position, self.statistics.of(player))
        evidence = {
            node: str(state) for node, state in read(view, observed(STRUCTURE, observation.street)).items()
        }
        return self.suppose(observation, position, player, evidence)

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The belief under other evidence."""
        held = weights_of(self.votes(evidence, observation.street), observation)
        return belief_of((position, player), dict(evidence), held, observation.board)

    def votes(self, evidence: Mapping[str, str], street: int) -> Votes:
        """The votes of the most similar situations.

        Parameters
        ----------
        evidence
            Node -> state.
        street
            By whose end they were observed, 0..3.
        """
        base = self.shown.bases[street]
        values = situation_of(evidence, street)
        key = (street, *values.values())
        if key not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = retrieve(base, values, 0.0, min(self.nearest, max(1, len(base))))
            now = base.snapshot()
            rows = now.rows(found.ids)
            types = now.provenance["type"][rows] if street else np.empty(0, np.uint8)
            self._kept[key] = Votes(
                np.bincount(now.solutions[rows], minlength=len(GROUPS)).astype(np.float64),
                np.bincount(types, minlength=len(TYPES)).astype(np.float64),
            )
        return self._kept[key]

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Habits and acts that enough situations have; board and positions stay the same."""
        for node in evidence:
            if "Action" not in node and node not in ("VPIP", "PFR"):
                continue
            for state, share in self._shares[node].items():
                if share >= LEAST and state not in (evidence[node], UNKNOWN):
                    yield node, state

    @cached_property
    def _shares(self) -> Mapping[str, Mapping[str, float]]:
        """How often each state of a node was observed, of acts and habits."""
        base = self.shown.bases[-1]
        columns = base.columns()
        texts = zip((feature.name for feature in base.schema.symbols), columns["symbols"], strict=True)
        found = {node: list(map(str, column)) for node, column in texts}
        for feature, column in zip(base.schema.numbers, columns["numbers"], strict=True):
            states = STRUCTURE.states[feature.name]
            found[feature.name] = [states[int(place)] for place in column.tolist()]
        return {node: _frequencies(states) for node, states in found.items()}

    def learn(self, event: Event) -> None:
        """Count every player's actions."""
        if self.adaptive:
            self.statistics.observe(event)


def weights_of(votes: Votes, observation: Observation) -> Array:
    """The probability of each holding: float64, shape (1326,), sums to 1.

    On a board the hand types have the probabilities of their votes, and within a type the groups decide.
    """
    free = ~blocked_by([*observation.hole, *observation.board])
    dealt = np.bincount(GROUP_OF[free], minlength=len(GROUPS))
    groups = np.where(dealt > 0, votes.groups, 0.0) + PRIOR * dealt / dealt.sum()
    held = np.where(free, (groups / np.maximum(dealt, 1))[GROUP_OF], 0.0)
    held /= held.sum()
    if observation.board:
        of = np.where(free, hand_types(observation.board), 0)
        made = np.bincount(of, held, minlength=len(TYPES))
        types = np.where(made > 0, votes.types, 0.0) + PRIOR * made
        held *= np.where(made > 0, types / np.where(made > 0, made, 1.0), 0.0)[of]
        held /= held.sum()
    return np.asarray(held)


def _frequencies(states: list[str]) -> dict[str, float]:
    return {state: count / len(states) for state, count in Counter(states).items()}
