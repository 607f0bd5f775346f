"""What a command prints: tables, JSON, and the line about a picture."""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

__all__ = ["as_json", "console", "drawn", "grid", "print_each"]


def grid(*titles: str, words: Collection[str] = (), **settings: Any) -> Table:
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
        word = title in (words or titles[:1])
        table.add_column(title, justify="left" if word else "right", no_wrap=not word, overflow="fold")
    return table


def console(width: int = 0) -> Console:
    """A console of at least ``width`` columns, so that a table of that width is not cut."""
    return Console(width=max(Console().width, width))


def as_json(record: Any, indent: int | None = None) -> str:
    """JSON, with null for nan and infinite numbers, which JSON does not have.

    Examples
    --------
    >>> as_json({"margin": float("nan")})
    '{"margin": null}'
    """
    return json.dumps(json.loads(json.dumps(record), parse_constant=lambda _: None), indent=indent)


def print_each(records: Iterable[Any]) -> None:
    """Print dataclasses as JSON, one object a line, each as soon as it is there."""
    for record in records:
        print(as_json(asdict(record)), flush=True)


def drawn(what: str, path: Path, draw: Callable[[Path], None]) -> str:
    """Draw a picture where matplotlib is installed; the line to print about it."""
    try:
        draw(path)
    except ImportError as hint:
        return str(hint)
    return f"{what}: {path}"
