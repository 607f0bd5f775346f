"""The decisions of recorded hands as rows, without their cards."""

from collections.abc import Iterable

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import decisions

__all__ = ["choices_of"]


def choices_of(hands: Iterable[Hand]) -> tuple[MoveRows, tuple[str, ...]]:
    """The decisions of recorded hands, and the names of the players by number.

    Raises
    ------
    ArgumentError
        No decision, or a hand without names.
    """
    numbers: dict[str, int] = {}
    parts: list[MoveRows] = []
    for number, hand in enumerate(hands):
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        found = decisions(hand)
        seated = np.array([numbers.setdefault(name, len(numbers)) for name in hand.players], np.int64)
        of_hand = np.full(len(found.moves), number)
        parts.append(MoveRows(found.features, found.situations, found.moves, seated[found.seats], of_hand))
    if not any(map(len, parts)):
        raise ArgumentError("hands: expected at least one decision")
    return MoveRows.stacked(parts), tuple(numbers)
