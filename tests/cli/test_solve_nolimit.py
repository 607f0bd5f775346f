"""``baycarp solve holdem.nolimit.2p.100bb``: continued, printed, refused."""

import json
import os
import signal

import numpy as np
import pytest

from baycarp.cli import main
from baycarp.cli.solve import nolimit
from baycarp.solvers.limit.tables import BucketTables
from baycarp.solvers.nolimit.checkpoint import CHECKPOINT
from baycarp.solvers.nolimit.solution import load_solution


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Buckets that take no seconds to make, and responders that learn little."""
    flops, turns = np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16)
    monkeypatch.setattr(
        nolimit, "bucket_tables", lambda abstraction, path, tick: BucketTables(abstraction, flops, turns)
    )
    monkeypatch.setattr(nolimit, "LEARNED", 300)
    monkeypatch.setattr(nolimit, "VALUED", 8)


def solve(folder, *words):
    return main(["solve", nolimit.GAME, "--buckets", "p3,p3,p3", "--out", str(folder), *words])


def test_a_run_in_two_calls_has_the_bytes_of_one(tmp_path, capsys):
    for folder, calls in (("one", ["700"]), ("two", ["300", "700"])):
        for until in calls:
            assert solve(tmp_path / folder, "--until", until) == 0
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    printed = capsys.readouterr().out
    assert "700 iterations: players that learn against the strategy win" in printed
    solution = load_solution(tmp_path / "one" / "solution.npz")
    assert solution.digest in printed
    assert solution.origin["command"] == (
        f"baycarp solve {nolimit.GAME} --buckets p3,p3,p3 --seed 1 --until 700 --out FOLDER"
    )


def test_as_json(tmp_path, capsys):
    assert solve(tmp_path / "one", "--until", "256", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["iterations"] == 256
    assert found["loss"]["deals"] == 8
    assert found["digest"] == load_solution(tmp_path / "one" / "solution.npz").digest


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "--minutes or --until"),
        (("--until", "9", "--weights", "plus"), "--weights"),
        (("--until", "9", "--boards", "3"), "--boards"),
        (("--until", "9", "--opponent", "p3,p3"), "--opponent"),
        (("--until", "9", "--buckets", "p3,p3,v3"), "expected percentiles"),
        (("--until", "9", "--buckets", "p3"), "three rules"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, capsys, words, reason):
    assert solve(tmp_path / "one", *words) == 1
    assert reason in capsys.readouterr().err


def test_a_run_keeps_its_plan(tmp_path, capsys):
    assert solve(tmp_path / "one", "--until", "100") == 0
    assert solve(tmp_path / "one", "--until", "200", "--seed", "2") == 1
    assert "seed 2: expected 1" in capsys.readouterr().err


def test_an_interruption_loses_nothing(tmp_path, monkeypatch):
    """SIGTERM after some iterations: a checkpoint, no strategy, and the same command goes on."""
    begun = nolimit.start

    def start(plan, tables):
        solver = begun(plan, tables)
        iterate = solver.iterate

        def interrupted(count):
            iterate(count)
            if solver.iterations == 512:
                os.kill(os.getpid(), signal.SIGTERM)

        solver.iterate = interrupted
        return solver

    monkeypatch.setattr(nolimit, "start", start)
    assert solve(tmp_path / "one", "--until", "1000") == 143
    assert not (tmp_path / "one" / "solution.npz").exists()
    monkeypatch.setattr(nolimit, "start", begun)
    for folder in ("one", "two"):
        assert solve(tmp_path / folder, "--until", "1000") == 0
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
