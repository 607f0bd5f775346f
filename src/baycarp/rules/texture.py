"""Board texture: whether an opponent may hold a flush or a straight, in nine categories.

*Possible*: with two hole cards; *highly possible*: with one. Source: Rubin and Watson (2012), section 5.3.1,
table 5. A flush or straight that lies on the board is highly possible: our choice.
"""

import numpy as np

from baycarp.card import Cards, as_cards

__all__ = ["TEXTURES", "texture"]

TEXTURES = {
    "A": "no salient",
    "B": "flush possible",
    "C": "straight possible",
    "D": "flush possible, straight possible",
    "E": "straight highly possible",
    "F": "flush possible, straight highly possible",
    "G": "flush highly possible",
    "H": "flush highly possible, straight possible",
    "I": "flush highly possible, straight highly possible",
}
"""The categories with their descriptions; on the flop A to D occur."""

_BY_NEED = ("ACE", "BDF", "GHI")
"""The category by flush (none, possible, highly possible) and straight."""

_WINDOWS = tuple(
    sum(1 << (low + offset) % 13 for offset in range(5)) for low in (12, *range(9))
)  # the ace stands at both ends
"""The ranks of each straight, as bits."""


def texture(board: Cards) -> str:
    """The texture of a board in any order, a key of ``TEXTURES``; errors are those of ``hand.hand_types``.

    Examples
    --------
    >>> texture("Ah7d2c"), texture("Ah5d3c"), texture("9h7h5h"), texture("9h8d7c5h")
    ('A', 'C', 'D', 'E')
    """
    cards = as_cards(board, "board", (3, 4, 5)).astype(int)
    ranks = int(np.bitwise_or.reduce(1 << cards // 4))
    suited = int(np.bincount(cards % 4).max())
    straight = max((ranks & window).bit_count() for window in _WINDOWS)
    return _BY_NEED[_need(suited)][_need(straight)]


def _need(cards: int) -> int:
    """How near these cards of five are: 0 = out of reach of two, 1 = two are missing, 2 = one or none."""
    return min(max(cards - 2, 0), 2)
