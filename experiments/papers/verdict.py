"""Comparison of our results with the published: same, same order, not, unclear, or cannot be compared.

A cell of numbers is the *same* when the difference between the printed one and our result, less the rounding
of the print, is no larger than the 95 % interval of that difference: the printed number was itself measured
on a number of hands, and where that number is known its error is taken to be our own, scaled to it. Exact
numbers may differ by the rounding of the print; words must be equal.

Agreement is evidence only where disagreement would have been found: half the interval is at most a third of
the printed number, or of the difference that the source argues from. Else the cell is *unclear*, and so is a
place or a word that our result leaves undecided.

Rows of players that are not public are shown and not judged.

The whole is the same when every cell that can be compared is decided, and is the same. It is the *same order*
when no two rows that differ both in print and here have the opposite order, and most that differ in print
differ here; else it is *not* if a cell is not, and else *unclear*.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.papers.entry import Column, Entry

STAND_IN = "a bot that is not public; one of ours takes its seat"

UNDECIDED = "undecided"
"""Our value of a cell whose place or word no interval decides."""

__all__ = ["UNDECIDED", "Cell", "Comparison", "Estimate", "Made", "Value", "Verdict", "compare"]

Verdict: TypeAlias = Literal["same", "same order", "not", "unclear", "cannot be compared"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


Value: TypeAlias = Estimate | float | str | None
"""Measured, exact, a word, or nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Our result for a table or figure.

    Parameters
    ----------
    cells
        By row, a value for each column.
    hands
        How many were played for it; 0 = none.
    curve
        Small bets a hand up to each hand of ``player``, for a figure that is a curve.
    player
        The player of the curve.
    """

    cells: Mapping[str, Sequence[Value]]
    hands: int = 0
    curve: NDArray[np.float64] | None = None
    player: str = ""

    @classmethod
    def of(cls, entry: Entry, values: Callable[[str], Sequence[Value]], hands: int = 0) -> "Made":
        """The values of each row of an entry, by its name."""
        return cls({row: values(row) for row, _ in entry.rows}, hands)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: printed, our result, and their comparison.

    Parameters
    ----------
    row, column
        Its place.
    printed
        "" where nothing is.
    ours
        None where we have no result.
    verdict, reason
        None where nothing is printed.
    tells
        The least difference from the printed number that our result would have shown; None = exact, or none.
    """

    row: str
    column: Column
    printed: str
    ours: Value
    verdict: Verdict | None
    reason: str = ""
    tells: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A whole table or figure."""

    entry: Entry
    verdict: Verdict
    reason: str
    cells: tuple[Cell, ...] = ()
    made: Made | None = None


def compare(entry: Entry, made: Made | None) -> Comparison:
    """Compare our result with the published one; ``made`` is None without a result."""
    if made is None:
        return Comparison(entry, "cannot be compared", entry.why)
    cells = tuple(
        _cell(entry, row, column, text, ours, made.hands)
        for row, printed in entry.rows
        for column, text, ours in zip(entry.columns, printed, made.cells[row], strict=True)
    )
    verdict, reason = _whole(entry, cells)
    return Comparison(entry, verdict, reason, cells, made)


def _cell(entry: Entry, row: str, column: Column, printed: str, ours: Value, hands: int) -> Cell:
    if not printed:
        return Cell(row, column, printed, ours, None)
    if ours is None:
        return Cell(row, column, printed, ours, "cannot be compared", entry.gap)
    if row in entry.stand_ins:
        return Cell(row, column, printed, ours, "cannot be compared", STAND_IN)
    if ours == UNDECIDED:
        return Cell(row, column, printed, ours, "unclear", entry.gap or "no interval decides it")
    number = _number(printed)
    if number is None or isinstance(ours, str):
        same = str(ours).casefold() == printed.casefold()
        return Cell(row, column, printed, ours, "same" if same else "not")
    tolerance = entry.tolerance_of(row)
    rounding = _rounding(printed) if tolerance is None else tolerance
    if not isinstance(ours, Estimate):
        same = abs(number - ours) <= rounding * (1 + 1e-9)
        return Cell(row, column, printed, ours, "same" if same else "not")
    if not math.isfinite(ours.value):
        return Cell(row, column, printed, ours, "unclear", "no such event was observed")
    side = ours.high - ours.value if number > ours.value else ours.value - ours.low
    of = entry.of_row.get(row, entry.of)
    theirs = math.sqrt(1 + (hands / of if of else 0.0))
    tells = rounding + ours.margin * theirs
    if abs(number - ours.value) > rounding + side * theirs:
        return Cell(row, column, printed, ours, "not", tells=tells)
    if ours.margin > min(column.telling, max(abs(number), column.argues) / 3):
        reason = f"half the interval is above {column.telling:g} {column.unit}".rstrip()
        reason += f", or a third of {column.argues:g}" if column.argues else ", or a third of the printed"
        return Cell(row, column, printed, ours, "unclear", reason, tells)
    return Cell(row, column, printed, ours, "same", tells=tells)


def _whole(entry: Entry, cells: Sequence[Cell]) -> tuple[Verdict, str]:
    """The verdict over all cells, and the counts that it rests on."""
    counts = Counter(cell.verdict for cell in cells)
    same, unlike, unclear = counts["same"], counts["not"], counts["unclear"]
    reason = f"{same} of {same + unlike + unclear} cells are the same"
    for left in ("unclear", "cannot be compared"):
        if counts[left]:
            reason += f", {counts[left]} {'are ' if left == 'unclear' else 'more '}{left}"
    if same and not unlike and not unclear:
        return "same", reason
    judged = [cell for cell in cells if cell.verdict is not None and cell.row not in entry.stand_ins]
    agree, apart, against = _order(judged) if entry.ordered else (0, 0, 0)
    if agree and not against and 2 * agree >= apart:
        pairs = f"{agree} of {apart} pairs of rows are in the printed order, none against"
        return "same order", f"{reason}; {pairs}"
    if unlike or unclear:
        return "not" if unlike else "unclear", reason
    return "cannot be compared", "; ".join(dict.fromkeys(cell.reason for cell in cells if cell.reason))


def _order(cells: Sequence[Cell]) -> tuple[int, int, int]:
    """Pairs of rows in each column: that agree with the print, that it sets apart, that contradict it."""
    agree = apart = against = 0
    for one, other in combinations(cells, 2):
        first, second = _number(one.printed), _number(other.printed)
        if one.column != other.column or first is None or second is None:
            continue
        if abs(first - second) <= _rounding(one.printed) + _rounding(other.printed):
            continue
        apart += 1
        here, there = _interval(one.ours), _interval(other.ours)
        if here is None or there is None or (here[0] <= there[1] and there[0] <= here[1]):
            continue
        if (here > there) == (first > second):
            agree += 1
        else:
            against += 1
    return agree, apart, against


def _interval(ours: Value) -> tuple[float, float] | None:
    if isinstance(ours, Estimate):
        return ours.low, ours.high
    return None if ours is None or isinstance(ours, str) else (ours, ours)


def _number(printed: str) -> float | None:
    try:
        return float(printed)
    except ValueError:
        return None


def _rounding(printed: str) -> float:
    """Half a unit of the last printed digit."""
    decimals = len(printed.partition(".")[2])
    return 0.5 * 10.0**-decimals
