"""The settings of a no-limit rule player, and the range that a population of them is drawn from.

All of it is our choice: the people of van der Kleij (2010) are known by their moves alone, since the data are
not public any more. The ranges were set by hand until the moves of drawn players came near those of his table
4.2 (``python -m experiments moves`` prints both).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

import numpy as np

from baycarp.errors import ArgumentError

__all__ = ["RANGES", "SizerStyle", "drawn"]


@dataclass(frozen=True, slots=True)
class SizerStyle:
    """A playing style; players of one kind differ by nothing else.

    Parameters
    ----------
    looseness
        A factor on the share of starting hands that are played, above 0; 1 = the usual share.
    aggression
        0..1: the share of played hands that are raised, and how early a made hand is bet and raised.
    bluffing
        0..1: how often weak hands and draws bet and raise.
    stickiness
        0..1: how far a call goes below the price by pot odds.
    position
        0..1: how much more is played and bet in late position.
    opening
        The usual raise before the flop, as a share of the pot after the call, above 0.
    size
        The same for the usual bet after the flop.
    growth
        How much a bet grows with the hand: the logarithm of its factor from the worst to the best hand.
    spread
        The standard deviation of the logarithm of a bet's size, above 0.
    commitment
        0..1: the part of the stack from which a bet is all-in; 1 = only the whole.
    mixing
        The width of the zone of strengths around a threshold in which both actions are likely, above 0.

    Raises
    ------
    ArgumentError
        A number out of its range.
    """

    looseness: float = 1.0
    aggression: float = 0.5
    bluffing: float = 0.3
    stickiness: float = 0.4
    position: float = 0.5
    opening: float = 0.75
    size: float = 0.65
    growth: float = 0.5
    spread: float = 0.35
    commitment: float = 0.6
    mixing: float = 0.05

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            low, high = _BOUNDS.get(entry.name, (0.0, 1.0))
            if not low <= value <= high:
                raise ArgumentError(f"{entry.name} {value!r}: expected {low:g} to {high:g}")


_BOUNDS: Mapping[str, tuple[float, float]] = {
    "looseness": (0.05, 5.0),
    "opening": (0.05, 20.0),
    "size": (0.05, 20.0),
    "growth": (-3.0, 3.0),
    "spread": (0.05, 3.0),
    "mixing": (0.001, 1.0),
}
"""The least and the greatest value of a setting that is not a share of 1."""

RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "looseness": (0.55, 1.6),
        "aggression": (0.15, 0.85),
        "bluffing": (0.05, 0.6),
        "stickiness": (0.1, 0.8),
        "position": (0.1, 0.9),
        "opening": (0.5, 1.0),
        "size": (0.45, 0.75),
        "growth": (0.0, 0.8),
        "spread": (0.2, 0.45),
        "commitment": (0.65, 1.0),
        "mixing": (0.02, 0.08),
    }
)
"""The settings of a population: each is drawn uniformly from its least to its greatest value."""


def drawn(number: int) -> SizerStyle:
    """The style of a member of the population, by its number; the same everywhere.

    Raises
    ------
    ArgumentError
        A negative number.

    Examples
    --------
    >>> drawn(7) == drawn(7), drawn(7) == drawn(8)
    (True, False)
    """
    if number < 0:
        raise ArgumentError(f"number {number!r}: expected at least 0")
    uniform = np.random.default_rng(number).random(len(RANGES)).tolist()
    return SizerStyle(
        **{
            name: round(low + share * (high - low), 3)
            for (name, (low, high)), share in zip(RANGES.items(), uniform, strict=True)
        }
    )
