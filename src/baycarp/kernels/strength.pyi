from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = [
    "as_weights",
    "equity",
    "expected_strength",
    "holding_equity",
    "known_cards",
    "strength",
    "strengths",
    "weights_beside",
]

def as_weights(weights: object, name: str = "weights") -> NDArray[np.float64]:
    """Convert and check the weights of a range: 1,326 finite numbers of at least 0.

    Raises
    ------
    RangeError
        Another shape or type, or a weight that is negative or not finite.
    """

def weights_beside(
    weights: object, cards: Cards, name: str = "weights", limit: int = 900
) -> NDArray[np.float64]:
    """The weights with those of holdings that contain a known card set to 0: float64, shape (1326,).

    If the largest is not between ``2**-limit`` and ``2**limit``, all are multiplied by a power of two,
    without rounding, so that it is; ``limit`` is 1 to 900.

    Raises
    ------
    RangeError
        As for `as_weights`.
    CardError
        An unknown or a duplicate card.
    ArgumentError
        ``limit`` out of range.
    """

def known_cards(given: Cards, name: str, counts: tuple[int, ...]) -> bytes | NDArray[np.uint8]:
    """``as_cards`` of up to seven cards, as bytes from a fast path for text as ``text`` prints it."""

def strength(
    hole: Cards, board: Cards, weights: object = None, ahead: int = 2, name: str = "weights"
) -> tuple[float, float, float]:
    """(HS, PPot, NPot) of a holding against one range; None = every holding.

    ``ahead``: number of cards to come that the potentials look ahead; 0 = potentials of 0.
    ``name``: name of the weights in errors.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Invalid weights, or a range that the known cards block completely.
    ArgumentError
        ``ahead`` out of range.
    """

"""The largest number of ranges of ``strengths``."""

def strengths(
    hole: Cards, board: Cards, ranges: Sequence[object], ahead: int = 2
) -> list[tuple[float, float, float]]:
    """The same against each of several ranges, for which the futures are counted once.

    A range that is given for several opponents, the same object, is measured once.

    Raises
    ------
    CardError, RangeError
        As there; a range is named by its number, from 1.
    ArgumentError
        ``ahead`` out of range.
    """

def expected_strength(hole: Cards, board: Cards) -> tuple[float, float]:
    """(E[HS], E[HS^2]) of a holding over all complete boards, against a random holding.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    """

def holding_equity(hole: Cards, board: Cards, weights: object, name: str = "weights") -> float:
    """``equity`` of one holding against a range on a board of 3 to 5 cards, without the array of the holding.

    ``name``: name of the weights in errors.

    Raises
    ------
    CardError, RangeError
        As for ``strength``.
    """

def equity(a: object, b: object, board: Cards = "") -> float:
    """The share of range ``a`` all-in against range ``b`` on a board of 0, 3, 4 or 5 cards.

    Raises
    ------
    CardError
        As for ``strength``.
    RangeError
        Invalid weights, or two ranges without a compatible pair of holdings.
    """
