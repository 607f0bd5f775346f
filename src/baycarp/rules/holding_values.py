"""The strength and potential of every holding on a board, against one random opponent."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDS
from baycarp.kernels import sweeps

__all__ = ["holding_values"]

Array = NDArray[np.float64]


@lru_cache(maxsize=1024)  # the boards of a session of 500 hands, which duplicate matches play again
def holding_values(board: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """HS, PPot and NPot (one card ahead) of every holding on a board against one random opponent.

    Three float64 arrays of 1,326, nan where the board blocks; on the river the potentials are 0. Every player
    at a table reads the same boards, so they are kept.
    """
    if len(board) == 5:
        nothing = np.zeros(HOLDS.shape[1])
        return sweeps.sweep(board), nothing, nothing
    return sweeps.sweep_potential(board)
