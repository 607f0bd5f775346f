"""Creates pictures and writes their files."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from baycarp.errors import PictureError
from baycarp.files import plain_text

__all__ = ["FORMATS", "drawable", "grid", "picture"]

FORMATS = (".png", ".svg", ".pdf")
"""Suffixes of supported formats."""


def drawable(path: Path) -> Path:
    """Check the suffix of the path of a picture, make its folder, and return the path.

    Raises
    ------
    PictureError
        Another suffix, or no suffix.
    OSError
        The folder cannot be made.

    Examples
    --------
    >>> drawable(Path("rates.SVG")).suffix
    '.SVG'
    """
    if path.suffix.lower() not in FORMATS:
        raise PictureError(f"picture {str(path)!r}: expected a name that ends in {', '.join(FORMATS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def grid(path: Path, size: tuple[float, float], rows: int, columns: int) -> Iterator[Any]:
    """Yield the axes of panels; write the picture unless an error is raised.

    Parameters
    ----------
    path
        PNG, SVG or PDF by its suffix; a missing folder is created.
    size
        Width and height, inches.
    rows, columns
        Shape of the array of axes.

    Raises
    ------
    PictureError
        Another suffix.
    ImportError
        matplotlib is absent; the message explains its installation.
    """
    drawable(path)
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "pictures need matplotlib: pip install 'baycarp[viz]' (in a clone '.[viz]')"
        ) from error
    with rc_context(
        {"svg.fonttype": "none", "text.parse_math": False}
    ):  # words stay words: names are no formulas
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        yield figure.subplots(rows, columns, squeeze=False)
        _escape(figure)
        path.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of a script that the font lacks
            figure.savefig(path, dpi=150, bbox_inches="tight")


def _escape(figure: Any) -> None:
    """Escape what could mislead in all words of a figure: names are those of strangers."""
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), FuncFormatter):  # words at the ticks
                axis.set_ticklabels([plain_text(each.get_text()) for each in axis.get_ticklabels()])
    for text in figure.findobj(Text):
        text.set_text(plain_text(text.get_text()))


@contextmanager
def picture(path: Path, size: tuple[float, float] = (8, 4.5)) -> Iterator[Any]:
    """Yield the axes of a picture with one panel; otherwise as ``grid``."""
    with grid(path, size, 1, 1) as panels:
        yield panels[0, 0]
