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
    features, situations, moves, players, counts = [], [], [], [], []
    for hand in hands:
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        found = decisions(hand)
        seated = np.array([numbers.setdefault(name, len(numbers)) for name in hand.players], np.int64)
        features.append(found.features)
        situations.append(found.situations)
        moves.append(found.moves)
        players.append(seated[found.seats])
        counts.append(len(found.moves))
    if not sum(counts):
        raise ArgumentError("hands: expected at least one decision")
    numbered = np.repeat(np.arange(len(counts)), counts)
    parts = (np.concatenate(situations), np.concatenate(moves), np.concatenate(players))
    return MoveRows(np.concatenate(features), *parts, numbered), tuple(numbers)
