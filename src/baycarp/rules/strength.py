"""Strength and potential: against what the opponents are believed to hold, and against any hand at all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp import evaluation
from baycarp.card import Cards, as_cards
from baycarp.errors import RangeError
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["READINGS", "Strength", "relative_strength"]


class Strength(NamedTuple):
    """How a hand stands against the hands that it meets; each 0..1.

    Parameters
    ----------
    hs
        Chance to be ahead of every opponent now, ties counted half.
    ppot, npot
        Chance to get ahead of one from behind, and to fall behind from ahead; None on the river.
    """

    hs: float
    ppot: float | None
    npot: float | None


def relative_strength(
    hole: Cards, board: Cards, ranges: Sequence[NDArray[np.float64]], look_ahead: int = 2
) -> Strength:
    """Compare a hand with the ranges of all opponents: strengths multiplied, potentials averaged.

    Parameters
    ----------
    hole
        Two cards, text or ids.
    board
        Three to five cards, text or ids.
    ranges
        The weights of each opponent's holdings; float64, shape (1326,).
    look_ahead
        Cards to come in the potentials, 1 or 2; never more than are to come.

    Returns
    -------
    Strength

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        No opponent, or a range that holds nothing once the known cards are removed.

    Source: Unger (2011), section 6.2.1; that potentials are averaged over opponents is our choice.

    Examples
    --------
    >>> from baycarp.opponents.ranges import TopGroups
    >>> groups = TopGroups(1)({"HandGroup1": 1.0}, known="KsKhAc7d2h")
    >>> round(relative_strength("KsKh", "Ac7d2h", [groups]).hs, 3)
    0.735
    """
    if not ranges:
        raise RangeError("no range: expected one for each opponent")
    table = as_cards(board, "board", (3, 4, 5))
    if len(table) == 5:
        return Strength(evaluation.hand_strength(hole, table, *ranges), None, None)
    return Strength(*evaluation.strength(hole, table, *ranges, ahead=look_ahead))


def _random_hand_strength(view: PlayerView) -> float | None:
    """The chance to be ahead of one opponent with any two cards, ties counted half."""
    if not view.hole or not view.observation.board:
        return None
    return evaluation.hand_strength(view.hole, view.observation.board)


def _random_hand_potential(view: PlayerView, which: int) -> float | None:
    """PPot (0) or NPot (1) against one such opponent, over all cards to come; 0 on the river."""
    if not view.hole or not view.observation.board:
        return None
    return evaluation.potential(view.hole, view.observation.board, ahead=2)[which]


_RANDOM_HAND = "Rubin and Watson (2007), section 5 and table 1; Billings et al. (2002)"
_SHARE = Interval(0, 1, "probability")

READINGS = (
    Reading("random_hand_strength", _SHARE, _random_hand_strength, _RANDOM_HAND),
    Reading("random_hand_ppot", _SHARE, lambda view: _random_hand_potential(view, 0), _RANDOM_HAND),
    Reading("random_hand_npot", _SHARE, lambda view: _random_hand_potential(view, 1), _RANDOM_HAND),
)
"""Against one opponent with any two cards, however many are in; None before the flop."""
