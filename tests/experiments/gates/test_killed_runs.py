"""Runs of hours, killed outright: the same command continues them to the bytes of an unbroken run."""

import shutil
import subprocess
import sys
import time

import pytest

from baycarp.solvers.checkpoint import CHECKPOINT

GAME = "holdem.limit.2p.reverse_blinds"
SOLVE = ["solve", GAME, "--buckets", "p3,p3,p3"]


def start(words, folder):
    command = [sys.executable, "-m", "baycarp", *words, "--workers", "1", "--out", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(words, folder):
    process = start(words, folder)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def kill_when(process, sign):
    """SIGKILL as soon as there is a sign of work; the process must not have ended by itself."""
    while not sign():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert process.returncode == -9


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def lines(path):
    return len(path.read_bytes().splitlines()) if path.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "sign"),
    [
        (
            ["watch", "frequency", "random", "--hands", "80000", "--seed", "2"],
            lambda folder: (folder / "hands-000000000.log").exists(),
        ),
        (
            ["exploit", "call", "--hands", "400", "--json"],
            lambda folder: lines(folder / "local.journal") > 3,
        ),
        (
            ["exploit", "call", "--flops", "4", "--json"],
            lambda folder: lines(folder / "flops.journal") > 1,
        ),
    ],
    ids=["watch", "local best response", "exact best response"],
)
def test_a_killed_run_continues_to_the_same_bytes(tmp_path, words, sign):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    said = finish(words, whole)
    kill_when(start(words, broken), lambda: sign(broken))
    before = content(broken)
    assert before.keys() <= content(whole).keys() | {name for name in before if name.endswith(".part")}
    assert before != content(whole)
    assert finish(words, broken).replace("broken", "whole") == said
    assert content(broken) == content(whole)


@pytest.mark.slow
def test_a_killed_solve_continues_to_the_same_bytes(tmp_path):
    """Killed among iterations; it goes on from the last whole one."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    finish([*SOLVE, "--iterations", "12"], whole)
    broken.mkdir()
    shutil.copy(whole / "buckets.npz", broken)
    finish([*SOLVE, "--iterations", "5"], broken)
    saved = (broken / CHECKPOINT).read_bytes()
    process, began = start([*SOLVE, "--iterations", "100000"], broken), time.monotonic()
    kill_when(process, lambda: time.monotonic() - began > 3)
    assert (broken / CHECKPOINT).read_bytes() == saved
    finish([*SOLVE, "--iterations", "12"], broken)
    for name in (CHECKPOINT, "solution.npz"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
