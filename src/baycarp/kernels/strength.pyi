import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = [
    "as_weights",
    "equity",
    "expected_strength",
    "known_cards",
    "strength",
    "weights_beside",
]

def as_weights(weights: object, name: str = "weights") -> NDArray[np.float64]:
    """The one converter before every kernel that takes a range: 1,326 finite weights of at least 0.

    Raises
    ------
    RangeError
        Another shape or type, or a weight that is negative or not finite.
    """

def weights_beside(
    weights: object, cards: Cards, name: str = "weights", limit: int = 900
) -> NDArray[np.float64]:
    """The weights of the holdings beside some cards, 0 of the others: float64, shape (1326,).

    Where the largest is not between ``2**-limit`` and ``2**limit`` all are multiplied by a power of two,
    which keeps every digit, so that it is; a limit is 1 to 900.

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
    """``as_cards`` of up to seven cards, faster for text as ``text`` prints it, then as bytes."""

def strength(
    hole: Cards, board: Cards, weights: object = None, ahead: int = 2, name: str = "weights"
) -> tuple[float, float, float]:
    """(HS, PPot, NPot) of a holding against one range; None = every holding.

    ``ahead``: how many cards the potentials look ahead, at most those to come; 0 leaves them 0.
    ``name``: what the caller calls the weights, for the message.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Weights that are no range, or that leave no holding beside the known cards.
    ArgumentError
        ``ahead`` out of range.
    """

def expected_strength(hole: Cards, board: Cards) -> tuple[float, float]:
    """(E[HS], E[HS^2]) of a holding over all complete boards, against every holding.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    """

def equity(a: object, b: object, board: Cards = "") -> float:
    """The share of range ``a`` all-in against range ``b`` on a board of 0, 3, 4 or 5 cards.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Weights that are no range, or two ranges of which no two holdings can meet.
    """
