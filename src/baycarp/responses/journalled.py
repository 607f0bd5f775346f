"""Units of work in a journal: what is done is not done again."""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, TypeVar

from baycarp.arena.journal import Journal, Unit
from baycarp.arena.workers import Workers, in_order

__all__ = ["complete"]

Work = TypeVar("Work")


def complete(
    journal: Journal,
    units: Sequence[Work],
    key: Callable[[Work], Unit],
    work: Callable[[Work], dict[str, Any]],
    workers: Workers,
    tick: Callable[[int], None],
) -> None:
    """Append the records of the units that a journal lacks, in their order.

    Parameters
    ----------
    journal
        The journal.
    units
        Different ones.
    key
        The place of a unit in the journal.
    work
        The record of a unit: a function of a module, or a ``partial`` of one.
    workers
        Where the work is done.
    tick
        Called with the number of units done.
    """
    missing = [unit for unit in units if key(unit) not in journal.records]
    done = len(units) - len(missing)
    tick(done)
    with closing(in_order(work, missing, workers)) as found:
        for unit, record in found:
            journal.append(key(unit), record)
            done += 1
            tick(done)
