"""Textures: boards alike in what they make of the ranks, the pairs and the suits in a hand.

A texture is the nearest of some centres, by the L1 distance of ``features``. Source of the idea: public
abstraction, Waugh, Zinkevich, Johanson, Kan, Schnizlein and Bowling (2009), "A practical use of imperfect
recall"; the features are ours.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.evaluation import expected_strength
from baycarp.kernels.arguments import seeded

__all__ = ["WEIGHTS", "features", "sample_textures"]

WEIGHTS = np.repeat([2.0, 1.0, 6.0], [13, 13, 4])
"""Of the features in a distance: ranks, pairs, suits."""


def features(means: NDArray[np.float64]) -> NDArray[np.float32]:
    """What a board makes of hands: the same for boards that differ by the suits' names.

    Parameters
    ----------
    means
        E[HS] of every holding, float64, shape (1326,); nan where it is blocked.

    Returns
    -------
    float32 array, shape (30,)
        Weighted means of E[HS]: of the holdings with each rank, of each pair, and of the suited holdings of
        each suit, the strongest suit first; 0 where all are blocked.
    """
    live = ~np.isnan(means)
    sums = _groups() @ np.where(live, means, 0.0)
    found = sums / np.maximum(_groups() @ live, 1)
    found[26:] = -np.sort(-found[26:])
    weighted: NDArray[np.float32] = (found * WEIGHTS).astype(np.float32)
    return weighted


@cache
def _groups() -> NDArray[np.float64]:
    """The members of each group of holdings, 0 or 1: shape (30, 1326)."""
    ranks, suits = HOLDINGS // 4, HOLDINGS % 4
    is_pair = ranks[:, 0] == ranks[:, 1]
    is_suited = suits[:, 0] == suits[:, 1]
    with_rank = [(ranks == rank).any(axis=1) for rank in range(13)]
    pairs = [is_pair & (ranks[:, 0] == rank) for rank in range(13)]
    suited = [is_suited & (suits[:, 0] == suit) for suit in range(4)]
    return np.array([*with_rank, *pairs, *suited], np.float64)


def sample_textures(size: int, boards: int, seed: int) -> NDArray[np.float32]:
    """The features of sampled boards.

    Parameters
    ----------
    size
        Cards of a board, 3 to 5.
    boards
        Their number.
    seed
        Of the boards.

    Returns
    -------
    float32 array, shape (boards, 30)
    """
    draw = seeded(seed)
    some = (draw.permutation(52)[:size].astype(np.uint8) for _ in range(boards))
    return np.array([features(expected_strength(None, board)[0]) for board in some])
