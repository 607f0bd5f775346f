"""Tables as text, and values as JSON."""

import json
from collections.abc import Collection, Iterable
from io import StringIO
from typing import Any

from rich.box import SIMPLE
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from baycarp.game.seats import plain_name

__all__ = ["as_json", "as_text", "cell_text", "grid", "show"]

WIDTH = 100
"""Columns of a result as text, outside a terminal."""


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
    return escape(plain_name(name))


def show(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print tables, and lines as they are: not wrapped, and without markup."""
    for part in parts:
        if isinstance(part, str):
            console.print(part, soft_wrap=True, markup=False, highlight=False)
        else:
            console.print(part)


def as_text(parts: Iterable[RenderableType], width: int = WIDTH) -> str:
    """Tables and lines as plain text without the blanks at the ends of lines.

    Examples
    --------
    >>> as_text(["one [line]"])
    'one [line]'
    """
    file = StringIO()
    show(Console(file=file, width=width, no_color=True), parts)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def as_json(record: Any, indent: int | None = None) -> str:
    """JSON, with null for nan and infinite numbers, which JSON does not have.

    Examples
    --------
    >>> as_json({"margin": float("nan")})
    '{"margin": null}'
    """
    return json.dumps(json.loads(json.dumps(record), parse_constant=lambda _: None), indent=indent)
