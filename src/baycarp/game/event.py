"""The events that a seated agent observes between its own decisions."""

from typing import NamedTuple, TypeAlias

from baycarp.game.action import Act
from baycarp.game.state import Observation

__all__ = ["Acted", "Event", "HandOver"]


class Acted(NamedTuple):
    """A player acted; ``observation`` is the public one just before (no hole cards)."""

    observation: Observation
    act: Act


class HandOver(NamedTuple):
    """The hand is settled; ``observation`` has the hole cards that were shown; a trainer's has all of them.

    ``payoffs`` are net chips by position, which sum to 0; empty where a record does not contain them.
    """

    observation: Observation
    payoffs: tuple[int, ...]


Event: TypeAlias = Acted | HandOver
