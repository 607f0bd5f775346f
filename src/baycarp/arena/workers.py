"""Worker processes that leave interruptions to their parent, and do not outlive it."""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, parent_process, resource_tracker
from multiprocessing.connection import wait as wait_for_end
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

from baycarp.errors import WorkerError

__all__ = [
    "CONTEXT",
    "INTERRUPTIONS",
    "LISTENING",
    "THIS_PROCESS",
    "Workers",
    "follow_parent",
    "in_order",
    "opened",
    "processes",
    "undisturbed",
]

Unit = TypeVar("Unit")
Result = TypeVar("Result")

INTERRUPTIONS = tuple(each for each in signal.Signals if each.name in ("SIGHUP", "SIGINT", "SIGTERM"))
"""The signals that interrupt work: Ctrl-C, a request to end, a closed terminal where the system has it."""

LISTENING = 0.2
"""Seconds of an undisturbed wait, at most: a signal is heard after it."""


class _WorkerProcess(SpawnProcess):
    """A process that ignores SIGINT from its beginning: it is blocked while the interpreter starts."""

    def start(self) -> None:
        """Start it with the signal blocked, as it is in the new interpreter then."""
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        resource_tracker.ensure_running()  # its start would unblock the signal
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def run(self) -> None:
        """Ignore the signal, one that came before included, and unblock it for programs that are started."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        super().run()


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


CONTEXT = _WorkerContext()
"""Fresh interpreters, safe beside threads and the same on every system; they leave Ctrl-C to their parent."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The place where units of work are done.

    Parameters
    ----------
    count
        Processes, or units at once in the ``pool``; 1 without a pool is this process.
    pool
        Does the work instead, for example on other machines (``arena.cluster``). It is left open.
    """

    count: int = 1
    pool: Executor | None = None


THIS_PROCESS = Workers()
"""One worker, without a pool."""


@contextmanager
def processes(
    count: int, start: Callable[..., None] | None = None, *args: Any
) -> Iterator[ProcessPoolExecutor]:
    """Run a pool of processes; an interruption, an error or the death of the parent ends them at once.

    Parameters
    ----------
    count
        Number of processes.
    start, args
        Called in each when it begins.

    Raises
    ------
    WorkerError
        A process was killed.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(count, CONTEXT, _start, (start, args))
    try:
        yield pool
    except BaseException as error:
        with undisturbed():
            for process in set(active_children()) - others:
                process.terminate()
            # It is waited for: its thread would meet closed pipes at the end of the interpreter.
            pool.shutdown(cancel_futures=True)
        if isinstance(error, BrokenProcessPool):
            raise WorkerError(
                "a worker process ended abruptly, as when memory runs out and the system kills it"
            ) from error
        raise
    pool.shutdown()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Handle interruptions after the block, which is of the pool's own functions.

    A handler that raises inside them can leave the lock of a future held. The pool's thread then waits for
    that lock, and the process for that thread, for ever.
    """
    if current_thread() is not main_thread():  # only the main thread runs handlers
        yield
        return
    came: list[int] = []
    found = {number: signal.getsignal(number) for number in INTERRUPTIONS}
    handlers = {number: handler for number, handler in found.items() if handler is not None}  # not Python's
    for number in handlers:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for each in came:
            signal.raise_signal(each)


@contextmanager
def opened(workers: Workers) -> Iterator[Workers]:
    """The workers with a pool for several tasks: theirs, which is left open, or processes; one needs none."""
    if workers.pool or workers.count == 1:
        yield workers
        return
    with processes(workers.count) as pool:
        yield Workers(workers.count, pool)


def in_order(
    work: Callable[[Unit], Result], units: Iterable[Unit], workers: Workers = THIS_PROCESS
) -> Generator[tuple[Unit, Result], None, None]:
    """Do units of work, as many at once as there are workers and one to spare, and yield them in their order.

    Close the generator (``contextlib.closing``): that ends the workers.

    Parameters
    ----------
    work
        Of one unit: a function of a module, or a ``partial`` of one.
    units
        In the order of the results; those of an iterator are taken as workers become idle.
    workers
        The processes, or the pool.
    """
    waiting = deque[tuple[Unit, Future[Result]]]()
    with opened(workers) as ready:
        if ready.pool is None:
            for unit in units:
                yield unit, work(unit)
            return
        try:
            for unit in units:
                with undisturbed():
                    waiting.append((unit, ready.pool.submit(work, unit)))
                if len(waiting) > workers.count:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        finally:
            with undisturbed():
                for _, future in waiting:
                    future.cancel()


def _first(waiting: deque[tuple[Unit, Future[Result]]]) -> tuple[Unit, Result]:
    """The first unit and its result, once it is there."""
    unit, future = waiting.popleft()
    while True:
        with undisturbed():
            if wait([future], LISTENING).done:
                return unit, future.result()


def _start(start: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    follow_parent()
    if start is not None:
        start(*args)


def follow_parent() -> None:
    """Have this process end when its parent ends, whatever it is doing."""
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End with the parent, however it ended: a worker that waits for work would wait for ever."""
    parent = parent_process()
    assert parent is not None
    wait_for_end([parent.sentinel])
    os._exit(1)
