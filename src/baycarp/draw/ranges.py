"""Pictures of ranges, and of one range against another."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES
from baycarp.draw.picture import drawable, grid
from baycarp.evaluation import Side, as_side, blockers, equity, equity_map
from baycarp.ranges import Range

__all__ = ["by_class", "save_equities", "save_range"]


def by_class(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each starting class over the holdings that have a value, shape (13, 13); else nan."""
    known = np.isfinite(values)
    counts = np.bincount(CLASS_OF[known], minlength=169)
    sums = np.bincount(CLASS_OF[known], values[known], 169)
    means: NDArray[np.float64] = np.divide(sums, counts, out=np.full(169, np.nan), where=counts > 0)
    return means.reshape(13, 13)


def save_range(given: Range | str, path: Path | str) -> None:
    """Draw a range as a grid of starting hands, darker with weight, as PNG, SVG or PDF.

    Raises
    ------
    RangeError
        Text that is no range.
    PictureError
        Another ending.
    """
    drawn = Range(given)
    with grid(drawable(Path(path)), (6.5, 6.5), 1, 1) as panels:
        _draw(panels[0, 0], drawn.classes(), f"{drawn.total:g} of 1326 holdings", "Blues", digits=False)


def save_equities(a: Side, b: Side, path: Path | str, board: str = "") -> None:
    """Draw range against range: each starting hand of both with its equity, and what ``a`` blocks of ``b``.

    Parameters
    ----------
    a, b, board
        As for ``equity``.
    path
        PNG, SVG or PDF by its suffix.

    Raises
    ------
    CardError, RangeError
        As for ``equity``.
    PictureError
        Another ending.
    """
    share = equity(as_side(a, "a"), as_side(b, "b"), board)
    panels = (
        (equity_map(a, b, board), f"a has {share:.1%}", "RdYlGn"),
        (equity_map(b, a, board), f"b has {1 - share:.1%}", "RdYlGn"),
        (blockers(a, b, board), "share of b that a blocks", "Purples"),
    )
    with grid(drawable(Path(path)), (19, 6.7), 1, 3) as axes:
        for each, (values, title, colours) in zip(axes[0], panels, strict=True):
            _draw(each, by_class(values), title, colours)


def _draw(axes: Any, cells: NDArray[np.float64], title: str, colours: str, digits: bool = True) -> None:
    top = 1.0 if colours == "RdYlGn" else 1.4 * float(np.nanmax(cells, initial=0.0)) or 1.0
    axes.imshow(cells, cmap=colours, vmin=0, vmax=top)
    for place, name in enumerate(CLASSES):
        row, column = divmod(place, 13)
        value = cells[row, column]
        words = f"{name}\n{100 * value:.0f}" if digits and np.isfinite(value) else name
        axes.text(column, row, words, ha="center", va="center", fontsize=6)
    axes.set(xticks=[], yticks=[], title=title)
