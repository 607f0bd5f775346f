"""Monte-Carlo tree search of one hand against modelled opponents (csrc/include/baycarp/search.h)."""

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import Cards
from baycarp.kernels.game import Hand

__all__ = ["BACKUPS", "MoveValue", "Search"]

BACKUPS: tuple[str, ...]
"""How values return at the player's own nodes: the mean by sampling frequency, or the largest child's."""

class MoveValue(NamedTuple):
    """The result for one move.

    Parameters
    ----------
    kind, amount
        ``game.FOLD``, ``CALL`` or ``RAISE``; a raise's total on the street, otherwise 0.
    visits
        Results of the move.
    value
        Chips to be won from this decision on; a fold is 0, nan without a visit.
    error
        The standard error of the mean of its results, in chips; inf below two visits.
    pruned
        Whether the move is selected no more.
    """

    kind: int
    amount: int
    visits: int
    value: float
    error: float
    pruned: bool

@final
class Search:
    """A search tree, kept over the decisions of one hand.

    Parameters
    ----------
    hand
        The hand at a decision of the player to act, limit or no-limit.
    hole, board
        The player's cards, and the board of the street.
    weights
        float64, shape (seats, clusters, 1326), >= 0: the joint weight of an opponent's cluster and holding.
        The rows of the player and of folded seats are not read.
    chances
        float64, shape (clusters + 1, 4 streets, 5 prices, buckets, 3 kinds): the policies of the clusters,
        and last the player's own in roll-outs. Prices: nothing owed, the first bet, the second, a later one,
        no raise legal.
    now
        Integers, shape (1326,): the bucket of each holding on the present board.
    edges
        Four ascending rows, one a street: strengths at which the next bucket begins on later boards.
    sizes
        Of raises in no-limit, in pots after the call, at most 8; the least raise and all-in are always there.
    explore
        The constant C of UCT, in chips.
    prune
        Half-width of the intervals of progressive pruning at the root, in standard errors; 0 = none.
    backup
        One of ``BACKUPS``.
    nodes
        Most nodes of the tree, 13 or more, 64 bytes each.
    dead
        Cards out of the deck.
    seed
        0 .. 2^64 - 1.

    Raises
    ------
    ArgumentError, CardError, RangeError, VariantError
        An argument outside its range.

    Source: van der Kleij (2010), chapter 3 and section 6.1.
    """

    def __init__(
        self,
        hand: Hand,
        hole: Cards,
        board: Cards,
        weights: NDArray[np.float64],
        chances: NDArray[np.float64],
        now: ArrayLike,
        edges: Sequence[ArrayLike],
        *,
        sizes: Sequence[float] = (),
        explore: float = 1.0,
        prune: float = 0.0,
        backup: str = "frequency",
        nodes: int = 100000,
        dead: Sequence[int] = (),
        seed: int = 0,
    ) -> None: ...
    def advance(
        self,
        hand: Hand,
        board: Cards,
        weights: NDArray[np.float64],
        now: ArrayLike,
        moves: Sequence[tuple[int, int]],
        seed: int = 0,
    ) -> bool:
        """Go on with the player's next decision in the same hand.

        Parameters
        ----------
        hand, board, weights, now
            As at the start.
        moves
            (kind, amount) of every action since the last decision, the player's first.
        seed
            Of the iterations from here on.

        Returns
        -------
        bool
            Whether the tree below the moves was kept; otherwise it starts again.

        Raises
        ------
        ArgumentError, IllegalAction, RangeError
            Moves that do not lead from the last decision to this one, or other arguments outside their range.
        """

    def run(self, iterations: int) -> None:
        """Make more iterations; n and then m give the same bits as n + m."""

    @property
    def iterations(self) -> int:
        """The iterations of this decision."""

    @property
    def forced(self) -> int:
        """The deals that Gibbs sampling made, because compatible holdings are rare."""

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""

    def values(self) -> tuple[MoveValue, ...]:
        """The result for each move of the abstraction."""

    def softmax(self, temperature: float) -> tuple[float, ...]:
        """The probability of each move, proportional to exp(value / temperature) (equation 6.2).

        Parameters
        ----------
        temperature
            Chips; 0 = the move of the largest value alone.

        Raises
        ------
        ArgumentError
            A negative temperature, or no move was tried yet.
        """
