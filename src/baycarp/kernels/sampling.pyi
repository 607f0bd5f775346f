from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["Sampler"]

@final
class Sampler:
    """Deals of some ranges, as many as requested.

    Parameters
    ----------
    weights
        The 1,326 weights of each of 2 to 10 ranges.
    board
        0, 3, 4 or 5 cards, text or ids.
    seed
        0..2**64 - 1. Two calls of ``deal`` for n and m are, bit for bit, one for n + m.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Weights that are no range, or that leave no holding beside the board.
    """

    deals: int
    """Made so far."""

    def __init__(self, weights: Sequence[object], board: Cards, seed: int) -> None: ...
    def deal(self, deals: int) -> None:
        """Make more.

        Raises
        ------
        RangeError
            Ranges that (almost) always clash.
        """

    def shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each has won of a pot on average, and the standard error; needs two deals."""
