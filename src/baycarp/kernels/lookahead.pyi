"""The value of each move against modelled opponents (csrc/include/baycarp/lookahead.h)."""

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.card import Cards
from baycarp.kernels.game import Hand
from baycarp.kernels.search import TreePolicies

__all__ = ["Continuations", "Learned", "LookAhead", "StylePolicies", "StyledPlayers", "Worth"]

_Act = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""An observed act, as in ``kernels.evidence``."""

class Worth(NamedTuple):
    """The value of one move.

    Parameters
    ----------
    kind, amount
        ``game.FOLD``, ``CALL`` or ``RAISE``; a raise's total on the street, otherwise 0.
    value
        Chips to be won from this decision on; a fold is 0, nan without a counted playout.
    error
        Standard error; inf below two counted playouts.
    """

    kind: int
    amount: int
    value: float
    error: float

@final
class StylePolicies:
    """What players of each style do, in fixed limit; checked once, for many look-aheads.

    Parameters
    ----------
    preflop
        For each of three income groups, the cell of each starting class, shape (169,), and the bucket of each
        cell at each power; uint8, shape (powers, cells).
    tables
        By street: the probability of each choice, float32, shape (situations, 3, powers, buckets, styles); 80
        situations before the flop, 90 on later streets.
    own
        What the player does before it has learned, by street: float64, shape (situations, buckets, 3); before
        the flop a bucket is a starting class.

    Raises
    ------
    ArgumentError
        An array of another shape or range.
    """

    def __init__(
        self,
        preflop: Sequence[tuple[ArrayLike, NDArray[np.uint8]]],
        tables: Sequence[NDArray[np.float32]],
        own: Sequence[NDArray[np.float64]],
    ) -> None: ...

class StyledPlayers(NamedTuple):
    """The players of a decision.

    Parameters
    ----------
    policies
        What each style does.
    weights
        The weight of each style at each position before the acts of the hand, and last of the blind player
        after them; float64, shape (seats, styles + 1).
    powers
        The weight of each power by position, before the flop and after it, and by choice; float64, shape
        (seats, 2, 3, powers).
    factors, blindly
        By position and situation of all streets, the factor of each choice, and its probability if the player
        is blind; float64, shape (seats, 350, 3).
    groups
        The income group of each position; -1 = it has not acted.
    acts
        By position, its acts in the hand.
    """

    policies: StylePolicies
    weights: NDArray[np.float64]
    powers: NDArray[np.float64]
    factors: NDArray[np.float64]
    blindly: NDArray[np.float64]
    groups: Sequence[int]
    acts: Sequence[Sequence[_Act]]

class Learned(NamedTuple):
    """What own moves won in coarse situations.

    Parameters
    ----------
    keys
        Of the situations: street, number of moves, price, and the chance to win, coarsely or finely; int64,
        1..65535, ascending.
    means
        The mean after each move of the abstraction, in pots; float32, shape (situations, 12).
    visits
        How many results a mean is of; uint32, of the same shape.
    """

    keys: NDArray[np.int64]
    means: NDArray[np.float32]
    visits: NDArray[np.uint32]

@final
class Continuations:
    """What own moves won in coarse situations, checked once, for many look-aheads.

    Parameters
    ----------
    keys, means, visits
        As of ``Learned``.

    Raises
    ------
    ArgumentError
        Keys that are out of range or not different, an array of another shape, means that are not finite.
    """

    def __init__(self, keys: ArrayLike, means: ArrayLike, visits: ArrayLike) -> None: ...
    def __len__(self) -> int: ...
    def learned(self) -> Learned:
        """What it was made of."""

@final
class LookAhead:
    """The values of a decision's moves.

    Parameters
    ----------
    hand, hole, board, now, edges, draw, acts, sizes, dead, seed
        As for ``kernels.search.Search``; ``acts`` are always read.
    weights
        As there; with ``StyledPlayers`` of shape (seats, 1, 1326).
    policies
        As there, or ``StyledPlayers``, whose buckets before the flop are the starting classes.
    apart
        The least potential of a draw, 0..1, whose buckets on later boards come after the others'; 0 = draws
        are not apart, and the strength is that of ``Search``.
    cells
        Situations that can be learned, twice over; a power of two, 104 bytes each.
    known
        What is known of coarse situations before the first playout; None = nothing.

    Raises
    ------
    ArgumentError, CardError, RangeError, VariantError
        An argument outside its range.
    """

    def __init__(
        self,
        hand: Hand,
        hole: Cards,
        board: Cards,
        weights: NDArray[np.float64],
        policies: StyledPlayers | TreePolicies | NDArray[np.float64],
        now: ArrayLike,
        edges: Sequence[ArrayLike],
        *,
        draw: float = 0.0,
        apart: float = 0.0,
        acts: Sequence[tuple[int, int]] = (),
        sizes: Sequence[float] = (),
        cells: int = 16384,
        dead: Sequence[int] = (),
        seed: int = 0,
        known: Continuations | None = None,
    ) -> None: ...
    def run(self, playouts: int) -> None:
        """Make more playouts; n and then m give the same bits as n + m."""

    @property
    def playouts(self) -> int:
        """How many were made."""

    @property
    def forced(self) -> int:
        """The deals that Gibbs sampling made, because compatible holdings are rare."""

    @property
    def situations(self) -> int:
        """How many situations of the own later decisions were learned."""

    def values(self) -> tuple[Worth, ...]:
        """The value of each move of the abstraction."""

    def differences(self) -> NDArray[np.float64]:
        """The standard error of the difference of every two moves' values; shape (moves, moves)."""
    def learned(self) -> Learned:
        """What is known of coarse situations now, that of ``known`` included."""
