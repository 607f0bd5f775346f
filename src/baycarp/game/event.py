"""The events that a seated agent observes between its own decisions."""

from typing import NamedTuple, TypeAlias

from baycarp.game.action import Act
from baycarp.game.state import Observation

__all__ = ["Acted", "Event", "HandOver"]


class Acted(NamedTuple):
    """Somebody acted; ``seen`` is the table just before, as everybody saw it (no hole cards)."""

    seen: Observation
    act: Act


class HandOver(NamedTuple):
    """The hand is settled; ``seen`` shows the hole cards that were shown, and to a trainer all of them.

    ``payoffs`` are net chips by position, which sum to 0; empty where a record does not tell them.
    """

    seen: Observation
    payoffs: tuple[int, ...]


Event: TypeAlias = Acted | HandOver
