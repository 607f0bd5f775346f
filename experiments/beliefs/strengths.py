"""Strength and potential, one card ahead, of every holding at once against weighted ranges.

The formula player's evaluation of its own two cards (``evaluation.strength`` with ``ahead=1``), for all
holdings: its cards block holdings of the others, so that every holding has other ranges against it. Pairs of
holdings are compared once for each board, in matrices; a range is then a product with a vector.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, HOLDS, blocked_by
from baycarp.kernels import sweeps
from baycarp.kernels.hands import rank

__all__ = ["against"]

Array = NDArray[np.float64]


def against(board: tuple[int, ...], tables: Array) -> tuple[Array, Array, Array]:
    """HS, PPot and NPot of each holding against the mean of some ranges, each normalised.

    Parameters
    ----------
    board
        Three to five card ids.
    tables
        float64, shape (ranges, 1326), at least 0; blocked holdings are not read.

    Returns
    -------
    hs, ppot, npot
        float64, shape (1326,), nan where the board blocks; on the river the potentials are 0. Before it they
        are computed in single precision: digits from the sixth on depend on the BLAS and its threads.

    Source: Papp 1998, section 7.3.1 (the field array); Billings et al. 1998.

    Examples
    --------
    >>> from baycarp.card import cards, holding_index
    >>> figures = against(tuple(cards("3h4cJh").tolist()), np.ones((1, 1326)))
    >>> [round(float(figure[holding_index(49, 40)]), 4) for figure in figures]  # AdQc
    [0.5851, 0.1083, 0.1454]
    """
    if len(board) == 5:
        each = [sweeps.sweep(board, np.ascontiguousarray(table)) for table in tables]
        return np.mean(each, axis=0), np.zeros(1326), np.zeros(1326)
    pairs = _pairs(board)
    weights = tables[:, pairs.free].T.astype(np.float32)
    mass = pairs.apart @ weights
    lost, gained, dropped = (
        (matrix @ weights / mass).mean(axis=1) for matrix in (pairs.behind, pairs.gains, pairs.gains.T)
    )
    out = np.full((3, 1326), np.nan)
    with np.errstate(invalid="ignore"):
        out[:, pairs.free] = 1 - lost, _share(gained, lost), _share(dropped, 1 - lost)
    return out[0], out[1], out[2]


def _share(part: Array, whole: Array) -> Array:
    """The quotient, 0 if the denominator is 0."""
    return np.where(whole > 1e-6, part / np.maximum(whole, 1e-6), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Every pair of the holdings possible on a board, row against column; float32 of shape (free, free).

    ``apart`` = 1 if they share no card; ``behind`` = 1 if the row is behind, a tie half;
    ``gains`` = the share of next cards that bring the row from behind to ahead, ties half.
    """

    free: NDArray[np.intp]
    apart: NDArray[np.float32]
    behind: NDArray[np.float32]
    gains: NDArray[np.float32]


@lru_cache(maxsize=4)  # some 17 MB each
def _pairs(board: tuple[int, ...]) -> _Pairs:
    free = np.flatnonzero(~blocked_by(board))
    holds = HOLDS[:, free]
    apart = ~(holds.T.astype(np.float32) @ holds.astype(np.float32)).astype(bool)
    now = _ranks(free, board)
    behind, tied = (now[:, None] < now) & apart, (now[:, None] == now) & apart
    ahead = np.zeros(apart.shape, np.uint8)
    rest = [card for card in range(52) if card not in board]
    for card in rest:
        later = _ranks(free, (*board, card))
        row, column = np.where(holds[card], 0, later), np.where(holds[card], 65535, later)
        ahead += row.astype(np.uint16)[:, None] > column.astype(np.uint16)
    futures = len(rest) - 4
    ahead *= apart
    ties = futures * apart.astype(np.uint8) - ahead - ahead.T
    half = np.float32(0.5)
    gains = (behind * (ahead + ties * half) + tied * (ahead * half)) / np.float32(futures)
    return _Pairs(free, apart.astype(np.float32), behind + tied * half, gains.astype(np.float32))


def _ranks(holdings: NDArray[np.intp], board: tuple[int, ...]) -> NDArray[np.uint16]:
    """The rank of each holding on a board; 0 for a holding with its last card."""
    hands = np.hstack([HOLDINGS[holdings], np.tile(np.array(board, np.uint8), (len(holdings), 1))])
    free, ranks = ~HOLDS[board[-1], holdings], np.zeros(len(hands), np.uint16)
    ranks[free] = rank(hands[free])
    return ranks
