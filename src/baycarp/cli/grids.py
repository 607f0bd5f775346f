"""Tables on the console."""

from collections.abc import Iterable

from rich.table import Table as Grid

__all__ = ["add_numbers"]


def add_numbers(grid: Grid, titles: Iterable[str]) -> None:
    """Add columns of numbers: to the right, on one line each."""
    for title in titles:
        grid.add_column(title, justify="right", no_wrap=True)
