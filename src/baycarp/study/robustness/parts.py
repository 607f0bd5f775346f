"""Parts of gates, each in a process of its own: a crash is a finding, and the other items are run again."""

import os
import signal
import tempfile
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from baycarp.arena.workers import CONTEXT, follow_parent
from baycarp.study.robustness.gate import Gate, Result, Share

__all__ = ["Part", "parts", "run_parts"]

INTERVAL = 0.5
"""Seconds between two checks of what runs."""

START = 60.0
"""Seconds more that a process may take until its first item."""


@dataclass(frozen=True, slots=True)
class Part:
    """Items ``start`` to ``stop`` of a gate."""

    gate: Gate
    start: int
    stop: int
    seed: int

    @property
    def key(self) -> tuple[str, int, int]:
        """Names the part in a journal."""
        return self.gate.name, self.start, self.stop

    @property
    def cost(self) -> float:
        """Expected seconds."""
        return self.gate.cost * (self.stop - self.start)


def parts(gate: Gate, scale: float, seed: int) -> list[Part]:
    """The parts of a gate at a share of its size; a part that is whole is the same at every scale."""
    size = max(1, round(gate.size * scale))
    return [Part(gate, start, min(start + gate.part, size), seed) for start in range(0, size, gate.part)]


def run_parts(given: Iterable[Part], workers: int) -> Generator[tuple[Part, Result], None, None]:
    """Run parts in ``workers`` processes and give each as it is done; close the generator to end them."""
    waiting, running = deque(given), list[_Run]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                running.append(_Run(waiting.popleft()))
            wait([one.answer for one in running], timeout=INTERVAL)
            for one in [one for one in running if one.is_done()]:
                running.remove(one)
                yield one.part, one.result
    finally:
        for one in running:
            one.kill()


class _Run:
    """A part under way: pieces of it that are to be run, one process at a time."""

    def __init__(self, part: Part) -> None:
        self.part, self.result = part, Result()
        self.pieces = deque([(part.start, part.stop)])
        self._begin()

    def _begin(self) -> None:
        start, stop = self.pieces[0]
        self.at: Any = CONTEXT.Value("q", start - 1, lock=False)
        self.seen, self.since = start - 1, monotonic() + START
        self.folder = TemporaryDirectory(ignore_cleanup_errors=True)
        self.answer, answer = CONTEXT.Pipe(duplex=False)
        share = (start, stop, self.part.seed, self.at)
        self.process = CONTEXT.Process(target=_run, args=(self.part.gate, share, answer, self.folder.name))
        self.process.start()
        answer.close()

    def is_done(self) -> bool:
        """Look after the process; whether it was the last one that was needed."""
        if self.answer.poll():
            self._receive()
        elif self._is_stuck():
            self.kill()
            self._without("slow", f"no end within {self.part.gate.patience:.0f} s")
        else:
            return False
        if self.pieces:
            self._begin()
        return not self.pieces

    def _receive(self) -> None:
        try:
            result = Result.from_dict(self.answer.recv())
        except EOFError:  # the process has ended without an answer
            self._end()
            self._without("crashes", f"exit code {self.process.exitcode}")
        else:
            self._end()
            self.result.add(result)
            self.pieces.popleft()

    def _is_stuck(self) -> bool:
        if self.at.value != self.seen:
            self.seen, self.since = self.at.value, monotonic()
        return monotonic() - self.since > self.part.gate.patience

    def _without(self, kind: str, what: str) -> None:
        """Count the item that ended the process; what is before and after it is run again."""
        start, stop = self.pieces.popleft()
        number = max(start, self.at.value)
        self.result.done += 1
        self.result.find(kind, f"item {number}: {what}")
        self.pieces.extend(piece for piece in ((start, number), (number + 1, stop)) if piece[0] < piece[1])

    def _end(self) -> None:
        """Wait for the end of the process, and remove its files."""
        self.process.join()
        self.answer.close()
        self.folder.cleanup()

    def kill(self) -> None:
        """End the process, and those that it has started."""
        if self.process.pid is not None and self.process.is_alive():
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # it has no group of its own yet
                self.process.kill()
        self._end()


def _run(gate: Gate, share: tuple[int, int, int, Any], answer: Connection, folder: str) -> None:
    """In the process of its own: run a share, and send what it gave."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    follow_parent()
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    result = gate.run(Share(*share))
    result.cpu = sum(os.times()[:4])
    answer.send(result.to_dict())
