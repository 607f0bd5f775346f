from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["runout"]

def runout(
    holes: Sequence[Sequence[int]],
    board: Sequence[int],
    sets: Sequence[int],
    dead: Sequence[int] = (),
    boards: int | None = None,
    seed: int | None = None,
) -> NDArray[np.float64]:
    """The shares of pots that known holdings win when the betting is over.

    Parameters
    ----------
    holes
        Two card ids for each of 1 to 10 players.
    board
        0 to 5 ids.
    sets
        The contenders of each pot: one bit for each player, bit 0 the first.
    dead
        Ids of other removed cards: those of players that have folded.
    boards, seed
        None = every board, exact; otherwise the number of sampled boards and their seed, below 2**64.

    Returns
    -------
    float64, shape (sets, players)
        Shares 0..1; each row sums to 1, and a player that is not a contender has 0.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or too many.
    ArgumentError
        A set that is empty or has unknown players; boards without a seed.

    Examples
    --------
    >>> from baycarp.card import cards
    >>> aces, kings = cards("AhAd"), cards("KsKc")
    >>> runout([aces, kings], cards("2s7h9d3c"), [0b11]).round(4)
    array([[0.9545, 0.0455]])
    """
