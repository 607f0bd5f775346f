"""Sweeps and equity the slow way: what tests and benchmarks hold the fast kernels against."""

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["naive_equity", "naive_sweep", "naive_sweep_expected"]

def naive_sweep(board: Cards, weights: object) -> NDArray[np.float64]:
    """Measure what ``sweep`` does by ranking and sorting all holdings; weights are whole.

    Examples
    --------
    >>> round(float(naive_sweep("3h4cJh", np.ones(1326))[holding_index(49, 40)]), 4)  # AdQc
    0.5851
    """

def naive_sweep_expected(board: Cards, weights: object) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure what ``sweep_expected`` does by ``naive_sweep`` on every complete board.

    Examples
    --------
    >>> round(float(naive_sweep_expected("Qs7d2c4h", np.ones(1326))[0][holding_index(50, 45)]), 4)  # AhKd
    0.4791
    """

def naive_equity(a: object, b: object, board: Cards) -> tuple[float, float]:
    """Give the weight won and the weight of all pairs, over every complete board, pair by pair.

    Examples
    --------
    >>> naive_equity(np.arange(1326) == 1325, np.arange(1326) == 0, "Qs7d3c4h9h")  # AsAh against 2d2c
    (1.0, 1.0)
    """
