"""A reading: something that a table shows about one player, under a name (Unger 2011, section 5.1: the RBR).

An observed node of a Bayesian network and a feature of a case are both names of readings; agents list names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from baycarp.errors import TableError
from baycarp.game.state import Observation

__all__ = ["Domain", "Habits", "Interval", "PlayerView", "Reading", "Value"]

Value: TypeAlias = str | float | None
"""A state's name, a number, or None = not observable yet."""


class Habits(Protocol):
    """The statistics of a player in earlier hands of the session; shares 0..1, None before its first hand."""

    @property
    def vpip(self) -> float | None:
        """Hands with a voluntary call or raise pre-flop, of the hands dealt to it."""

    @property
    def pfr(self) -> float | None:
        """Hands with a pre-flop raise, of the hands dealt to it."""

    def aggression(self, street: int) -> float | None:
        """Hands with a bet or raise on a street 1..3, of those with a decision of it there."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The input of the readings: the public view of one player so far.

    Parameters
    ----------
    observation
        The table. A case's features are read when ``position`` is to act; a network's nodes at any time.
    position
        The position of the player described.
    habits
        The player's statistics in earlier hands, this hand excluded; None = nothing.

    Raises
    ------
    TableError
        A position that the game does not seat.
    """

    observation: Observation
    position: int
    habits: Habits | None = None

    def __post_init__(self) -> None:
        seats = self.observation.variant.seats
        if not 0 <= self.position < seats:
            raise TableError(f"position {self.position}: expected 0..{seats - 1}")

    @property
    def hole(self) -> tuple[int, ...]:
        """The player's two cards, or () where they are hidden."""
        return self.observation.state.holes[self.position]

    def board(self, cards: int) -> tuple[int, ...]:
        """The first ``cards`` cards of the board, or () while fewer lie there."""
        board = self.observation.board
        return tuple(board[:cards]) if len(board) >= cards else ()


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from ``low`` to ``high``, both included, in a unit."""

    low: float
    high: float
    unit: str

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


Domain: TypeAlias = tuple[str, ...] | Interval
"""The domain of a reading: the names of its states, or an interval of numbers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A total function ``read`` from a player view to one value, or None where nothing is observable.

    Parameters
    ----------
    name, domain
        Its name in networks and cases; the states, every one of which some hand reaches, or the interval.
    source
        Where it is defined; "our choice" where we chose.
    """

    name: str
    domain: Domain
    read: Callable[[PlayerView], Value]
    source: str
