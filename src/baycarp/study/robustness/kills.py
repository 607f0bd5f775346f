"""Programs that are killed at a random moment, over and over; nothing that was finished may be lost."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from baycarp.study.robustness.clone import clone, environment, from_tests
from baycarp.study.robustness.gate import Result, Share

__all__ = ["MATCH", "TRAIN", "Victim", "killed", "killed_store"]

KILLS = 10
"""Kills of one run, before it may end."""

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
    options = ["--deals", "6000", "--workers", "1", "--json", "--seed", str(seed), "--out", str(folder)]
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


def _start(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    tests = [str(root / "tests")] if (root := clone()) else []
    command = [sys.executable, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(*tests))


def _ended(process: "subprocess.Popen[bytes]", which: str, result: Result) -> bytes:
    """Standard output of a program that ends by itself; a failure is a finding."""
    out, err = process.communicate()
    if process.returncode:
        text = err.decode(errors="replace").strip().splitlines()[-1:]
        result.find("untyped", f"{which}: exit code {process.returncode}: {text}")
    return out


def killed(victim: Victim, share: Share) -> Result:
    """A share of the kills of a command; after ten it ends, and must leave what an unbroken run leaves."""
    result = Result()
    for number, kills in share.blocks(KILLS):
        draw = Random(f"{share.seed} {number}")
        with TemporaryDirectory() as folder:
            whole, broken = Path(folder, "whole"), Path(folder, "broken")
            began = time.monotonic()
            out = _ended(_start(victim.command(number, whole)), f"whole run {number}", result)
            expected, took = victim.content(out, whole), time.monotonic() - began
            for kill in range(kills):
                which = f"kill {number + kill}"
                while not _kill(_start(victim.command(number, broken)), draw.uniform(0, took), which, result):
                    shutil.rmtree(broken)
                result.done += 1
            out = _ended(_start(victim.command(number, broken)), f"run {number}", result)
            if victim.content(out, broken) != expected:
                result.find("other", f"run {number}, killed {kills} times, leaves something else")
    return result


def _kill(process: "subprocess.Popen[bytes]", seconds: float, which: str, result: Result) -> bool:
    """Kill a program after some seconds; False = it had ended by itself before."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    _ended(process, which, result)
    return False


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
