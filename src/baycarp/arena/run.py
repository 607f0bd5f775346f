"""Play units of work, here or elsewhere, in any order: the results depend on the units alone."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import closing, nullcontext
from functools import partial
from itertools import islice
from typing import Any

from baycarp.arena.journal import Journal, Unit
from baycarp.arena.session import Played
from baycarp.arena.workers import CONTEXT, LISTENING, THIS_PROCESS, Workers, processes, undisturbed
from baycarp.errors import JournalError, TableError, WorkerError

__all__ = ["Play", "Results", "play_units", "run"]

Play = Callable[[Unit, Callable[[int], None]], Played]
"""Plays one unit; it calls its second argument after each hand with the number of hands played."""

Results = Mapping[Unit, Played]


def _silence(played: int) -> None:
    pass


def play_units(
    play: Play,
    units: Iterable[Unit],
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = _silence,
) -> Generator[tuple[Unit, Played], None, None]:
    """Play units and yield each as it is finished, in any order.

    Close the generator (``contextlib.closing``): that ends the workers. An interruption loses only the units
    under way.

    Parameters
    ----------
    play
        Plays one unit: a function of a module, or a ``partial`` of one.
    units
        Submitted as workers become idle.
    workers
        The processes, or the pool.
    tick
        Called at intervals with the number of hands played in all.
    """
    pool = workers.pool
    if pool is None and workers.count == 1:
        before = 0
        for unit in units:
            played = play(unit, partial(_further, tick, before))
            before += len(played.net)
            yield unit, played
        return
    counter = CONTEXT.Value("q", 0)
    with nullcontext(pool) if pool else processes(workers.count, _join, counter) as chosen:
        yield from _play_in(
            chosen, partial(_play, play, _silence if pool else _count), units, workers.count, tick, counter
        )


def _play_in(
    pool: Executor, play: Any, units: Iterable[Unit], workers: int, tick: Callable[[int], None], counter: Any
) -> Generator[tuple[Unit, Played], None, None]:
    supply, waiting, before = iter(units), dict[Future[Played], Unit](), 0
    try:
        while True:
            with undisturbed():
                # One unit more than workers, so that no worker waits for this process.
                for unit in islice(supply, workers + 1 - len(waiting)):
                    waiting[pool.submit(play, unit)] = unit
                if not waiting:
                    return
                finished = wait(waiting, LISTENING, FIRST_COMPLETED).done
                # A unit that failed comes last, so that the others' results are not lost with it.
                ordered = sorted(finished, key=lambda future: future.exception() is not None)
            for future in ordered:
                with undisturbed():
                    played = future.result()
                before += len(played.net)
                yield waiting.pop(future), played
            # Without the counter's lock, which a worker may have held when it was killed.
            tick(max(before, counter.get_obj().value))
    finally:
        with undisturbed():
            for future in waiting:
                future.cancel()


def run(
    play: Play,
    rounds: Iterable[Sequence[Unit]],
    journal: Journal | None = None,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = _silence,
    enough: Callable[[Results], bool] = lambda results: False,
) -> dict[Unit, Played]:
    """Play round after round until there are no more, or ``enough`` is true; units of the journal are done.

    Parameters
    ----------
    play, workers, tick
        As in ``play_units``.
    rounds
        Units that belong together: all seatings of a session, say.
    journal
        Every finished unit is appended; its records are not played again.
    enough
        Called after each whole round, in order, with all results up to it.

    Returns
    -------
    dict
        The results of the whole rounds up to the one that was enough: the same for any number of workers,
        interrupted or not.

    Raises
    ------
    JournalError
        A record that is not that of a session.
    WorkerError
        A worker process was killed; every finished unit is in the journal.
    """
    known = _recorded(journal) if journal else {}
    waiting, done = deque(tuple(units) for units in rounds), dict[Unit, Played]()

    def settled() -> bool:
        while waiting and all(unit in known for unit in waiting[0]):
            done.update((unit, known[unit]) for unit in waiting.popleft())
            if enough(done):
                return True
        return not waiting

    wanted = {unit for units in waiting for unit in units}
    found = sum(len(played.net) for unit, played in known.items() if unit in wanted)
    tick(found)
    if settled():
        return done
    missing = [unit for units in waiting for unit in units if unit not in known]
    try:
        with closing(play_units(play, missing, workers, lambda hands: tick(found + hands))) as finished:
            for unit, played in finished:
                known[unit] = played
                if journal:
                    journal.append(unit, played.to_dict())
                if settled():
                    break
        tick(sum(len(known[unit].net) for unit in wanted if unit in known))
    except WorkerError as error:
        if journal is None:
            raise
        text = (
            f"{journal.path} is whole, with {len(journal.records)} units; the same command goes on from there"
        )
        raise WorkerError(f"{error}: {text}") from error
    return done


def _recorded(journal: Journal) -> dict[Unit, Played]:
    """The results that a journal holds."""
    known = {}
    for unit, record in journal.records.items():
        try:
            known[unit] = Played.from_dict(record)
        except TableError as error:
            raise JournalError(f"{journal.path}, unit {unit}: {error}") from error
    return known


def _further(tick: Callable[[int], None], before: int, hand: int) -> None:
    tick(before + hand)


def _play(play: Play, tick: Callable[[int], None], unit: Unit) -> Played:
    return play(unit, tick)


_counter: Any = None
"""In a worker process: the number of hands that all workers have played."""


def _join(counter: Any) -> None:
    global _counter
    _counter = counter


def _count(_hand: int) -> None:
    with _counter.get_lock():
        _counter.value += 1
