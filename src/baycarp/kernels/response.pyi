"""The best response on one street of heads-up fixed limit, for all holdings at once.

``csrc/include/baycarp/response.h`` has the tree of a street, its decisions and its ends.
"""

from collections.abc import Sequence
from typing import Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ANSWERS", "ENDS", "LANES", "Street", "add_values", "zeros"]

LANES: Final[int]
"""Streets computed side by side."""

ENDS: Final[int]
"""Ends of a street without a fold."""

ANSWERS: Final[int]
"""Decisions of the opponent on a street."""

class _Holdings(Protocol):
    """The holdings on a board."""

    @property
    def holdings(self) -> int:
        """Rows of the arrays of all holdings."""
    @property
    def holding(self) -> NDArray[np.uint16]:
        """The rows that the board does not block; shape (n,)."""
    @property
    def cards(self) -> NDArray[np.uint8]:
        """Their cards; shape (n, 2)."""
    @property
    def cell(self) -> NDArray[np.uint16]:
        """The opponent's class of each; shape (n,)."""
    @property
    def rank(self) -> NDArray[np.uint16] | None:
        """Their ranks, ascending, at showdown; None = a street follows."""
    @property
    def image(self) -> NDArray[np.uint16]:
        """By board that differs from this one by suits, itself included: the row of each holding; (m, n)."""

class _Betting(Protocol):
    """The betting of a street, in groups of ``LANES`` lanes."""

    @property
    def policy(self) -> NDArray[np.float64]:
        """The opponent's probabilities of (fold, check or call, bet or raise).

        By group, decision, class and lane: shape (groups, ``ANSWERS``, classes, 3, ``LANES``).
        """
    @property
    def paid(self) -> NDArray[np.float64]:
        """Chips that each player has paid before the street; shape (groups, ``LANES``)."""
    @property
    def bet(self) -> float:
        """Chips of a bet."""
    @property
    def bets(self) -> int:
        """The most bets of the street, 1 to 4."""

@final
class Street:
    """The betting of one street on one board, in groups of ``LANES`` lanes that differ in chips and policies.

    Parameters
    ----------
    board
        The holdings.
    betting
        Chips and the opponent's policies.
    first
        Whether the responder acts first.

    Raises
    ------
    ArgumentError
        An array of another shape, or a number out of its range.
    """

    def __init__(self, board: _Holdings, betting: _Betting, first: bool) -> None: ...
    def reach(self, reach: NDArray[np.float64]) -> NDArray[np.float64]:
        """The opponent's reach at the ends of the street.

        Parameters
        ----------
        reach
            Its reach at the start: float64, shape (groups, holdings, ``LANES``).

        Returns
        -------
        float64 array, shape (groups * ENDS, holdings, LANES)
            0 for holdings that the board blocks.
        """

    def add_value(
        self, reach: NDArray[np.float64], ends: NDArray[np.float64] | None, value: NDArray[np.float64]
    ) -> None:
        """Add the values of the responder's holdings at the start of the street.

        Parameters
        ----------
        reach
            As of ``reach``.
        ends
            The values at the ends, shape (groups * ENDS, holdings, LANES); None on the last street.
        value
            Receives the sums; shape (groups, holdings, ``LANES``).
        """

def add_values(
    streets: Sequence[Street],
    reach: NDArray[np.float64],
    ends: NDArray[np.float64] | None,
    value: NDArray[np.float64],
) -> None:
    """``Street.add_value`` of several boards, group by group: reach and policies stay in the cache.

    Parameters
    ----------
    streets
        At least one, all with the same groups and holdings.
    reach, ends, value
        As of ``Street.add_value``.

    Raises
    ------
    ArgumentError
        Streets that differ, or arrays of another shape.
    """

def zeros(*shape: int) -> NDArray[np.float64]:
    """An array of zeros, shape (*shape, ``LANES``): lanes in one line of the cache, which is faster."""
