"""Monte-Carlo tree search of one hand against modelled opponents (csrc/include/baycarp/search.h)."""

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import Cards
from baycarp.kernels.game import Hand, Rules

__all__ = [
    "BACKUPS",
    "CHOICES",
    "INPUTS",
    "MoveValue",
    "Search",
    "TreePolicies",
    "bucket_table",
    "hand_choices",
]

CHOICES: int
"""Ten: fold; check or call; a bet or raise by its size, seven; one of the whole stack."""

INPUTS: int
"""Inputs of a tree of ``TreePolicies``: the 41 public features, and the bucket."""

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

def bucket_table(
    board: Cards, edges: ArrayLike, draw: float = 0.0, ranked: bool = False
) -> NDArray[np.uint8]:
    """The bucket of every holding on a board of 3, 4 or 5 cards.

    Parameters
    ----------
    board
        The cards.
    edges
        Ascending numbers, at most 63: the strengths at which the next bucket begins.
    draw
        The worth of an out of the holding, of what it lacks to the best hand: 0..0.0625.
    ranked
        Whether the strength is the rank of E[HS^2] among the holdings of the board, 0..1; equal holdings
        are spread over the stretch that they take together. ``draw`` does not count then.

    Returns
    -------
    uint8, shape (1326,)
        0 for blocked holdings.

    Raises
    ------
    ArgumentError, CardError
        An argument outside its range.
    """

def hand_choices(
    rules: Rules, stacks: tuple[int, ...], actions: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """The choice of every action of a hand, and the choices that were legal; actions are (kind, amount).

    Returns
    -------
    int8, shape (actions,)
        0 .. ``CHOICES`` - 1.
    bool, shape (actions, ``CHOICES``)
        Whether an action of the choice was legal.

    Raises
    ------
    IllegalAction
        An action that breaks the rules.
    """

@final
class TreePolicies:
    """Policies as decision trees, for searches.

    Parameters
    ----------
    trees
        By cluster and situation, nodes (``kernels.trees.NODE``) over ``INPUTS`` features and values of shape
        (leaves, ``CHOICES``), above 0. The last cluster is the player's own policy in roll-outs.

    Raises
    ------
    ArgumentError
        Another number of trees, or one that is not valid.
    """

    def __init__(self, trees: Sequence[Sequence[tuple[NDArray[np.void], NDArray[np.float64]]]]) -> None: ...
    @property
    def clusters(self) -> int:
        """The number of clusters, the own policy included."""

    def extended(self, models: Sequence[Sequence[NDArray[np.float64]]]) -> TreePolicies:
        """The same policies, and before the last row further ones with the comparisons of the last row.

        Parameters
        ----------
        models
            By model and situation, the values of the leaves: shape (leaves, ``CHOICES``), above 0.

        Raises
        ------
        ArgumentError
            Another number of situations, or values of another shape or range.
        """

    def chances(self, inputs: NDArray[np.float64], situation: int) -> NDArray[np.float64]:
        """The probabilities of the choices in a situation: shape (clusters, rows, ``CHOICES``).

        Raises
        ------
        ArgumentError
            Rows of another length, or no such situation.
        """

    def moves(
        self,
        hand: Hand,
        acts: Sequence[tuple[int, int]],
        board: Cards,
        sizes: Sequence[float],
        buckets: int,
        all_in: bool = True,
    ) -> tuple[tuple[tuple[int, int], ...], NDArray[np.float64]]:
        """What the player to act does, as a search samples it.

        Parameters
        ----------
        hand, acts, board
            The hand at the decision, all actions before it, and the board of the street.
        sizes, all_in
            As for ``Search``.
        buckets
            How many, 1 to 64.

        Returns
        -------
        moves, chances
            (kind, amount) each; shape (clusters, buckets, moves), rows sum to 1.

        Raises
        ------
        ArgumentError, CardError, IllegalAction
            An argument outside its range.
        """

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
    policies
        Of the clusters, and last the player's own in roll-outs: ``TreePolicies``, which need ``acts``; or
        float64, shape (clusters + 1, 4 streets, 5 prices, buckets, 3 kinds). Prices: nothing owed, the first
        bet, the second, a later one, no raise legal.
    now
        Integers, shape (1326,): the bucket of each holding on the present board.
    edges
        Four ascending rows, one a street: strengths at which the next bucket begins on later boards.
    draw
        The worth of an out on later boards (``bucket_table``).
    ranked
        Whether the strength on later boards is the rank of E[HS^2] (``bucket_table``).
    acts
        (kind, amount) of all actions of the hand before the decision; read for ``TreePolicies`` alone.
    sizes
        Of raises in no-limit, in pots after the call, at most 8; the least raise is always there.
    all_in
        Whether a raise of the whole stack is always there; False = only where a size is as large.
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
        policies: TreePolicies | NDArray[np.float64],
        now: ArrayLike,
        edges: Sequence[ArrayLike],
        *,
        draw: float = 0.0,
        ranked: bool = False,
        acts: Sequence[tuple[int, int]] = (),
        sizes: Sequence[float] = (),
        all_in: bool = True,
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
        explore: float | None = None,
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
        explore
            The constant from here on, in chips; None = as before.

        Returns
        -------
        bool
            Whether the tree below the moves was kept; otherwise it starts again.

        Raises
        ------
        ArgumentError, IllegalAction, RangeError
            Moves that do not lead from the last decision to this one, or other arguments outside their range.
        """

    def restart(self, hole: Cards, weights: NDArray[np.float64], seed: int = 0) -> None:
        """Begin anew at the same decision with other cards of the player.

        The result is that of a new search; the buckets of boards, which do not depend on the player's cards,
        are computed once.

        Parameters
        ----------
        hole, weights, seed
            As at the start.

        Raises
        ------
        ArgumentError, CardError, RangeError
            An argument outside its range; the search is as before.
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
