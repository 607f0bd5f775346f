"""A progress bar on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from baycarp.api.printing import Console

__all__ = ["Forecast", "forecast", "progress", "stages"]


@contextmanager
def progress(
    what: str, total: int, usual: tuple[float, float] | None = None, workers: int = 1
) -> Iterator[Callable[[int], None]]:
    """Show how far a piece of work is; gives a function of the number done.

    Parameters
    ----------
    what, total
        Units of the work, and their number.
    usual, workers
        Processor seconds of a unit, the least and the most, where they are known; and how many work at once.
    """
    with stages(usual and (usual[0] / workers, usual[1] / workers)) as tick:
        yield lambda done: tick(what, done, total)


@contextmanager
def stages(usual: tuple[float, float] | None = None) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show several pieces of work, a bar each; gives a function of (name, number done, total).

    Nothing is shown before its first call: work that is refused at once has no bar. ``usual``: seconds from
    one unit to the next, the least and the most, where they are known.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Forecast(usual))
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
    """The time that is left, by the part that this run has done; before its first, by the usual time."""

    max_refresh = 0.5

    def __init__(self, usual: tuple[float, float] | None = None) -> None:
        super().__init__()
        self._usual = usual

    def render(self, task: Task) -> Text:
        """``0:01:20 left``, or the time so far."""
        seconds, done = task.elapsed or 0.0, int(task.completed)
        return Text(forecast(seconds, task.fields["before"], done, task.total, self._usual))


def forecast(
    seconds: float, before: int, done: int, total: float | None, usual: tuple[float, float] | None = None
) -> str:
    """The words of ``Forecast``.

    Examples
    --------
    >>> forecast(60, 10, 20, 40), forecast(60, 10, 10, 40), forecast(60, 0, 40, 40)
    ('0:02:00 left', '0:01:00 so far', '0:01:00')
    >>> forecast(0, 0, 0, 40, (4, 44)), forecast(60, 0, 0, 40, (4, 44)), forecast(20, 0, 1, 40, (4, 44))
    ('0:02:40 to 0:29:20 left', '0:01:40 to 0:28:20 left', '0:13:00 left')
    """
    if done == total:
        return _clock(seconds)
    if total is not None and done <= before and usual and seconds < usual[1] * (total - done):
        least, most = (max(0.0, each * (total - done) - seconds) for each in usual)
        return f"{_clock(least)} to {_clock(most)} left"
    if total is None or done <= before:
        return f"{_clock(seconds)} so far"
    return f"{_clock(seconds * (total - done) / (done - before))} left"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
