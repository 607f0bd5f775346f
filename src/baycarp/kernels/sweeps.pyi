"""Ranks and strengths of all holdings on a board, and sampled pot shares."""

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["rank_holdings", "share", "sweep", "sweep_expected", "sweep_expected_batch", "sweep_potential"]

def rank_holdings(board: Cards) -> NDArray[np.uint16]:
    """Rank the best five of every holding and a board, as ``hands.rank``.

    Parameters
    ----------
    board
        Three to five cards: text, or ids.

    Returns
    -------
    uint16 array, shape (1326,)
        By holding; 0 where a card lies on the board.

    Raises
    ------
    CardError
        As for ``sweep``.
    """

def sweep(board: Cards, weights: object = None) -> NDArray[np.float64]:
    """Measure the strength now of every holding against one range.

    Parameters
    ----------
    board
        Three, four or five cards, text or ids.
    weights
        The range: 1,326 weights by holding index, finite and at least 0; None = uniform. They are
        rounded to 40 bits below the largest, so a smaller weight counts as 0.

    Returns
    -------
    float64 array, shape (1326,)
        0..1, ties half; nan if the board blocks the holding, or the holding and the board block the range.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    RangeError
        Invalid weights.

    References
    ----------
    Billings, Papp, Schaeffer and Szafron (1998), hand strength. Sort and sweep is common in solvers.

    Examples
    --------
    >>> round(float(sweep("3h4cJh")[holding_index(49, 40)]), 4)  # AdQc
    0.5851
    """

def sweep_potential(
    board: Cards,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Measure strength and both potentials, one card ahead, of every holding against a uniform range.

    Parameters
    ----------
    board
        Three or four cards.

    Returns
    -------
    hs, ppot, npot
        float64 arrays, shape (1326,): 0..1, nan if the board blocks the holding; the potential
        of an empty event is 0.

    Raises
    ------
    CardError
        As for ``sweep``.

    References
    ----------
    Billings et al. (1998); Papp (1998), section 5.3: PPot1 and NPot1.

    Examples
    --------
    >>> [round(float(figure[holding_index(49, 40)]), 4) for figure in sweep_potential("3h4cJh")]
    [0.5851, 0.1083, 0.1454]
    """

def sweep_expected(board: Cards, weights: object = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure E[HS] and E[HS^2] of every holding: strength on the final board, over all final boards.

    Parameters
    ----------
    board
        Three, four or five cards, text or ids; without weights also no cards (a few tenths of a second).
    weights
        The range of the opponent, as for ``sweep``; strengths are then rounded to 40 bits, so that their sums
        are exact. None = uniform, without rounding.

    Returns
    -------
    mean, square
        float64 arrays, shape (1326,): 0..1, over the boards on which the range is not blocked completely; nan
        without such a board, and if the board blocks the holding.

    Raises
    ------
    CardError, RangeError
        As for ``sweep``.

    References
    ----------
    Rubin and Watson (2012), section 5.2.1; van der Kleij (2010), section 5.4.

    Examples
    --------
    >>> round(float(sweep_expected("Qs7d2c")[0][holding_index(50, 45)]), 4)  # AhKd
    0.5565
    """

def sweep_expected_batch(
    boards: NDArray[np.uint8], weights: object = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure E[HS] and E[HS^2] of every holding on many boards.

    Parameters
    ----------
    boards
        Card ids, shape (n, 3), (n, 4) or (n, 5).
    weights
        As for ``sweep_expected``, the same for all boards.

    Returns
    -------
    mean, square
        float64 arrays, shape (n, 1326): each row equals the result of ``sweep_expected``.

    Raises
    ------
    CardError, RangeError
        As for ``sweep``.

    Examples
    --------
    >>> flops = np.array([[43, 21, 0], [42, 30, 10]], dtype=np.uint8)
    >>> sweep_expected_batch(flops)[0].shape
    (2, 1326)
    """

def share(hole: Cards, players: int, deals: int, seed: int) -> tuple[float, float]:
    """Sample the pot share of two cards when every player holds any two cards and stays to the end.

    Parameters
    ----------
    hole
        Two cards, text or ids.
    players
        2..10, including this one.
    deals
        Sampled deals, at least 2.
    seed
        0..2^64 - 1; the same seed gives the same result.

    Returns
    -------
    mean, error
        0..1, a k-way tie pays 1/k; and the standard error of the mean.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    ArgumentError
        Too few or too many players, or too few deals.

    Examples
    --------
    >>> mean, error = share("AhAd", players=2, deals=10_000, seed=1)
    >>> abs(mean - 0.852) < 4 * error < 0.02
    True
    """
