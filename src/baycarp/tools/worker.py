"""The process that computes: one tool at once, within time and memory; a late one is killed."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from baycarp.arena.workers import CONTEXT, follow_parent
from baycarp.errors import BaycarpError, WorkerError
from baycarp.files import read_bytes
from baycarp.tools.hands import HandTools
from baycarp.tools.toolbox import toolbox

__all__ = ["LONGEST", "SECONDS", "ToolProcess", "fitted"]

SECONDS = 9.0
"""From a call to its answer, the wait for another call included."""

LONGEST = 8000
"""Bytes of an answer."""

MEMORY = 4 << 30
"""Bytes of address space that a tool may take, where the system limits it."""


class ToolProcess:
    """A process that runs one tool at once. It starts at the first call, and anew after one was killed.

    Parameters
    ----------
    paths, game
        As of ``HandTools``.
    seconds
        Limit of a call.
    """

    def __init__(self, paths: Sequence[Path], game: str, seconds: float = SECONDS) -> None:
        self._recorded = tuple(paths), game
        self._seconds = seconds
        self._one = Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The answer of a tool as JSON, at most ``LONGEST`` bytes.

        Raises
        ------
        BaycarpError
            The tool refuses its arguments.
        WorkerError
            Another computation takes all the time, or this one does, or memory ran out.
        """
        until = monotonic() + self._seconds
        if not self._one.acquire(timeout=self._seconds):
            raise WorkerError(f"{name}: another computation runs: call it again, one tool at once")
        try:
            done, answer = self._computed((name, dict(arguments)), until)
        finally:
            self._one.release()
        if not done:
            raise BaycarpError(answer)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _computed(self, task: tuple[str, dict[str, Any]], until: float) -> tuple[bool, str]:
        if self._pipe is None:
            self._start()
        assert self._pipe is not None
        try:
            self._pipe.send(task)
            if not self._pipe.poll(max(0.0, until - monotonic())):
                self.close()
                raise WorkerError(f"{task[0]}: not done in {self._seconds:g} s: ask for less")
            done, answer = self._pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise WorkerError(f"{task[0]}: the computation ended, as when memory runs out") from None
        return bool(done), str(answer)

    def _start(self) -> None:
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_run, args=(theirs, *self._recorded), daemon=True)
        self._process.start()
        theirs.close()


def _run(pipe: Connection, paths: tuple[Path, ...], game: str) -> None:
    """Answer tools until the pipe is closed."""
    follow_parent()
    with suppress(ImportError):
        import resource  # not on every system

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY + _address_space()
        if most == resource.RLIM_INFINITY or limit < most:
            resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    tools = toolbox(HandTools(paths, game))
    with suppress(EOFError):
        while True:
            name, arguments = pipe.recv()
            try:
                pipe.send((True, fitted(tools[name](**arguments))))
            except Exception as error:  # an agent may raise any error; the next tool is answered
                pipe.send((False, f"{type(error).__name__}: {str(error)[:1000] or 'no reason'}"))


def _address_space() -> int:
    """Bytes that the process has now, with those of its libraries; 0 where it is unknown."""
    with suppress(OSError, ValueError):
        return int(read_bytes("/proc/self/statm", 1 << 16).split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def fitted(answer: dict[str, Any], most: int = LONGEST) -> str:
    """An answer as JSON of at most ``most`` bytes: its longest text is cut, or else its longest list."""
    while len(line := json.dumps(answer, ensure_ascii=False).encode()) > most:
        holder, key = max(_long(answer), key=lambda found: len(str(found[0][found[1]])))
        value, surplus = holder[key], len(line) - most
        if isinstance(value, str):
            holder[key] = value[: max(0, len(value) - surplus - 20)] + " ... (cut)"
        else:
            kept = max(0, len(value) * (most - 200) // len(line) - 1)
            holder[key] = value[:kept] if isinstance(value, list) else dict([*value.items()][:kept])
            answer["cut"] = f"{key}: {kept} of {len(value)}"
    return line.decode()


def _long(value: Any) -> Any:
    """The places of texts of 200 characters or more; without any those of lists and mappings."""
    texts = [place for place in _places(value) if isinstance(place[0][place[1]], str)]
    long = [(holder, key) for holder, key in texts if len(holder[key]) >= 200]
    return long or [(h, k) for h, k in _places(value) if isinstance(h[k], list | dict) and len(h[k]) > 1]


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from _places(inner)
