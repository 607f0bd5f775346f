"""Strength and potential: against the believed ranges of the opponents, and against a random hand."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp import evaluation
from baycarp.card import HOLDS, Cards, as_cards
from baycarp.errors import RangeError
from baycarp.kernels import sweeps
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["READINGS", "Strength", "holding_values", "relative_strength"]

Array = NDArray[np.float64]


class Strength(NamedTuple):
    """The strength and potential of a hand against others; each 0..1.

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
    >>> from baycarp.opponents.network.ranges import TopGroups
    >>> groups = TopGroups(1)({"HandGroup1": 1.0}, known="KsKhAc7d2h")
    >>> round(relative_strength("KsKh", "Ac7d2h", [groups]).hs, 3)
    0.735
    """
    if not ranges:
        raise RangeError("no range: expected one for each opponent")
    table = board if type(board) is tuple else as_cards(board, "board", (3, 4, 5))
    if len(table) == 5:
        return Strength(evaluation.hand_strength(hole, table, *ranges), None, None)
    return Strength(*evaluation.strength(hole, table, *ranges, ahead=look_ahead))


@lru_cache(maxsize=1024)  # the boards of a session of 500 hands, which duplicate matches play again
def holding_values(board: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """HS, PPot and NPot (one card ahead) of every holding on a board against one random opponent.

    Three float64 arrays of 1,326, nan where the board blocks; on the river the potentials are 0. Every player
    at a table reads the same boards, so they are kept.
    """
    if len(board) == 5:
        nothing = np.zeros(HOLDS.shape[1])
        return sweeps.sweep(board), nothing, nothing
    return sweeps.sweep_potential(board)


def _after_flop(value: Callable[[Cards, Cards], float], view: PlayerView) -> float | None:
    """A value of hole cards and board; None before the flop, or where they are hidden."""
    return value(view.hole, view.observation.board) if view.hole and view.observation.board else None


def _potential(which: int, hole: Cards, board: Cards) -> float:
    """PPot (0) or NPot (1), over all cards to come; 0 on the river."""
    return evaluation.potential(hole, board, ahead=2)[which]


_RANDOM_HAND = "Rubin and Watson (2007), section 5 and table 1; Billings et al. (2002)"
_SHARE = Interval(0, 1, "probability")

READINGS = (
    Reading("random_hand_strength", _SHARE, partial(_after_flop, evaluation.hand_strength), _RANDOM_HAND),
    Reading("random_hand_ppot", _SHARE, partial(_after_flop, partial(_potential, 0)), _RANDOM_HAND),
    Reading("random_hand_npot", _SHARE, partial(_after_flop, partial(_potential, 1)), _RANDOM_HAND),
)
"""Against one opponent with any two cards, however many are in; None before the flop."""
