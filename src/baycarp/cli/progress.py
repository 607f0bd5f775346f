"""A progress bar on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

__all__ = ["progress", "stages"]


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far a piece of work is; gives a function of the number done."""
    with stages() as tick:
        yield lambda done: tick(what, done, total)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int | None], None]]:
    """Show several pieces of work, a bar each; gives a function of (name, number done, total).

    Nothing is shown before its first call: work that is refused at once has no bar.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar, tasks = Progress(*columns, console=Console(stderr=True)), dict[str, TaskID]()

    def tick(what: str, done: int, total: int | None) -> None:
        bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done, total=total)

    try:
        yield tick
    finally:
        if tasks:
            bar.stop()
