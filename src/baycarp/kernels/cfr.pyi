"""Counterfactual regret minimisation over all betting on sampled boards."""

from collections.abc import Sequence
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards

__all__ = ["FOLD", "ILLEGAL", "LANES", "LEAF", "Betting", "Deal"]

ILLEGAL: int
FOLD: int
LEAF: int
"""Children that are no node: none, a fold, and ``LEAF - leaf``."""

LANES: int
"""Entries of a block."""

class _Street(Protocol):
    """As ``solvers.limit.betting.StreetBetting``."""

    @property
    def actors(self) -> Sequence[int]: ...
    @property
    def children(self) -> Sequence[Sequence[int]]: ...
    @property
    def folded(self) -> Sequence[float]: ...
    @property
    def matched(self) -> Sequence[float]: ...
    @property
    def entries(self) -> NDArray[np.float32]: ...
    @property
    def lanes(self) -> int: ...

class _Tables(Protocol):
    regret: NDArray[np.float32]
    average: NDArray[np.float32]
    strategy: NDArray[np.float32]

@final
class Deal:
    """A board with the buckets of the holdings beside it.

    Parameters
    ----------
    board
        Five cards, text or ids.
    buckets
        uint16, shape (streets, 1326): the bucket of every holding, read for those that are in play.
    dealt
        bool, shape (1326,): the holdings that are dealt; None = all.
    other
        The buckets of player 1; None = the same.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.
    ArgumentError
        An array of another shape.
    """

    streets: int
    most: tuple[tuple[int, int], ...]
    """The largest buckets by street and player."""
    def __init__(self, board: Cards, buckets: object, dealt: object = None, other: object = None) -> None: ...
    @property
    def holdings(self) -> int:
        """The holdings in play."""

@final
class Betting:
    """The betting of all streets, over tables of cells: float32 arrays in the order of ``cfr.h``.

    Parameters
    ----------
    streets
        One to four.
    buckets
        By street: a number, or one for each player.

    Raises
    ------
    ArgumentError
        Betting that contradicts itself or is too large.
    """

    cells: int
    buckets: tuple[tuple[int, int], ...]
    def __init__(self, streets: Sequence[_Street], buckets: Sequence[int | tuple[int, int]]) -> None: ...
    def scratch(self) -> NDArray[np.float32]:
        """The memory that a walk works in; each thread needs its own."""

    def choices(self, deal: Deal) -> NDArray[np.int8]:
        """The memory of the choices on the last street of a deal, for ``visit``."""

    def visit(
        self,
        deal: Deal,
        hero: int,
        share: float,
        strategy: NDArray[np.float32],
        scratch: NDArray[np.float32],
        regret: NDArray[np.float32] | None = None,
        average: NDArray[np.float32] | None = None,
        record: NDArray[np.int8] | None = None,
        replay: NDArray[np.int8] | None = None,
    ) -> NDArray[np.float32]:
        """Walk all betting on one board.

        Parameters
        ----------
        deal
            The board.
        hero
            0 or 1.
        share
            Weight of each opposing holding.
        strategy
            Of both players: probabilities by cell.
        scratch
            Of ``scratch``.
        regret, average
            Added to: the hero's counterfactual regrets, the other player's probabilities of reaching a cell.
        record
            Of ``choices``: the hero takes each holding's best action on the last street, and it is recorded.
        replay
            Recorded choices of the other player, instead of its strategy on the last street.

        Returns
        -------
        float32 array, shape (1326,)
            What each holding of the hero wins, in chips, summed over the weighted holdings that it does not
            block; 0 for holdings that are not in play.

        Raises
        ------
        ArgumentError
            A deal of other streets or buckets, or tables of another size.
        """

    def learn(
        self,
        hero: int,
        step: tuple[float, float, float, float],
        change: NDArray[np.float32],
        reached: NDArray[np.float32],
        tables: _Tables,
    ) -> None:
        """One step of learning: the hero's regrets and strategy, the other player's averages.

        ``step`` has the discounts of negative and of other regrets, the share of the averages that is kept,
        and the weight of ``reached``.
        """

    def policy(self, average: NDArray[np.float32]) -> NDArray[np.float32]:
        """Each node's actions in proportion to the positive sums, uniform where there are none."""

    def greedy(self, hero: int, sums: NDArray[np.float32], policy: NDArray[np.float32]) -> None:
        """Set the hero's policy to the action with the largest sum; cells of equal sums stay."""
