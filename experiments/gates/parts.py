"""Parts of gates, each in a process of its own: a crash is a finding, and the other items are run again."""

import os
import signal
import tempfile
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import Connection
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import Any, Self

from baycarp.arena.workers import CONTEXT, follow_parent
from experiments.gates.gate import Gate, Result, Share

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
    stopped, pool = Event(), ThreadPoolExecutor(workers)
    parts_of = {pool.submit(_run_part, part, stopped): part for part in given}
    try:
        for done in as_completed(parts_of):
            yield parts_of[done], done.result()
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)


def _run_part(part: Part, stopped: Event) -> Result:
    """Run a part; an item that ends the process is counted, and those before and after it are run again."""
    result, pieces = Result(), [range(part.start, part.stop)]
    while pieces and not stopped.is_set():
        piece = pieces.pop(0)
        with _Run(part.gate, piece, part.seed) as run:
            found = run.wait(stopped)
            if isinstance(found, Result):
                result.add(found)
                continue
            number = max(piece.start, run.at.value)
        kind, what = found
        result.add(Result(1))
        result.find(kind, f"item {number}: {what}")
        pieces += [rest for rest in (range(piece.start, number), range(number + 1, piece.stop)) if rest]
    return result


class _Run:
    """Some items in a process with a temporary folder, both of which end with this context."""

    def __init__(self, gate: Gate, piece: range, seed: int) -> None:
        self.patience = gate.patience
        self.at: Any = CONTEXT.Value("q", piece.start - 1, lock=False)
        self.folder = TemporaryDirectory(ignore_cleanup_errors=True)
        self.answer, answer = CONTEXT.Pipe(duplex=False)
        share = (piece.start, piece.stop, seed, self.at)
        self.process = CONTEXT.Process(target=_run, args=(gate, share, answer, self.folder.name))
        self.process.start()
        answer.close()

    def __enter__(self) -> Self:
        return self

    def wait(self, stopped: Event) -> Result | tuple[str, str]:
        """The result, or the kind and the words of a finding."""
        seen, since = self.at.value, monotonic() + START
        while not self.answer.poll(INTERVAL):
            if self.at.value != seen:
                seen, since = self.at.value, monotonic()
            if stopped.is_set() or monotonic() - since > self.patience:
                return "slow", f"no end within {self.patience:.0f} s"
        try:
            result: Result = self.answer.recv()
        except EOFError:  # the process has ended without an answer
            self.process.join()
            return "crashes", f"exit code {self.process.exitcode}"
        self.process.join()
        return result

    def __exit__(self, *_: object) -> None:
        """Kill what is left of the process and of those that it has started."""
        if self.process.pid is not None and self.process.is_alive():
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # it has no group of its own yet
                self.process.kill()
            self.process.join()
        self.answer.close()
        self.folder.cleanup()


def _run(gate: Gate, share: tuple[int, int, int, Any], answer: Connection, folder: str) -> None:
    """In the process of its own: run a share, and send what it gave."""
    os.setpgid(0, 0)
    follow_parent()
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    result = gate.run(Share(*share))
    result.cpu = sum(os.times()[:4])
    answer.send(result)
