"""A progress bar on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from baycarp.api.printing import Console

__all__ = ["Forecast", "forecast", "progress", "stages"]


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
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Forecast())
    bar, tasks = Progress(*columns, console=Console(stderr=True)), dict[str, TaskID]()

    def tick(what: str, done: int, total: int | None) -> None:
        bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=total, before=done)
        bar.update(tasks[what], completed=done, total=total)

    try:
        yield tick
    finally:
        if tasks:
            bar.stop()


class Forecast(ProgressColumn):
    """The time that is left, by the part that this run has done; before its first, the time so far."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """``0:01:20 left``, or the time so far."""
        return Text(forecast(task.elapsed or 0.0, task.fields["before"], int(task.completed), task.total))


def forecast(seconds: float, before: int, done: int, total: float | None) -> str:
    """The words of ``Forecast``.

    Examples
    --------
    >>> forecast(60, 10, 20, 40), forecast(60, 10, 10, 40), forecast(60, 0, 40, 40)
    ('0:02:00 left', '0:01:00 so far', '0:01:00')
    """
    if done == total:
        return _clock(seconds)
    if total is None or done <= before:
        return f"{_clock(seconds)} so far"
    return f"{_clock(seconds * (total - done) / (done - before))} left"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
