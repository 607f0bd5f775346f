"""Hands of hold'em: rank, and the census of all hands."""

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["TABLE_BYTES", "census", "rank"]

TABLE_BYTES: int
"""The bytes of all tables of the ranking."""

@overload
def rank(cards: Cards) -> int:
    """Rank the best five of five to seven cards; the higher rank wins, equal ranks split.

    Parameters
    ----------
    cards
        5, 6 or 7 cards: text, or ids in one row; or integer ids of many hands, shape (n, 5..7).

    Returns
    -------
    int, or uint16 array of shape (n,)
        The category (1 high card, pair, two pair, trips, straight, flush, full house, quads, 9 straight
        flush) in the top four bits; below them the order within the category, dense from 0.

    Raises
    ------
    CardError
        An unknown card, a card twice in one hand, or a wrong number of cards.

    Examples
    --------
    >>> rank("AhKhQhJhTh") > rank("2c2d2h2sAhKhQh")
    True
    >>> rank("AhKhQhJhTh2c2d") >> 12
    9
    """

@overload
def rank(cards: Sequence[Sequence[int]]) -> NDArray[np.uint16]: ...
def census(k: int = 7) -> tuple[int, ...]:
    """Count the hands of each category among all hands of the deck.

    Parameters
    ----------
    k
        Cards of a hand, 5 to 7. All 133,784,560 hands of seven cards take less than a second.

    Returns
    -------
    nine ints
        Counts from high card to straight flush, by the kernel of ``rank``.

    Raises
    ------
    CardError
        Another ``k``.

    Examples
    --------
    >>> census(5)
    (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40)
    """
