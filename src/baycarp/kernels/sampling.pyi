from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["Sampler"]

@final
class Sampler:
    """Sampled deals of some ranges, in any number of calls.

    Parameters
    ----------
    weights
        The 1,326 weights of each of 2 to 10 ranges.
    board
        0, 3, 4 or 5 cards, text or ids.
    seed
        0..2**64 - 1. Calls of ``deal`` with n and m give the same bits as one call with n + m.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Invalid weights, or ranges that the board blocks completely.
    """

    deals: int
    """The number of deals so far."""

    def __init__(self, weights: Sequence[object], board: Cards, seed: int) -> None: ...
    def deal(self, deals: int) -> None:
        """Sample more deals.

        Raises
        ------
        RangeError
            Ranges whose holdings (almost) always share a card.
        """

    def shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean pot share of each range and its standard error; needs two deals."""
