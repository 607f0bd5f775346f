import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["CATEGORIES", "categories", "category_orders"]

CATEGORIES: int
"""The number of categories of a hand: high card (0) to straight flush (8)."""

def categories(board: Cards) -> NDArray[np.int32]:
    """Count the complete boards on which each holding ends in each category of hand, exactly.

    Parameters
    ----------
    board
        Three to five cards, as for ``sweeps.sweep``.

    Returns
    -------
    int32 array, shape (1326, 9)
        By holding index and category; each row sums to the number of complete boards beside the holding
        (1,081 on the flop, 46 on the turn, 1 on the river), and is 0 if the board blocks the holding.

    Raises
    ------
    CardError
        As there.

    References
    ----------
    Matthews (2005), section 4: "counting outs".

    Examples
    --------
    >>> categories("AsQs7s4c")[holding_index(15, 28)].tolist()  # 5s9c: nine cards make the flush
    [23, 14, 0, 0, 0, 9, 0, 0, 0]
    """

def category_orders(board: Cards) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """As ``categories``, and the order of the hands within their category, summed over the same boards.

    Returns
    -------
    counts, orders
        int32 arrays, shape (1326, 9): ``orders / counts`` is the mean order, 0 = the worst of the category.

    Raises
    ------
    CardError
        As for ``categories``.
    """
