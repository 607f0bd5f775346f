"""A cluster whose scheduler or worker is killed: a line says so, and the same command goes on."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from socket import create_server
from tempfile import TemporaryDirectory

from experiments.gates.clone import missing
from experiments.gates.gate import Result, Share
from experiments.gates.programs import Origin, Program, python

__all__ = ["KILLED", "killed", "needs_cluster"]

KILLED = ("scheduler", "worker")
"""What is killed. Without a scheduler the command ends; another worker does what one left undone."""

MATCH = ("match", "rule", "call", "--deals", "2000", "--json")

MODULES = ("distributed", "baycarp.cli.match", "baycarp.arena.cluster")
"""What the programs import."""

WORKERS, KILLS = 2, 10
"""Workers of a cluster; kills of the matches that one unbroken match is compared with."""

UNREACHED, CONNECTIONS = "trying to connect", 3
"""What a match says of a scheduler that it could not reach: nothing was killed then. Tries, at most."""

LOOK = 0.005
"""Seconds between two looks at a journal."""

needs_cluster = partial(missing, "distributed")


def killed(which: str, share: Share, goes_on: bool = True) -> Result:
    """A share of the kills; after each, the same command must print what an unbroken match prints.

    Without ``goes_on`` the command is not begun again: the planted fault.
    """
    result = Result()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        # one origin for each program of a cluster, since it runs one at a time
        scheduler, match, *workers = (stack.enter_context(Origin(MODULES)) for _ in range(2 + WORKERS))
        for number, kills in share.blocks(KILLS):
            alone = _Match(match, number, folder / f"{number}-alone")
            expected = alone.end()
            for kill in range(number, number + kills):
                result.done += 1
                for attempt in range(CONNECTIONS):
                    run = _Match(match, number, folder / f"{kill}-{attempt}")
                    with _cluster(scheduler, workers) as (address, programs):
                        victim = programs[which == "worker"]
                        draw = Random(f"{share.seed} {kill}")
                        printed = run.end_without(victim, address, draw, alone.seconds)
                    if UNREACHED not in run.err:
                        break
                result.counts["after the first recorded work"] += 1
                faults = list(run.faults)
                if which == "scheduler" and printed != expected:
                    if "the same command goes on from there" not in run.err:
                        faults.append(f"ended with {run.err!r}")
                    printed = run.end() if goes_on else b""
                elif not goes_on:
                    printed = b""
                for fault in faults:
                    result.find("untyped", f"kill {kill}: {fault}"[:200])
                if printed != expected:
                    result.find("losses", f"kill {kill}: the same command prints something else")
    return result


@contextmanager
def _cluster(scheduler: Origin, workers: Sequence[Origin]) -> Iterator[tuple[str, list[Program]]]:
    """The address of a scheduler, and it with its workers."""
    with create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    words = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    own = (address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with ExitStack() as stack:
        programs = [scheduler.program(python, "-m", "distributed.cli.dask_scheduler", *words)]
        stack.enter_context(programs[0])
        for worker in workers:
            programs.append(worker.program(python, "-m", "distributed.cli.dask_worker", *own))
            stack.enter_context(programs[-1])
        yield address, programs


class _Match:
    """A match in a folder: how it ended, and its seconds after the first recorded work."""

    def __init__(self, origin: Origin, seed: int, folder: Path) -> None:
        self._origin, self._words = origin, [*MATCH, "--seed", str(seed), "--out", str(folder)]
        self._journal = folder / "whole.journal"
        self.err, self.seconds, self.faults = "", 0.0, list[str]()

    def end(self) -> bytes:
        """What it prints in this process."""
        with self._program("--workers", "1") as program:
            self._wait_for_work(program)
            began = time.monotonic()
            return self._ended(program, 0, began)

    def end_without(self, victim: Program, address: str, draw: Random, seconds: float) -> bytes:
        """What it prints on a cluster, a program of which is killed after the first recorded work."""
        with self._program("--cluster", address) as program:
            self._wait_for_work(program)
            began = time.monotonic()
            program.wait(draw.uniform(0, seconds / WORKERS))
            victim.kill()
            return self._ended(program, 1, began)

    def _program(self, *where: str) -> Program:
        return self._origin.program(python, "-m", "baycarp", *self._words, *where)

    def _wait_for_work(self, program: Program) -> None:
        while not program.wait(LOOK):
            if self._journal.exists() and self._journal.read_bytes().count(b"\n") > 1:
                return

    def _ended(self, program: Program, most: int, began: float) -> bytes:
        has_ended = program.ends()
        self.seconds = time.monotonic() - began
        self.err = (program.err.splitlines() or [""])[-1]
        if not has_ended:
            self.faults.append(f"without an end, after {self.err!r}")
        elif "Traceback" in program.err or program.status is None or not 0 <= program.status <= most:
            self.faults.append(f"status {program.status}: {self.err}")
        return program.out
