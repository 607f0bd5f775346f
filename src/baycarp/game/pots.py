"""The main pot and the side pots, as data."""

from dataclasses import dataclass

from baycarp.game.state import State

__all__ = ["Pot", "pots"]


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the positions that can still win them."""

    chips: int
    contenders: tuple[int, ...]


def pots(state: State) -> tuple[Pot, ...]:
    """The main pot, then the side pots, no two with the same contenders.

    The chips bet on this street are included as they are now. A last pot with one contender is unmatched: it
    returns to its owner where no player matches it. What a folded player has put in beyond every player in
    belongs to the last pot.

    Examples
    --------
    >>> from baycarp.game import Variant
    >>> hand = State(Variant.ring(3, betting="no-limit", stacks=(10, 50, 90)))
    >>> for word in ("raise", "call", "fold"):
    ...     _ = hand.apply(hand.named(word))
    >>> pots(hand)
    (Pot(chips=10, contenders=(0, 2)),)
    """
    return tuple(Pot(chips, contenders) for chips, contenders in state.layers())
