"""Programs that are killed at a random moment, over and over; nothing that was finished may be lost."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOSPC
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from unittest.mock import patch

from experiments.gates.clone import clone, from_tests
from experiments.gates.gate import Result, Share
from experiments.gates.programs import LONGEST, Origin, Program, python
from experiments.gates.victims import VICTIMS, Victim

__all__ = ["filled", "forgetful_store", "killed", "killed_store", "origin_on_faulty_disk", "together"]

KILLS = 10
"""Kills, or full disks, of the runs that one unbroken run is compared with."""

INSIDE = 4
"""Each fourth kill is before or after a write, a truncation, a sync or a rename; the others are at a moment
that is uniform over the time after the first recorded work."""

MODULES = (
    *("baycarp.api.solve_holdem", "experiments.gates.victims"),
    *(f"baycarp.cli.{name}" for name in VICTIMS),
)
"""What the commands import."""

BLOCK = 100
"""Kills of the writers of one store."""

LOOK = 0.002
"""Seconds between two looks at a folder."""


@cache
def _faulty_disk() -> str:
    """The library that counts the writes of a process, and makes one fail, or kills the process there."""
    library = Path(mkdtemp(), "faulty_disk.so")
    source = Path(str(clone()), "tests", "cases", "faulty_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return str(library)


@contextmanager
def origin_on_faulty_disk() -> Iterator[Origin]:
    """An origin of programs whose writes can be counted and made to fail, by variables of each."""
    before = os.environ.get("LD_PRELOAD")
    os.environ["LD_PRELOAD"] = _faulty_disk()
    try:
        origin = Origin(MODULES)
    finally:
        os.environ.pop("LD_PRELOAD")
        if before is not None:
            os.environ["LD_PRELOAD"] = before
    with origin:
        yield origin


def killed(victim: Victim, share: Share, goes_on: bool = True) -> Result:
    """A share of the kills of a command; after each, the same command must leave what an unbroken run leaves.

    Without ``goes_on`` the command is not begun again: the planted fault.
    """
    result = Result()
    with origin_on_faulty_disk() as origin, TemporaryDirectory() as folder:
        for number, kills in share.blocks(KILLS):
            run = _Run(origin, victim, number, result, Path(folder, str(number)))
            unbroken = run.unbroken()
            for kill in range(number, number + kills):
                draw, inside = Random(f"{share.seed} {kill}"), kill % INSIDE == INSIDE - 1
                while not (run.kill_inside if inside else run.kill_at_work)(draw, unbroken):
                    pass
                result.done += 1
                if run.content("after a kill", goes_on) != unbroken.content:
                    result.find("other", f"kill {kill}: the same command leaves something else")
    return result


def filled(victim: Victim, share: Share, goes_on: bool = True) -> Result:
    """A share of the disks that are full from the n-th write on: a line says so, and the command goes on.

    Without ``goes_on`` as for ``killed``.
    """
    result = Result()
    with origin_on_faulty_disk() as origin, TemporaryDirectory() as folder:
        for number, disks in share.blocks(KILLS):
            run = _Run(origin, victim, number, result, Path(folder, str(number)))
            unbroken = run.unbroken()
            for disk in range(number, number + disks):
                run.fill(1 + Random(f"{share.seed} {disk}").randrange(unbroken.writes))
                result.done += 1
                if run.content("after a full disk", goes_on) != unbroken.content:
                    result.find("other", f"disk {disk}: the same command leaves something else")
    return result


def together(victim: Victim) -> Result:
    """Two processes in one folder: one works, the other says so, and what is left is that of one alone."""
    result = Result(done=1)
    with origin_on_faulty_disk() as first, Origin(MODULES) as second, TemporaryDirectory() as folder:
        run = _Run(first, victim, 0, result, Path(folder, "0"))
        expected = run.unbroken().content
        run.begin()
        with run.program() as one:
            run.wait_for_work(one)
            other = _Run(second, victim, 0, result, run.folder)
            with other.program() as two:
                other.wait_for_end(two, "the second process")
                lines = two.err.splitlines() or [""]
                refused = two.status == 1 and "in use by another process" in lines[-1]
                if refused != victim.claims or "Traceback" in two.err:
                    result.find("other", f"the second process ends with {two.status}: {lines[-1:]}")
            run.wait_for_end(one, "the first process")
            if one.status or victim.content(one.out, run.place) != expected:
                result.find("losses", f"the first process ends with {one.status}: {one.err[-160:]}")
    return result


@dataclass(frozen=True, slots=True)
class _Unbroken:
    """What a run leaves that nothing interrupts, its seconds after the first recorded work, its writes."""

    content: object
    seconds: float
    writes: int


@dataclass(frozen=True, slots=True)
class _Run:
    """A command with one seed, in one place, whose failures are findings."""

    origin: Origin
    victim: Victim
    seed: int
    result: Result
    folder: Path

    @property
    def place(self) -> Path:
        """Where the command works."""
        return self.folder / "run"

    def begin(self) -> None:
        """A new folder, with what is there before the command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.victim.begin(self.place)

    def unbroken(self) -> _Unbroken:
        """Run it twice to its end: the second time it finds all work done, and must leave the same."""
        self.begin()
        with self.program(FAULT_AT="0", FAULT_KILL="count") as program:
            self.wait_for_work(program)
            began = time.monotonic()
            content, seconds = self._ended(program, "unbroken"), time.monotonic() - began
        writes = int(self._last_call()[0])
        if self.to_the_end("again") != content:
            self.result.find("other", f"run {self.seed}, begun again at its end, leaves something else")
        return _Unbroken(content, seconds, writes)

    def content(self, which: str, goes_on: bool) -> object:
        """What is left, of the command begun again or of nothing."""
        return self.to_the_end(which) if goes_on else self.victim.content(b"", self.place)

    def to_the_end(self, which: str) -> object:
        """What the command leaves."""
        with self.program() as program:
            return self._ended(program, which)

    def kill_at_work(self, draw: Random, unbroken: _Unbroken) -> bool:
        """Kill it at a moment after its first recorded work; False = it had ended by itself."""
        self.begin()
        with self.program() as program:
            self.wait_for_work(program)
            if program.wait(draw.uniform(0, unbroken.seconds)):
                return False
        self.result.counts["after the first recorded work"] += 1
        return True

    def kill_inside(self, draw: Random, unbroken: _Unbroken) -> bool:
        """Kill it before or after one of its writes; False = it makes fewer this time."""
        self.begin()
        at, when = 1 + draw.randrange(unbroken.writes), draw.choice(("before", "after"))
        with self.program(FAULT_AT=str(at), FAULT_KILL=when) as program:
            self.wait_for_end(program, f"killed {when} call {at}")
            if program.status != -signal.SIGKILL:
                return False
        self.result.counts[f"{when} a call of {self._last_call()[1]}"] += 1
        return True

    def fill(self, at: int) -> None:
        """Run it on a disk that is full from a write on."""
        self.begin()
        with self.program(FAULT_AT=str(at), FAULT_LASTS="1", FAULT_ERRNO=str(ENOSPC)) as program:
            self.wait_for_end(program, f"full at call {at}")
            last = (program.err.splitlines() or [""])[-1]
            self.result.counts["ended well" if program.status == 0 else "said so in a line"] += 1
            told = "space left" in last and program.status == 1
            if "Traceback" in program.err or not (told or program.status == 0):
                self.result.find("untyped", f"full at call {at}: {program.status}: {last!r}")

    def wait_for_work(self, program: Program) -> None:
        """Wait until the folder holds more than before, or the end."""
        before = self._bytes()
        while self._bytes() == before and not program.wait(LOOK):
            pass

    def wait_for_end(self, program: Program, which: str) -> None:
        """Wait for the end; a program that has none is killed, and is a finding."""
        if not program.ends():
            self.result.find("slow", f"{which}, run {self.seed}: no end in {LONGEST:.0f} s")

    def program(self, **variables: str) -> Program:
        """The command, begun."""
        words = self.victim.command(self.seed, self.place)
        faults: dict[str, Any] = {
            "FAULT_FILE": str(self.place),
            "FAULT_COUNT": str(self.folder / "calls"),
            **variables,
        }
        return self.origin.program(python, *words, **(faults if variables else {}))

    def _ended(self, program: Program, which: str) -> object:
        self.wait_for_end(program, which)
        if program.status:
            last = program.err.splitlines()[-1:]
            self.result.find("untyped", f"{which}, run {self.seed}: exit status {program.status}: {last}")
        return self.victim.content(program.out, self.place)

    def _last_call(self) -> list[str]:
        """The number and the name of the last write."""
        return (self.folder / "calls").read_text("utf-8").split()

    def _bytes(self) -> int:
        try:
            return sum(path.stat().st_size for path in self.place.rglob("*") if path.is_file())
        except OSError:  # a file was renamed meanwhile
            return -1


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


def forgetful_store(share: Share) -> Result:
    """The same with the planted fault: writers acknowledge a case before it is on the disk."""
    tests = from_tests("test_store", ["cases"])
    real = tests.acknowledged_by
    with patch.object(tests, "acknowledged_by", lambda path, kills: real(path, kills, "hasty")):
        return killed_store(share)
