"""A picture from its size to its file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from baycarp.errors import PictureError

__all__ = ["FORMATS", "drawable", "grid", "picture"]

FORMATS = (".png", ".svg", ".pdf")
"""Endings that are drawn."""


def drawable(path: Path) -> Path:
    """The path of a picture, after a check of its ending.

    Raises
    ------
    PictureError
        Another ending, or none.

    Examples
    --------
    >>> drawable(Path("rates.SVG")).suffix
    '.SVG'
    """
    if path.suffix.lower() not in FORMATS:
        raise PictureError(f"picture {str(path)!r}: expected a name that ends in {', '.join(FORMATS)}")
    return path


@contextmanager
def grid(path: Path, size: tuple[float, float], rows: int, columns: int) -> Iterator[Any]:
    """Give panels to draw on, and write the picture when that went well.

    Parameters
    ----------
    path
        Its ending gives the format, PNG, SVG or PDF; its folder is made if it is missing.
    size
        Width and height, inches.
    rows, columns
        Of panels; gives an array of axes of this shape.

    Raises
    ------
    PictureError
        Another ending.
    ImportError
        matplotlib is absent; the message explains its installation.
    """
    drawable(path)
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'baycarp[viz]'") from error
    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    yield figure.subplots(rows, columns, squeeze=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, bbox_inches="tight")


@contextmanager
def picture(path: Path, size: tuple[float, float] = (8, 4.5)) -> Iterator[Any]:
    """Give the axes of a picture of one panel; the rest as ``grid``."""
    with grid(path, size, 1, 1) as panels:
        yield panels[0, 0]
