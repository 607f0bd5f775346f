"""What a seated agent is told between its own decisions."""

from dataclasses import dataclass
from typing import TypeAlias

from baycarp.game.action import Act
from baycarp.game.observation import Observation

__all__ = ["Acted", "Event", "HandOver"]


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody acted; ``seen`` is the table just before, as everybody saw it (no hole cards)."""

    seen: Observation
    act: Act


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is settled; ``seen`` shows the hole cards that were shown, and to a trainer all of them.

    ``payoffs`` are net chips by position; they sum to 0.
    """

    seen: Observation
    payoffs: tuple[int, ...]


Event: TypeAlias = Acted | HandOver
