"""Exact retrieval under a weighted similarity (csrc similarity.h)."""

from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MOST_NUMBERS",
    "MOST_SLOTS",
    "MOST_SYMBOLS",
    "RUN",
    "STATES",
    "Cells",
    "Measure",
    "exp_nonpositive",
    "exp_nonpositive_all",
    "similar",
    "sums",
    "totals",
]

MOST_NUMBERS: int
"""The largest number of numeric columns of a case."""
MOST_SLOTS: int
"""The largest number of slots of a case."""
MOST_SYMBOLS: int
"""The largest number of symbols of a case."""
RUN: int
"""The largest number of rows of a run."""
STATES: int
"""Entries of a slot's table: the states 0..30, and the last for no state."""

def exp_nonpositive(x: float) -> float:
    """The exponential of x <= 0: the same bits on every machine, and as in ``similar``.

    Within one unit in the last place of the true value; 0 below -708.

    Raises
    ------
    ArgumentError
        A number above 0, or NaN.
    """

def exp_nonpositive_all(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """``exp_nonpositive`` of every element; float64 of the same shape.

    Raises
    ------
    ArgumentError
        A number above 0, or NaN.
    """

@final
class Measure:
    """The weights and constants of a schema: numbers, then slots, then symbols.

    Parameters
    ----------
    weight
        float64, shape (numbers + slots + symbols,), above 0; their sum at least 1e-300, and finite.
    decay
        float64, shape (numbers,): the constant k of an exponential, at most 1e200; 0 = linear.
    max
        float64, shape (numbers,): the largest difference, above 0.
    symbols
        Number of columns that are symbols.

    Raises
    ------
    SchemaError
        A value out of its range, or too many columns.
    """

    def __init__(
        self,
        weight: NDArray[np.float64],
        decay: NDArray[np.float64],
        max: NDArray[np.float64],
        symbols: int = 0,
    ) -> None: ...

@final
class Cells:
    """Rows sorted into cells and, within these, into runs, packed with the bounding box of each.

    Parameters
    ----------
    cells
        int32, shape (cells + 1,): the first run of each cell, and the end.
    starts
        int64, shape (runs + 1,): the first place of each run, and the end; at most ``RUN`` apart.
    order
        int32, shape (rows,): the row at each place. Referenced, as the two above; do not change them.
    numbers, codes
        float32 (numbers, room) and uint8 (slots, room): the rows.
    stems, stem_of
        float32 (k, stems), the first k numbers of rows, and uint16 (rows,): the stem of each row.
    by_stem
        Whether the bound of a row takes the loss of its stem from a table in place of its bytes: less memory
        is read for a row, and more computed for a query.
    symbols
        uint32 (symbols, room): the symbols of the rows; None = no symbols.
    settled
        uint8 and float64 (room,): solution and outcome of each row; None = the cells have no ``totals``.

    Raises
    ------
    SchemaError
        Shapes or orders that do not agree.
    """

    def __init__(
        self,
        cells: NDArray[np.int32],
        starts: NDArray[np.int64],
        order: NDArray[np.int32],
        numbers: NDArray[np.float32],
        codes: NDArray[np.uint8],
        stems: NDArray[np.float32],
        stem_of: NDArray[np.uint16],
        by_stem: bool = False,
        symbols: NDArray[np.uint32] | None = None,
        settled: tuple[NDArray[np.uint8], NDArray[np.float64]] | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def stored(self) -> int:
        """Rows in the cells."""

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""

def similar(
    measure: Measure,
    numbers: NDArray[np.float32],
    codes: NDArray[np.uint8],
    count: int,
    cells: Cells | None,
    query: NDArray[np.float32],
    tables: NDArray[np.float64],
    at_least: float,
    at_most: int,
    symbols: NDArray[np.uint32] | None = None,
    vocabularies: tuple[NDArray[np.float64], ...] = (),
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Find the at most ``at_most`` most similar rows at or above ``at_least``, exactly.

    Parameters
    ----------
    measure
        Weights and constants.
    numbers, codes, count
        float32 (numbers, room) and uint8 (slots, room): the rows in order of arrival, of which ``count`` are
        valid.
    cells
        The first rows, packed in cells; the other rows are scanned. None = all rows are scanned.
    query
        float32, shape (numbers,), finite.
    tables
        float64, shape (slots, STATES), in [0, 1]: the similarity of each code.
    at_least, at_most
        The least similarity, and the largest number of rows, at least 1.
    symbols
        uint32 (symbols, room): the symbols of the rows; None = no symbols.
    vocabularies
        float64, an array for each symbol, not empty, in [0, 1]: the similarity of each code to the query's.
        A code beyond the array has similarity 0.

    Returns
    -------
    rows, similarities, scored
        int64 and float64, most similar first, ties by row; and the number of rows scored.

    Raises
    ------
    SchemaError
        Shapes that do not agree.
    """

def totals(
    measure: Measure,
    numbers: NDArray[np.float32],
    codes: NDArray[np.uint8],
    count: int,
    cells: Cells | None,
    query: NDArray[np.float32],
    tables: NDArray[np.float64],
    at_least: float,
    solutions: NDArray[np.uint8],
    outcomes: NDArray[np.float64],
    symbols: NDArray[np.uint32] | None = None,
    vocabularies: tuple[NDArray[np.float64], ...] = (),
    similarities: bool = True,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], int]:
    """Sums over all rows at or above ``at_least`` by solution, exactly these rows; no list of them is made.

    Parameters
    ----------
    measure, numbers, codes, count, cells, query, tables, at_least, symbols, vocabularies
        As in ``similar``.
    solutions, outcomes
        uint8 and float64, shape (room,), of each row.
    similarities
        Whether they are summed. If not, most rows of a large answer need none.

    Returns
    -------
    counts, outcomes, similarities, scored
        int64, float64 and float64, shape (256,), by solution: the number of rows, the sums of their outcomes
        and similarities (else NaN), added in no defined order; and the number of rows scored.

    Raises
    ------
    SchemaError
        Shapes that do not agree.
    """

def sums(
    rows: NDArray[np.int64],
    similarities: NDArray[np.float64],
    first: int,
    count: int,
    solutions: NDArray[np.uint8],
    outcomes: NDArray[np.float64],
    kinds: int = 256,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Sums over given rows by solution, as ``totals``, added in their order.

    Parameters
    ----------
    rows, similarities
        int64 and float64, shape (found,).
    first
        The number of the first of the ``count`` valid rows.
    solutions, outcomes
        As in ``totals``.
    kinds
        The number of solutions, which is the length of the sums.

    Raises
    ------
    SchemaError
        Shapes that do not agree, a row that is not valid, or one of another solution.
    """
