"""What every model of opponents is: beliefs about their cards, and what it learns from.

Each family has a folder with a ``model`` that implements it, and a frozen specification that makes one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.game import Event, Observation
from baycarp.game.seats import seat_names
from baycarp.opponents.belief import Belief

__all__ = ["OpponentModel", "OpponentModelSpec", "believe_all", "opponents_of"]


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
    """A kind of opponent model: a frozen dataclass, with the field ``adaptive``."""

    @property
    def kind(self) -> str:
        """The family's name, as a manifest records it."""
        ...

    @property
    def needs_network(self) -> bool:
        """Whether it is made of a fitted network."""
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of besides a network: the content of each file, with its digest."""
        return ()

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        ...

    def digest(self, network: Network | None) -> str:
        """The first digits of a digest of all that its beliefs depend on; empty = unknown."""
        ...

    def without_adaptation(self) -> "OpponentModelSpec":
        """The same, but it learns from no finished hand: every player remains a new one."""
        return replace(self, adaptive=False)  # type: ignore[type-var]


def opponents_of(observation: Observation) -> dict[int, str]:
    """The names of the players still in besides the observer, by position."""
    names = observation.players or seat_names(observation.variant)
    inside = (position for position in observation.state.seats_in if position != observation.seat)
    return {position: names[position] for position in inside}


def believe_all(opponent_model: OpponentModel, observation: Observation) -> dict[int, Belief]:
    """The deciding seat's belief about each opponent still in, by position."""
    return opponent_model.believe_all(observation, opponents_of(observation))
