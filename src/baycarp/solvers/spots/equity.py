"""The equity of every holding against a range: its share of the pot at a showdown, exact over all boards."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, HOLDS, blocked_by
from baycarp.kernels.sweeps import sweep

__all__ = ["beside", "holding_equities"]


def beside(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """The weight of a range beside each holding: without those that share a card with it.

    Parameters
    ----------
    weights
        Shape (1326,).

    Examples
    --------
    >>> float(beside(np.ones(1326))[0])
    1225.0
    """
    cards = HOLDS @ weights
    left = weights.sum() - cards[HOLDINGS].sum(axis=1) + weights
    return np.asarray(np.maximum(left, 0.0))


def holding_equities(weights: NDArray[np.floating], board: Sequence[int]) -> NDArray[np.float64]:
    """The share of the pot of each holding against a range, ties half, all cards to come dealt.

    Parameters
    ----------
    weights
        Of the range, shape (1326,).
    board
        Three to five cards.

    Returns
    -------
    float64 array, shape (1326,)
        nan where the board blocks a holding, or where it leaves no holding of the range.
    """
    won, met = np.zeros(1326), np.zeros(1326)
    for full in _boards(board):
        live = np.where(blocked_by(full), 0.0, weights)
        if not live.any():
            continue
        share, mass = sweep(np.array(full, np.uint8), live), beside(live)
        known = ~np.isnan(share)
        won[known] += share[known] * mass[known]
        met[known] += mass[known]
    return np.where(met > 0, won / np.where(met > 0, met, 1.0), np.nan)


def _boards(board: Sequence[int]) -> Iterator[tuple[int, ...]]:
    rest = [card for card in range(52) if card not in board]
    return ((*board, *dealt) for dealt in combinations(rest, 5 - len(board)))
