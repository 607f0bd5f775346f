"""Programs that are killed at a random moment, over and over; nothing that was finished may be lost."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from experiments.gates.clone import clone, from_tests
from experiments.gates.gate import Result, Share
from experiments.gates.programs import Origin, Program, python

__all__ = ["MATCH", "TRAIN", "Victim", "killed", "killed_store"]

KILLS = 10
"""Kills of one run, before it may end."""

MODULES = ("baycarp.cli.match", "baycarp.cli.train")
"""What the commands import."""

BLOCK = 100
"""Kills of the writers of one store."""


@dataclass(frozen=True, slots=True)
class Victim:
    """A command that goes on where it was interrupted.

    Parameters
    ----------
    command
        Of (seed, folder).
    content
        What it leaves, of (standard output, folder): the same for the same seed, interrupted or not.
    """

    command: Callable[[int, Path], Sequence[str]]
    content: Callable[[bytes, Path], object]


def _match(seed: int, folder: Path) -> list[str]:
    options = ["--deals", "2000", "--workers", "1", "--json", "--seed", str(seed), "--out", str(folder)]
    return ["-m", "baycarp", "match", "rule", "call", *options]


def _train(seed: int, folder: Path) -> list[str]:
    program = Path(str(clone()), "tests", "reference", "cheap_training.py")
    return [str(program), str(folder), "--hands", "60", "--workers", "1", "--seed", str(seed)]


def _output(out: bytes, _folder: Path) -> bytes:
    return out


def _files(_out: bytes, folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()
    }


MATCH = Victim(_match, _output)
TRAIN = Victim(_train, _files)


def _ended(program: Program, which: str, result: Result) -> bytes:
    """Standard output of a program that ends by itself; a failure is a finding."""
    program.wait()
    if program.status:
        result.find("untyped", f"{which}: exit status {program.status}: {program.err.splitlines()[-1:]}")
    return program.out


def killed(victim: Victim, share: Share) -> Result:
    """A share of the kills of a command; after ten it ends, and must leave what an unbroken run leaves.

    Each run goes on from the last kill. The unbroken run gives the time of all work; run once more, it must
    leave what it left before, and gives the time of a run without work left.
    """
    result = Result()
    with Origin(MODULES) as origin:
        for number, kills in share.blocks(KILLS):
            run = _Run(origin, victim, number, result)
            with TemporaryDirectory() as folder:
                _kill(run, Path(folder), kills, Random(f"{share.seed} {number}"))
    return result


def _kill(run: "_Run", folder: Path, kills: int, draw: Random) -> None:
    """Kill a run some times."""
    whole, broken = folder / "whole", folder / "broken"
    expected, took = run.to_the_end(whole, "whole")
    again, least = run.to_the_end(whole, "whole, again")
    latest = least + 2 * max(0.0, took - least) / KILLS  # so that few runs end before their kills
    for _ in range(kills):
        before = _bytes(broken)
        while not run.until(broken, draw.uniform(0, latest)):
            shutil.rmtree(broken, ignore_errors=True)
            before = 0
        run.result.done += 1
        run.result.counts["after new work"] += _bytes(broken) != before
    last, _ = run.to_the_end(broken, "broken")
    if not expected == again == last:
        run.result.find("other", f"run {run.number}, killed {kills} times, leaves something else")


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@dataclass(frozen=True, slots=True)
class _Run:
    """A command with one seed, whose failures are findings."""

    origin: Origin
    victim: Victim
    number: int
    result: Result

    def to_the_end(self, folder: Path, which: str) -> tuple[object, float]:
        """What the command leaves, and its seconds."""
        began = time.monotonic()
        with self._program(folder) as program:
            out = _ended(program, f"{which} run {self.number}", self.result)
        return self.victim.content(out, folder), time.monotonic() - began

    def until(self, folder: Path, seconds: float) -> bool:
        """Kill the command after some seconds; False = it had ended by itself before."""
        with self._program(folder) as program:
            if program.wait(seconds):
                _ended(program, f"broken run {self.number}", self.result)
                return False
        return True

    def _program(self, folder: Path) -> Program:
        return self.origin.program(python, *self.victim.command(self.number, folder))


def killed_store(share: Share) -> Result:
    """A share of the kills of a writer of a case store; every second block of them writes merged cases."""
    tests, result = from_tests("test_store", ["cases"]), Result()
    for number, kills in share.blocks(BLOCK):
        kill = tests.kill_merging_writers if number // BLOCK % 2 else tests.kill_writers
        with TemporaryDirectory() as folder:
            try:
                kill(Path(folder, "cases.sqlite"), kills)
            except AssertionError as error:
                result.find("losses", f"kills {number} to {number + kills}: {str(error).splitlines()[:1]}")
        result.done += kills
    return result
