from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.game import Rules

__all__ = ["FEATURES", "MOVES", "SITUATIONS", "hand_features", "validity"]

FEATURES: int
SITUATIONS: int
MOVES: int

def hand_features(
    rules: Rules, stacks: tuple[int, ...], actions: Sequence[tuple[int, int]], board: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """The features of every decision of a hand, each before its action (csrc/include/baycarp/features.h).

    Parameters
    ----------
    rules
        Of the game.
    stacks
        Chips by position before the blinds.
    actions
        ``(kind, amount)`` in order: ``kernels.game.FOLD``, ``CALL``, ``RAISE``, and for a raise its total on
        the street.
    board
        Card ids, 0 to 5, at least those of each street on which a player acts.

    Returns
    -------
    float64, shape (actions, 41)
        In the order of ``rules.features.NAMES``; amounts in big blinds.
    int8, shape (actions, 3)
        Position, situation (2 * street + whether it owes chips), and the move that was made: 0 fold, 1 check
        or call, 2 to 8 a bet or raise by its size.

    Raises
    ------
    IllegalAction
        An action that is not legal in its place.
    CardError
        An unknown or duplicate card, or too few.
    VariantError
        Stacks that do not fit the game.
    """

def validity() -> NDArray[np.bool_]:
    """Whether a feature has a meaning in a situation, shape (41, 8)."""
