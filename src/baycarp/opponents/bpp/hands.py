"""The 25 types of a hand, its flush draw, and the segments of hands that a player may play alike.

Nicholson, Korb and Boulton (2006) subdivide the busted hands by the highest card and represent every pair
apart: with the seven better hands these are 25. Their program predicts flush draws too; how the draw enters
is not printed in what we have, and a node of its own is our choice. So are the segments.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, RANKS
from baycarp.kernels.hands import rank
from baycarp.kernels.sweeps import rank_holdings
from baycarp.rules.hand import BLOCKED, partial_hands

__all__ = ["BOARDS", "SEGMENTS", "SEGMENT_OF", "TYPES", "board_state", "draws", "hand_types", "type_of"]

TYPES = (
    *(f"busted {high}" for high in ("low", "medium", "queen", "king", "ace")),
    *(f"pair of {each}" for each in RANKS),
    *("two pair", "three of a kind", "straight", "flush", "full house", "four of a kind", "straight flush"),
)
"""Weakest first: of two hands of seven cards the one of the later type wins. Busted low: an eight or lower;
medium: a nine, a ten or a jack."""

BOARDS = ("none", *TYPES)
"""The board by itself: the type of its cards, or no card."""

SEGMENTS = (
    "busted, a jack or lower",
    "busted, a queen or king",
    "busted, an ace",
    "flush draw",
    "pair, an eight or lower",
    "pair, a nine or higher",
    "two pair or three",
    "straight or better",
)

_BUSTED = np.array([*[0] * 7, *[1] * 3, 2, 3, 4])
"""The type by the highest rank."""

_PAIRED, _BETTER = TYPES.index("pair of 2"), TYPES.index("two pair")

_KICKERS = 220
"""Hands of each pair: three other ranks of twelve."""

_ALONE = {(1, 1): 1, (1, 0): 1, (2, 1): 2, (2, 0): 2, (2, 2): 3, (3, 1): 4, (3, 0): 4, (4, 0): 8}
"""The category, as of ``kernels.hands.rank``, of less than five cards, by their most frequent ranks."""

_HIGH, _LOW = (HOLDINGS // 4).astype(np.intp).T


def type_of(cards: Sequence[int]) -> int:
    """The type of two to seven cards by themselves, as an index into ``TYPES``.

    Examples
    --------
    >>> from baycarp.card import cards
    >>> [TYPES[type_of(cards(text).tolist())] for text in ("Jh2c", "9h9c4d", "AsKsQsJs2s")]
    ['busted medium', 'pair of 9', 'flush']
    """
    ranks = [card // 4 for card in cards]
    if len(cards) >= 5:
        value = rank(cards)
        return int(_typed(np.array(value >> 12), np.array((value & 4095) // _KICKERS), np.array(max(ranks))))
    counts = np.bincount(ranks, minlength=13)
    most, second = np.sort(counts)[:-3:-1].tolist()
    return int(_typed(np.array(_ALONE[most, second]), np.argmax(counts), np.array(max(ranks))))


def _typed(
    category: NDArray[np.intp], paired: NDArray[np.intp] | np.intp, highest: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Types of hands by category 1..9, by the rank of a pair, and by the highest rank."""
    found = np.where(category == 1, _BUSTED[highest], _BETTER + category - 3)
    return np.where(category == 2, _PAIRED + paired, found)


@lru_cache(maxsize=1024)
def hand_types(board: tuple[int, ...]) -> NDArray[np.uint8]:
    """The type of every holding with a board.

    Parameters
    ----------
    board
        No card, or three to five ids.

    Returns
    -------
    uint8 array, shape (1326,), read-only
        Indices into ``TYPES``; ``rules.hand.BLOCKED`` where a card lies on the board.
    """
    if board:
        ranks = rank_holdings(board).astype(np.intp)
        highest = np.maximum(_HIGH, max(board) // 4)
        found = np.where(ranks == 0, BLOCKED, _typed(ranks >> 12, (ranks & 4095) // _KICKERS, highest))
    else:
        found = np.where(_HIGH == _LOW, _PAIRED + _HIGH, _BUSTED[_HIGH])
    codes = found.astype(np.uint8)
    codes.flags.writeable = False  # cached
    return codes


def draws(board: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether each holding has four cards of a suit with the board, one to come; bool, shape (1326,)."""
    if len(board) not in (3, 4):
        return np.zeros(1326, np.bool_)
    return (partial_hands(board) & 1).astype(np.bool_)


def board_state(board: tuple[int, ...]) -> int:
    """The board by itself, as an index into ``BOARDS``."""
    return 1 + type_of(board) if board else 0


def _segments() -> NDArray[np.uint8]:
    strength = np.array([0, 0, 1, 1, 2, *[4] * 7, *[5] * 6, 6, 6, *[7] * 5])
    found = np.tile(strength[None, :, None], (len(BOARDS), 1, 2))
    for kind in range(_PAIRED, len(TYPES)):
        found[1 + kind, kind] = 0  # the board alone makes it
    found[:, :, 1] = np.where(found[:, :, 1] < SEGMENTS.index("flush draw"), 3, found[:, :, 1])
    return found.astype(np.uint8)


SEGMENT_OF: NDArray[np.uint8] = _segments()
"""The segment, as an index into ``SEGMENTS``, by board, type and flush draw; shape (26, 25, 2). A type that
the board alone makes is as good as busted."""
