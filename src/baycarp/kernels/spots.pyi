"""Equilibria of heads-up spots: range against range over a betting tree to the end of the hand."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import Cards

__all__ = [
    "ACTIONS",
    "DEAL",
    "DECISION",
    "END",
    "GIVEN",
    "SCHEMES",
    "SHOWDOWN",
    "SUM",
    "Engine",
    "Probe",
    "engine_bytes",
]

DECISION: int
END: int
SHOWDOWN: int
DEAL: int
SUM: int
GIVEN: int
"""Kinds of nodes; ``Engine`` has their meaning."""

ACTIONS: int
"""The most children of a node."""

SCHEMES: Mapping[str, tuple[float, float, float, int]]
"""Weights of iterations by name. Three exponents, for positive regrets, negative ones and the average: what
was summed in t iterations is multiplied with t^a / (t^a + 1), or with (t / (t + 1))^a for the average. The
fourth number restarts the average's t at its powers; 0 = never."""

_Discount: TypeAlias = str | tuple[float, float, float, int]

class Probe(NamedTuple):
    """A node under the average strategies; holdings in the order of the players' lists.

    Parameters
    ----------
    reach
        By player, float64, shape (n,): weight times the player's own probabilities down to here; 0 = blocked.
    strategy
        float64, shape (actions, n) of the player that decides; (0, 0) where nobody does.
    value
        By player, float64, shape (n,): chips from the start of the spot on; NaN = blocked, or no holding of
        the other player comes here with it.
    action_value
        The same by action, shape (actions, n).
    """

    reach: tuple[NDArray[np.float64], NDArray[np.float64]]
    strategy: NDArray[np.float64]
    value: tuple[NDArray[np.float64], NDArray[np.float64]]
    action_value: NDArray[np.float64]

def engine_bytes(
    board: Cards,
    holdings: Sequence[ArrayLike],
    weights: Sequence[ArrayLike],
    kind: ArrayLike,
    player: ArrayLike,
    first: ArrayLike,
    count: ArrayLike,
    payoff: ArrayLike,
    *,
    suits: Sequence[int] = (0, 1, 2, 3),
    bits: int = 32,
    threads: int = 1,
) -> int:
    """Return the bytes that an ``Engine`` of these arguments allocates, without allocating them."""

@final
class Engine:
    """A spot from its start to the end of the hand, solved by discounted regret minimisation.

    Parameters
    ----------
    board
        Three to five cards.
    holdings
        By player, uint8, shape (n, 2). The same cards may stand up to 15 times: types of the player, each
        with a weight and a policy of its own. Those that clash with the board are left out.
    weights
        By player, float32, shape (n,), 0..1e6.
    kind
        uint8, shape (nodes,). The tree has no cards; the root is node 0. ``DECISION``: ``player`` chooses
        among the children. ``END``: somebody has folded. ``SHOWDOWN``: the cards to come are dealt, all.
        ``DEAL``: one child, the next street. ``SUM``: all children are reached, and their values added.
        ``GIVEN``: on the first street, ``player`` has what ``set_given`` gives its holding, the other one
        the rest of its own payoff.
    player
        int8, shape (nodes,): 0 is out of position.
    first, count
        int32, shape (nodes,): the children, which come after their parent.
    payoff
        float64, shape (nodes, 2, 3): of a leaf, what each player has if it wins, ties, loses, in chips.
    suits
        Suits of one number are interchangeable in ranges and locks.
    bits
        Of a number of the tables, 32 or 16.
    threads
        Of ``run`` and ``values``, 1..256. Results have the same bits for any number.

    Raises
    ------
    ArgumentError
        An array of another shape or range, two ranges that cannot meet; or another thread is at work.
    CardError
        An unknown or duplicate card.
    MemoryError
        The tables do not fit.

    Notes
    -----
    Johanson, Waugh, Bowling and Zinkevich 2011 (vectors of holdings); Brown and Sandholm 2019 (discounts).
    """

    threads: int
    bits: int
    nbytes: int

    def __init__(
        self,
        board: Cards,
        holdings: Sequence[ArrayLike],
        weights: Sequence[ArrayLike],
        kind: ArrayLike,
        player: ArrayLike,
        first: ArrayLike,
        count: ArrayLike,
        payoff: ArrayLike,
        *,
        suits: Sequence[int] = (0, 1, 2, 3),
        bits: int = 32,
        threads: int = 1,
    ) -> None: ...
    @property
    def iterations(self) -> int:
        """Iterations so far; each updates both players."""

    def run(self, iterations: int, discount: _Discount = "dcfr", parts: int = 1) -> None:
        """Iterate, by a name of ``SCHEMES`` or four numbers. Ctrl-C ends it after an iteration.

        An iteration walks every ``parts``-th of the next cards, each with that much weight, and the next one
        the cards after them.
        """

    def values(self, response: Literal["locked", "free"] | None = None) -> NDArray[np.float64]:
        """Return the mean chips of both players, float64, shape (2,), exact in double precision.

        Of the average strategies, or of each player's best response to the other's average, with its locks or
        free of them.
        """

    def best_values(self, player: int, node: int, cards: Cards = ()) -> NDArray[np.float64]:
        """Return what each holding of a player has at a decision by its best response to the other's average.

        float64, shape (n,), within its locks, in chips as in ``probe``; NaN as there.
        """

    def respond(self, player: int) -> float:
        """Make a player's best response, within its locks, its average strategy; return its mean chips."""

    def probe(self, node: int, cards: Cards = ()) -> Probe:
        """Return a node after cards dealt since the start: a decision, a deal (before its card) or a leaf.

        Raises
        ------
        ArgumentError
            A sum, what is given, or no node of the tree.
        CardError
            Another number of cards than streets, or cards that are on the board.
        """

    def strategy(self, node: int, cards: Cards = ()) -> NDArray[np.float64]:
        """Return the average strategy of a decision, shape (actions, n); see ``probe``."""

    def lock(self, node: int, cards: Cards | None, fixed: ArrayLike) -> None:
        """Fix shares of a decision, shape (actions, n), after these cards or (None) after all.

        NaN = free; below 0 = free, with its absolute value as the least share. What is left of a holding is
        shared by its free actions.

        Raises
        ------
        ArgumentError
            Shares that exceed 1 in sum, or leave something where no action is free.
        """

    def unlock(self) -> None:
        """Remove all locks."""

    def set_payoff(self, node: int, payoff: ArrayLike) -> None:
        """Change what a leaf pays, shape (2, 3)."""

    def set_given(self, node: int, chips: ArrayLike) -> None:
        """Set what the player of a ``GIVEN`` leaf has there, by holding of its list, shape (n,); 0 before."""

    def boards(self, node: int) -> list[bytes]:
        """The cards dealt since the start, of each board that a decision has tables for."""

    def play(self, node: int, table: ArrayLike, classes: ArrayLike, begin: bool = False) -> None:
        """Make a table the average strategy of a decision on all its boards.

        Parameters
        ----------
        node
            The decision.
        table
            float32, shape (classes, actions): shares, at least 0, in proportion.
        classes
            uint16, shape (boards, 1326): the class of each holding, in the order of ``boards``.
        begin
            The table becomes the regrets instead, in chips times weight, that the next iteration begins with.

        Raises
        ------
        ArgumentError
            Arrays of other shapes, or an engine of 16 bits.
        """

    def resume(self, iterations: int) -> None:
        """Count what the tables hold as so many iterations, at least 0: the next one discounts it so."""

    def state(self) -> dict[str, NDArray[Any]]:
        """Return ``iterations`` and views of the tables."""

    def restore(self, state: Mapping[str, ArrayLike]) -> None:
        """Copy tables of ``state`` back.

        Raises
        ------
        ArgumentError
            Tables of another spot, or numbers that are not finite.
        """
