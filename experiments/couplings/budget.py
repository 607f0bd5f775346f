"""The core-hours of the study: one budget for all tables, of which each has an equal part."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.couplings.study import TABLES
from experiments.spent import recorded, spent, worked

__all__ = ["counted", "part"]


def part(out: Path, table: str, hours: float, alone: bool = False) -> float:
    """The core-hours that a table may have spent in all.

    Parameters
    ----------
    out
        Where the folders of the tables are.
    table
        Of ``TABLES``.
    hours
        Of all tables.
    alone
        All that the others have not spent. Otherwise what the tables before it have left, in equal parts for
        it and for those after it.
    """
    names = list(TABLES)
    place = names.index(table)
    own = {name: recorded(out / name) for name in names}
    left = hours - sum(own[name] for name in names if name != table)
    equal = (hours - sum(own[name] for name in names[:place])) / (len(names) - place)
    return left if alone else min(left, equal)


@contextmanager
def counted(folder: Path, hours: float) -> Iterator[Callable[[], bool]]:
    """Whether a folder has spent these hours; those of the work within are added to its own."""
    own, before = recorded(folder), worked()

    def now() -> float:
        return (worked() - before) / 3600

    try:
        yield lambda: own + now() >= hours
    finally:
        spent(folder, now())
