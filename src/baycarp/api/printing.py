"""Tables as text, and values as JSON."""

import json
import re
from collections.abc import Collection, Iterable
from io import StringIO
from textwrap import fill
from typing import IO, Any, cast

from rich import console as rich_console
from rich.box import SIMPLE
from rich.console import ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table

from baycarp.files import as_plain, plain_text

__all__ = ["Console", "as_json", "as_text", "cell_text", "folded", "grid", "show"]

WIDTH = 100
"""Columns of a result as text, outside a terminal."""


class Console(rich_console.Console):
    """A console whose texts are escaped (``plain_text``): only the console itself commands the terminal."""

    @property
    def file(self) -> IO[str]:
        """Where it prints: below the stream of a command, which would escape the console's own commands."""
        own = super().file
        return cast(IO[str], getattr(own, "below", own))

    @file.setter
    def file(self, new: IO[str]) -> None:
        self._file = new

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, as of rich."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else plain_text(text), style, control)


def grid(*titles: str, words: Collection[str] | None = None, **settings: Any) -> Table:
    """A table without rows: the columns of words on the left, numbers on the right and on one line each.

    Parameters
    ----------
    titles
        Of the columns.
    words
        The titles of the columns of words; by default the first column alone.
    settings
        Of ``rich.table.Table``.
    """
    table = Table(box=SIMPLE, **{"padding": (0, 1, 0, 0), **settings})
    for title in titles:
        word = title in (titles[:1] if words is None else words)
        table.add_column(title, justify="left" if word else "right", no_wrap=not word, overflow="fold")
    return table


def cell_text(name: str) -> str:
    r"""A name from a file as the text of a cell: neither markup nor control characters.

    Examples
    --------
    >>> print(cell_text("[red]Ann"))
    \[red]Ann
    """
    return escape(plain_text(name, kept=""))


def show(console: Console, parts: Iterable[RenderableType], folds: bool = True) -> None:
    """Print tables, and lines without markup; longer ones than the console go on in the next, if it folds."""
    for part in parts:
        if isinstance(part, str):
            text = folded(part, console.width) if folds else part
            console.print(text, soft_wrap=True, markup=False, highlight=False)
        else:
            console.print(part)


def folded(text: str, width: int) -> str:
    """A text whose longer lines go on in the next one, two columns further in; words are not divided.

    Examples
    --------
    >>> print(folded("  one two three", 10))
      one two
        three
    """
    return "\n".join(
        fill(line, width, subsequent_indent=f"{_MARGIN.match(line)[0]}  ", **_WHOLE)  # type: ignore[index, arg-type]
        if len(line) > width
        else line
        for line in text.split("\n")
    )


_MARGIN = re.compile(" *")
_WHOLE = {"break_long_words": False, "break_on_hyphens": False}


def counted(number: int, noun: str, form: str = "") -> str:
    """A number with its noun, in the plural but for 1; ``form`` is the number's format.

    Examples
    --------
    >>> counted(1, "hand"), counted(0, "hand"), counted(1200, "hand", ",")
    ('1 hand', '0 hands', '1,200 hands')
    """
    return f"{number:{form}} {noun}{'s' * (number != 1)}"


def as_text(parts: Iterable[RenderableType], width: int = WIDTH) -> str:
    """Tables and lines as plain text without the blanks at the ends of lines.

    Examples
    --------
    >>> as_text(["one [line]"])
    'one [line]'
    """
    file = StringIO()
    show(Console(file=file, width=width, no_color=True), parts, folds=False)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def as_json(record: Any, indent: int | None = None) -> str:
    """JSON, with null for nan and infinite numbers, which JSON does not have.

    Examples
    --------
    >>> as_json({"margin": float("nan")})
    '{"margin": null}'
    """
    return json.dumps(as_plain(record, None), indent=indent)
