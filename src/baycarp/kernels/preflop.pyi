import numpy as np
from numpy.typing import NDArray

__all__ = ["BOARDS", "TABLE_BYTES", "class_equities", "class_strengths", "equity", "lead"]

BOARDS: int
"""Boards that two holdings leave: C(48, 5) = 1,712,304."""

TABLE_BYTES: int
"""What all tables take."""

def lead(a: object, b: object) -> int | None:
    """Boards that holding ``a`` wins less those that it loses, of ``BOARDS``.

    Reads the tidy form alone, text such as ``"AhKd"`` or a tuple of two ids, because reading is what takes
    the time; None for anything else, and for holdings that share a card.
    """

def equity(a: object, b: object) -> float:
    """The share of range ``a`` all-in against range ``b``.

    A weight below 2^-41 of the greatest counts as none.

    Raises
    ------
    RangeError
        Weights that are no range, or two ranges of which no two holdings can meet.
    """

def class_equities() -> NDArray[np.float64]:
    """The share of each starting class against each: mean over the pairs of holdings that can meet.

    Returns
    -------
    float64 array, shape (169, 169), read-only
        By ``class_index``; ``[i, j] + [j, i] == 1``.
    """

def class_strengths() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """E[HS] and E[HS^2] of each starting class over all boards, against any holding.

    Returns
    -------
    mean, square
        Each float64, shape (169,), read-only, by ``class_index``.
    """
