"""The loops of an elimination step: which variable is innermost, and which loops are one.

The kernel sums rows of contiguous columns in vectors. The rows are the states of the summed variable; columns
are chosen by an estimate of the time. Loops whose values lie one after the other in every table are fused.
The sums are over the states in ascending order in any case.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from baycarp.kernels.elimination import Step

__all__ = ["arranged", "fused"]

Strides: TypeAlias = Mapping[str, int]

WIDTH = 8
"""Columns of a vector."""

SMALL = 512
"""Cells of a step that gains less than its arrangement takes: columns are the last of the widest factor."""

TILE, ROW, SCATTERED = 40, 3, 2.5
"""The time of a pair of innermost loops, of a row, and of a value that is not contiguous, in vectors."""


def arranged(views: Sequence[Strides], states: Mapping[str, int], summed: str | None) -> list[str]:
    """All free variables, outermost first: kept ones, the summed one, the columns.

    Parameters
    ----------
    views
        The stride of each free variable of each factor.
    states
        The number of states of each variable.
    summed
        The variable that is summed out.
    """
    widest = max(views, key=len, default={})
    free = dict.fromkeys(node for view in views for node in view)
    loops = sorted(free, key=lambda node: -widest.get(node, math.inf))
    kept = [node for node in loops if node != summed]
    if len(kept) < 2:
        return [*((summed,) if summed in free else ()), *kept]
    cells = math.prod(map(states.__getitem__, loops))
    columns: tuple[str, ...] = (kept[-1],)
    if cells > SMALL:
        groups = [_columns(node, kept, views, states) for node in reversed(kept)]
        rows = states.get(summed or "", 1)
        columns = min(groups, key=lambda group: _time(group, views, states, cells, rows))
    outer = [node for node in kept if node not in columns]
    return [*outer, *((summed,) if summed in free else ()), *columns]


def _columns(
    last: str, kept: Sequence[str], views: Sequence[Strides], states: Mapping[str, int]
) -> tuple[str, ...]:
    """The variables whose values follow each other in every factor, from the last one outwards."""
    columns: tuple[str, ...] = (last,)
    length = states[last]
    while True:
        for node in kept:
            if node not in columns and all(view.get(node, 0) == view.get(last, 0) * length for view in views):
                columns, length = (node, *columns), length * states[node]
                break
        else:
            return columns


def _time(
    columns: Sequence[str], views: Sequence[Strides], states: Mapping[str, int], cells: int, rows: int
) -> float:
    """An estimate of the time of a step."""
    strides = [view[columns[-1]] for view in views if columns[-1] in view]
    length = math.prod(states[node] for node in columns)
    vectors = math.ceil(length / WIDTH)
    if all(stride == 1 for stride in strides):
        row: float = vectors * (1 + len(strides))
    else:
        row = length * SCATTERED * len(strides)
    return cells / (rows * length) * (TILE + rows * (ROW + row))


def fused(step: Step) -> Step:
    """The step with loops joined that are one in the message and in every factor."""
    lengths, strides, first, size, factors = step
    if len(lengths) == 2 or math.prod(lengths) <= SMALL:
        return step
    keep = [list(lengths), list(strides), *(list(factor[2]) for factor in factors)]
    for d in range(len(lengths) - 2, -1, -1):
        if len(keep[0]) > 2 and all(row[d] == row[d + 1] * keep[0][d + 1] for row in keep[1:]):
            keep[0][d + 1] *= keep[0][d]
            for row in keep:
                del row[d]
    pairs = zip(factors, keep[2:], strict=True)
    return keep[0], keep[1], first, size, [(memory, at, row, s) for (memory, at, _, s), row in pairs]
