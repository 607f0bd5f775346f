from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEMBERS", "NARROW", "Column", "code_rows", "count"]

MEMBERS: int
"""The most columns that are counted together."""

NARROW: int
"""The most states that a narrow code numbers."""

def code_rows(given: NDArray[np.int64], states: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Copy rows of codes, of shape (n, columns), and find the first that is no state of its column.

    Returns
    -------
    codes, place
        Where all are right, ``place`` is their number; else row * columns + column, and codes are not whole.
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
    """The first row that holds no such code; then the column is empty."""

    def __new__(cls, given: NDArray[np.int64], states: int) -> Self: ...
    def __len__(self) -> int: ...

def count(columns: Sequence[Column]) -> NDArray[np.int64]:
    """Count rows by cell: int64, an axis a column; rows with a code of -1 are left out.

    Raises
    ------
    ArgumentError
        Columns of different lengths, none or more than ``MEMBERS``, or too many cells.
    """
