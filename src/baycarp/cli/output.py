"""What a command prints: tables, JSON, and the line about a picture."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from baycarp.api.printing import Console, as_json, counted, folded, grid

__all__ = ["as_json", "console", "counted", "drawn", "grid", "print_each", "print_text"]


def console(width: int = 0) -> Console:
    """A console of at least ``width`` columns, so that a table of that width is not cut."""
    return Console(width=max(Console().width, width))


def print_text(text: str) -> None:
    """Print a text whose lines are as wide as the terminal at most."""
    print(folded(text, Console().width))


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
