"""Monte Carlo counterfactual regret minimisation with external sampling, and the deals that it samples."""

from collections.abc import Sequence
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["DEAL", "FLOPS", "TURNS", "Dealer", "Sampling"]

DEAL: np.dtype[np.void]
"""A deal: ``cards`` uint8[9], two of each player and the board; ``won`` int8, by player 0: 1, 0 (split) or
-1; ``buckets`` uint16[2, 4], by player and street."""

FLOPS: int
TURNS: int
"""The sets of three and of four cards."""

class _Tree(Protocol):
    """As ``solvers.nolimit.betting.NoLimitBetting``."""

    @property
    def edges(self) -> NDArray[np.int32]: ...
    @property
    def children(self) -> NDArray[np.int32]: ...
    @property
    def actors(self) -> NDArray[np.uint8]: ...
    @property
    def streets(self) -> NDArray[np.uint8]: ...
    @property
    def chips(self) -> NDArray[np.float32]: ...
    @property
    def folded(self) -> NDArray[np.int8]: ...

class _Settings(Protocol):
    """As ``solvers.nolimit.solver.NoLimitSettings``."""

    @property
    def seed(self) -> int: ...
    @property
    def step(self) -> int: ...

@final
class Dealer:
    """Deals of heads-up hold'em with the buckets of both players, by tables and percentiles; see ``deals.h``.

    Parameters
    ----------
    boards
        Of flop and turn: by set of cards, as ``deals.h`` numbers them, the row of its canonical board and the
        renaming of its suits.
    holdings
        Shape (24, 1326): each holding after each renaming.
    buckets
        Of flop and turn: shape (canonical boards, 1326), without recall.
    edges
        Ascending: the percentiles at which the buckets of the river end, the last one's apart.
    counts, recall
        Of flop, turn and river: buckets without recall, and whether they also hold the bucket before.

    Raises
    ------
    ArgumentError
        Tables of another shape, or numbers out of their range.
    """

    counts: tuple[int, int, int, int]
    """Buckets by street, with recall."""

    def __init__(
        self,
        boards: Sequence[tuple[ArrayLike, ArrayLike]],
        holdings: ArrayLike,
        buckets: Sequence[ArrayLike],
        edges: ArrayLike,
        counts: Sequence[int],
        recall: Sequence[bool],
    ) -> None: ...
    def deals(self, seed: int, first: int, n: int) -> NDArray[Any]:
        """Deals of dtype ``DEAL``, shape (n,), numbered from ``first`` on.

        A deal depends on the seed and its number alone.

        Raises
        ------
        ArgumentError
            A number out of its range: at most 2^24 deals.
        """

@final
class Sampling:
    """Walks of a betting tree, over tables of cells: float32 arrays in the order of ``mccfr.h``.

    Parameters
    ----------
    tree
        The betting, of at most 8 actions a node and 512 nodes on a path.
    counts
        Buckets by street, four numbers.

    Raises
    ------
    ArgumentError
        A tree that contradicts itself, or is too large.
    """

    cells: int
    counts: tuple[int, int, int, int]
    done: int
    """Iterations of the last call of ``learn``: fewer than its deals after an interruption."""

    rows: NDArray[np.int64]
    """The first cell of every row: the actions of a node and bucket."""

    def __init__(self, tree: _Tree, counts: Sequence[int]) -> None: ...
    def learn(
        self,
        deals: NDArray[Any],
        first: int,
        regret: NDArray[np.float32],
        average: NDArray[np.float32] | None,
        settings: _Settings,
        fixed: NDArray[np.float32] | None = None,
        hero: int | None = None,
    ) -> None:
        """Do an iteration for each deal.

        Parameters
        ----------
        deals
            Of dtype ``DEAL``.
        first
            The number of the first iteration.
        regret, average
            Changed: regrets, and the strategies that walks visited; None = no averages.
        settings
            ``step``: iterations of one weight. ``seed``: of the opponent's actions.
        fixed, hero
            The hero alone learns, against a strategy in proportion to these cells. None = both learn.

        Raises
        ------
        ArgumentError
            Deals of other buckets, or tables of another size.
        """

    def values(
        self, deals: NDArray[Any], first: NDArray[np.float32], second: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """What player 0 wins in each deal, the mean over all betting: float64, shape (deals,).

        Player 0 follows a strategy in proportion to the cells ``first``, player 1 one to ``second``.

        Raises
        ------
        ArgumentError
            As ``learn``.
        """

    def policy(
        self, sums: NDArray[np.float32], otherwise: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Probabilities in proportion to the positive cells of each row.

        Rows without any have the policy of ``otherwise``; None = uniform.
        """
