"""What a policy by holding sees of a holding on a board: ranks, strength, draws, and its place on the board.

No input depends on the suits beyond what they are worth, so that many holdings share a row: a policy is
evaluated once a row, not once a holding. For the same reason inputs are rounded to hundredths, and a single
card of the own suit on the board counts as none; our choices.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS
from baycarp.evaluation import expected_strength
from baycarp.kernels.categories import categories
from baycarp.kernels.sweeps import rank_holdings
from baycarp.rules.buckets import percentiles

__all__ = ["HOLDING_INPUTS", "HoldingInputs", "holding_inputs"]

Array = NDArray[np.float64]

HOLDING_INPUTS = (
    "high rank", "low rank", "suited", "gap", "pre-flop percentile", "pre-flop equity",
    "percentile of E[HS]", "percentile of E[HS^2]", "E[HS^2]", "percentile of the hand", "category",
    *(f"ends in category {number}" for number in range(1, 9)),
    "more of the suit on the board", "less of the suit on the board",
    "ranks above the high card", "ranks above the low card", "high card paired", "low card paired",
)  # fmt: skip
"""Names; those after the sixth are -1 before the flop."""

PREFLOP = 6
"""The number of inputs that a holding has without a board."""

_CARDS: NDArray[np.int64] = np.array(HOLDINGS, np.int64)
_RANKS: NDArray[np.int64] = np.sort(_CARDS // 4, axis=1)[:, ::-1]
_SUITS: NDArray[np.int64] = _CARDS % 4


@dataclass(frozen=True, slots=True)
class HoldingInputs:
    """The inputs of all holdings on a board.

    Parameters
    ----------
    rows
        Shape (rows, ``len(HOLDING_INPUTS)``): the different ones.
    row
        Int64, shape (1326,): the row of each holding; that of a holding which the board blocks means nothing.
    """

    rows: Array
    row: NDArray[np.int64]


@lru_cache(maxsize=1024)  # 80 KB each
def holding_inputs(board: tuple[int, ...]) -> HoldingInputs:
    """The inputs of all holdings.

    Parameters
    ----------
    board
        No card, or three to five ids.

    Examples
    --------
    >>> found = holding_inputs(())
    >>> found.rows.shape  # a row for each of the 169 classes
    (169, 25)
    """
    found = np.full((len(HOLDINGS), len(HOLDING_INPUTS)), -1.0)
    found[:, :PREFLOP] = _preflop()
    if board:
        found[:, PREFLOP:] = _on(board)
    found = np.ascontiguousarray(np.nan_to_num(found.round(2)) + 0.0)
    same = found.view(np.dtype((np.void, found.itemsize * found.shape[1]))).ravel()
    _, first, row = np.unique(same, return_index=True, return_inverse=True)
    return HoldingInputs(found[first], row.ravel())


@cache
def _preflop() -> Array:
    mean, square = expected_strength(None)
    suited, gap = _SUITS[:, 0] == _SUITS[:, 1], _RANKS[:, 0] - _RANKS[:, 1]
    return np.column_stack([_RANKS, suited, gap, percentiles(square), mean])


def _on(board: tuple[int, ...]) -> Array:
    """Shape (1326, inputs of a board); blocked holdings have no meaning."""
    mean, square = expected_strength(None, board)
    hands = rank_holdings(board).astype(np.int64)
    ends = categories(board)
    ends = ends / np.maximum(ends.sum(axis=1, keepdims=True), 1)
    ranks, suits = np.array(board) // 4, np.bincount(np.array(board) % 4, minlength=4)[_SUITS]
    now = percentiles(np.where(np.isnan(mean), np.nan, hands))
    above = (ranks > _RANKS[:, :, None]).sum(axis=2)
    strength = (percentiles(mean), percentiles(square), square, now, hands >> 12)
    suits = np.where(suits > 1, suits, 0)
    places = (suits.max(axis=1), suits.min(axis=1), above, np.isin(_RANKS, ranks))
    return np.column_stack([*strength, ends[:, 1:], *places])
