"""A progress bar for people, silence for files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

__all__ = ["progress", "stages"]


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far a piece of work is, on standard error; gives a function that takes the number done."""
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int | None], None]]:
    """Show several pieces of work, a bar each; gives a function that takes (what, done, of how much)."""
    with _bar() as bar:
        tasks: dict[str, TaskID] = {}

        def tick(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield tick
