"""The main pot and the side pots, as data."""

from dataclasses import dataclass

from baycarp.game.state import State

__all__ = ["Pot", "pots"]


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the positions that may still win them."""

    chips: int
    contenders: tuple[int, ...]


def pots(state: State) -> tuple[Pot, ...]:
    """The main pot, then the side pots, no two with the same contenders.

    Chips of this street are laid in as they lie now. A last pot with one contender is what nobody has
    matched: it returns to its owner if nobody does.

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
