import numpy as np
from numpy.typing import NDArray

__all__ = ["BOARDS", "TABLE_BYTES", "class_equities", "class_strengths", "equity", "lead"]

BOARDS: int
"""Number of boards of two holdings: C(48, 5) = 1,712,304."""

TABLE_BYTES: int
"""The bytes of all tables."""

def lead(a: object, b: object) -> int | None:
    """The number of boards that holding ``a`` wins minus those that it loses, of ``BOARDS``.

    A fast path for text such as ``"AhKd"`` or a tuple of two ids; None for any other form and for holdings
    that share a card.
    """

def equity(a: object, b: object) -> float:
    """The share of range ``a`` all-in against range ``b``.

    A weight below 2^-41 of the largest counts as 0.

    Raises
    ------
    RangeError
        Invalid weights, or two ranges without a compatible pair of holdings.
    """

def class_equities() -> NDArray[np.float64]:
    """The share of each starting class against each other: mean over the compatible pairs of holdings.

    Returns
    -------
    float64 array, shape (169, 169), read-only
        By ``class_index``; ``[i, j] + [j, i] == 1``.
    """

def class_strengths() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """E[HS] and E[HS^2] of each starting class over all boards, against a random holding.

    Returns
    -------
    mean, square
        Each float64, shape (169,), read-only, by ``class_index``.
    """
