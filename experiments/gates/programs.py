"""Programs in forks of one process that has imported what they need.

A short command takes most of its time to import the package; a fork has it imported, and works as a program
that the interpreter has started.
"""

import os
import runpy
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from baycarp.arena.workers import CONTEXT

__all__ = ["Origin", "Program", "python"]


LONGEST = 600.0
"""Seconds that a program of a gate may take."""


class Order(NamedTuple):
    """What a fork does, the folders of its output and of its work, and variables of its environment."""

    work: Callable[..., object]
    arguments: tuple[Any, ...]
    streams: str
    folder: str
    variables: dict[str, str]
    group: bool


class Program:
    """A function in a fork, and what it writes; it is killed at the end of its block.

    Attributes
    ----------
    status : int, optional
        The exit status, below 0 after a signal; None = no end was seen yet.
    """

    def __init__(self, origin: Connection, order: Order, streams: TemporaryDirectory[str]) -> None:
        self._origin, self._streams = origin, streams
        origin.send(order)
        self._pid: int = origin.recv()
        self._kill = os.killpg if order.group else os.kill
        self.status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._streams.cleanup()

    @property
    def out(self) -> bytes:
        """Standard output so far."""
        return self._read("out")

    @property
    def err(self) -> str:
        """Standard error so far."""
        return self._read("err").decode(errors="replace").strip()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; False = it still runs after some seconds."""
        if self.status is None and self._origin.poll(seconds):
            self.status = self._origin.recv()
        return self.status is not None

    def ends(self) -> bool:
        """Wait for the end; False = it still runs after ``LONGEST``, and is killed."""
        if self.wait(LONGEST):
            return True
        self.kill()
        return False

    def kill(self) -> None:
        """Kill it if it runs."""
        if not self.wait(0):
            try:
                self._kill(self._pid, signal.SIGKILL)
            except ProcessLookupError:  # it has no group yet, or has ended
                with suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
            self.wait()

    def _read(self, name: str) -> bytes:
        path = Path(self._streams.name, name)
        return path.read_bytes() if path.exists() else b""


class Origin:
    """The process whose forks are programs, one at a time; POSIX only.

    Parameters
    ----------
    modules
        What it imports.
    """

    def __init__(self, modules: Iterable[str] = ()) -> None:
        self._pipe, there = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_fork, args=(there, tuple(modules)))
        self._process.start()
        there.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.join()

    def program(
        self,
        work: Callable[..., object],
        *arguments: object,
        folder: str = ".",
        group: bool = False,
        **variables: str,
    ) -> Program:
        """Run a function of a module.

        Parameters
        ----------
        work, arguments
            The function, and its arguments.
        folder
            The current folder.
        group
            Whether what it starts is killed with it.
        variables
            Of the environment, beside those of this process.
        """
        streams = TemporaryDirectory(ignore_cleanup_errors=True)
        return Program(self._pipe, Order(work, arguments, streams.name, folder, variables, group), streams)


def python(*words: str) -> None:
    """What the interpreter does with these arguments: ``-m`` and a module, or a file, then what it takes."""
    first, *more = words
    if first == "-m":
        sys.argv = more
        runpy.run_module(more[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [*words]
        runpy.run_path(first, run_name="__main__")


def _fork(pipe: Connection, modules: Iterable[str]) -> None:
    """In the origin: programs as they are ordered; their processor time is that of its children."""
    for module in modules:
        import_module(module)
    forks = get_context("fork")  # safe: this process has one thread
    while True:
        try:
            order = pipe.recv()
        except EOFError:
            return
        process = forks.Process(target=_run, args=(order,))
        process.start()
        assert process.pid
        pipe.send(process.pid)
        if process.sentinel not in wait([process.sentinel, pipe]):  # nobody waits for the program any more
            (os.killpg if order.group else os.kill)(process.pid, signal.SIGKILL)
            return
        process.join()
        pipe.send(process.exitcode)


def _run(order: Order) -> None:
    """In the fork."""
    if order.group:
        os.setpgid(0, 0)
    files = (Path(os.devnull), Path(order.streams, "out"), Path(order.streams, "err"))
    for number, file in enumerate(files):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND), number)
    os.environ.update(order.variables)
    os.chdir(order.folder)
    order.work(*order.arguments)
