from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEMBERS", "NARROW", "Column", "code_rows", "count"]

MEMBERS: int
"""The largest number of columns counted together."""

NARROW: int
"""The largest number of states of a narrow code."""

def code_rows(given: NDArray[np.int64], states: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Copy rows of codes, of shape (n, columns), and find the first code that is not a state of its column.

    Returns
    -------
    codes, place
        ``place`` is row * columns + column of the first invalid code, and ``codes`` is then incomplete;
        without one it is the number of codes.
    """

@final
class Column:
    """A column of codes, copied and checked.

    Parameters
    ----------
    given
        int64 of shape (n,): -1..states-1, -1 = not observed.
    states
        At most ``NARROW``.

    Raises
    ------
    ArgumentError
        Another number of states.
    """

    states: int
    wrong: int | None
    """The first row with an invalid code, and the column is then empty; None = all valid."""

    def __new__(cls, given: NDArray[np.int64], states: int) -> Self: ...
    def __len__(self) -> int: ...

def count(columns: Sequence[Column]) -> NDArray[np.int64]:
    """Count rows by cell: int64, an axis a column; rows with a code of -1 are left out.

    Raises
    ------
    ArgumentError
        Columns of different lengths, no column or more than ``MEMBERS``, or too many cells.
    """
