"""Every holding on a board at once, and sampled pot shares."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import Cards

__all__ = ["share", "sweep", "sweep_expected", "sweep_potential"]

def sweep(board: Cards, weights: ArrayLike | None = None) -> NDArray[np.float64]:
    """Hand strength now of every holding against a range, on a board of 3, 4 or 5 cards.

    Parameters
    ----------
    board
        Text or ids.
    weights
        The range, shape (1326,), >= 0; None = every holding alike.

    Returns
    -------
    float64 array, shape (1326,)
        0..1, ties half; nan where the board blocks the holding, or nothing of the range is left.

    Raises
    ------
    CardError, RangeError

    Source: Billings et al. 2002, hand strength; the sort and sweep is folklore of equilibrium solvers.
    """

def sweep_potential(
    board: Cards,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Strength, and positive and negative potential with one card to come, of every holding.

    Against all holdings alike, on a board of 3 or 4 cards; exact.

    Returns
    -------
    hs, ppot, npot
        float64 arrays, shape (1326,); nan where blocked.

    Source: Billings et al. 2002; Papp 1998, section 5.3 (PPot1, NPot1).
    """

def sweep_expected(
    board: Cards, weights: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """E[HS] and E[HS^2] of every holding over all ways to complete a board of 3, 4 or 5 cards.

    Returns
    -------
    mean, square
        float64 arrays, shape (1326,); nan where blocked.

    Source: seed 001, section 5.2.1; seed 004, section 5.4.
    """

def share(hole: Cards, players: int, deals: int, seed: int) -> tuple[float, float]:
    """The mean pot share of two cards against ``players - 1`` random holdings, checked down; and its error.

    Parameters
    ----------
    players
        2..10.
    deals
        Sampled deals, at least 2.
    seed
        The same seed gives the same answer.

    Returns
    -------
    mean, error
        0..1; the error is one standard error.
    """
