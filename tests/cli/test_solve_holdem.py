"""``baycarp solve`` of hold'em, and ``baycarp.solve_holdem``: continued, printed, refused."""

import json
import os
import signal

import numpy as np
import pytest

import baycarp
from baycarp.api.solve_holdem import HOLDEM
from baycarp.cli import main
from baycarp.errors import ArgumentError
from baycarp.solvers import run
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.checkpoint import CHECKPOINT
from baycarp.solvers.limit import run as limit_run
from baycarp.solvers.limit.solver import LimitSolver
from baycarp.solvers.nolimit import run as nolimit_run
from baycarp.solvers.nolimit.solver import NoLimitSolver
from baycarp.solvers.solution import load_solution

LIMIT, NO_LIMIT, _ = HOLDEM
UNIT = {LIMIT: 1, NO_LIMIT: 256}
"""Iterations of a batch."""


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Buckets that take no seconds to make, and measurements of little work."""
    flops, turns = np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16)
    monkeypatch.setattr(
        run, "bucket_tables", lambda abstraction, path, tick: BucketTables(abstraction, flops, turns)
    )
    monkeypatch.setattr(limit_run, "BOARDS", 4)
    monkeypatch.setattr(nolimit_run, "LEARNED", 300)
    monkeypatch.setattr(nolimit_run, "VALUED", 8)


@pytest.fixture(params=(LIMIT, NO_LIMIT))
def game(request):
    return request.param


def solve(game, folder, iterations, *words):
    typed = ["solve", game, "--workers", "1", "--buckets", "p3,p3,p3", "--out", str(folder), *words]
    return main([*typed, "--iterations", str(iterations * UNIT[game])])


def assert_same(tmp_path):
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.slow
def test_a_run_in_two_calls_has_the_bytes_of_one(game, tmp_path, capsys):
    for folder, calls in (("one", [3]), ("two", [1, 3])):
        for iterations in calls:
            assert solve(game, tmp_path / folder, iterations) == 0
    assert_same(tmp_path)
    printed = capsys.readouterr().out
    assert "loses at least, mbb/h" in printed
    solution = load_solution(tmp_path / "one" / "solution.npz")
    assert solution.digest in printed
    assert solution.origin["command"] == (
        f"baycarp solve {game} --buckets p3,p3,p3 --seed 1 --iterations {3 * UNIT[game]} --out FOLDER"
    )


@pytest.mark.slow
def test_the_function_continues_the_run_of_the_command(game, tmp_path):
    assert solve(game, tmp_path / "one", 2) == 0
    assert solve(game, tmp_path / "two", 1) == 0
    done = []
    found = baycarp.solve_holdem(game, tmp_path / "two", iterations=2 * UNIT[game], tick=done.append)
    assert_same(tmp_path)
    assert (found.iterations, done[-1]) == (2 * UNIT[game], 2 * UNIT[game])
    assert [record["iterations"] for record in found.to_records()] == [2 * UNIT[game]]
    assert "digest" in str(found)


@pytest.mark.slow
def test_an_opponent_with_buckets_of_its_own(tmp_path, capsys):
    for folder, calls in (("one", [2]), ("two", [1, 2])):
        for iterations in calls:
            assert solve(LIMIT, tmp_path / folder, iterations, "--opponent", "p4,p3+") == 0
    assert_same(tmp_path)
    solution = load_solution(tmp_path / "one" / "solution.npz")
    assert " --buckets p3,p3,p3 --opponent p4,p3+ --seed 1 --iterations 2 " in solution.origin["command"]
    assert solution.abstraction.counts == (169, 3, 3, 3)
    assert solve(LIMIT, tmp_path / "one", 3, "--opponent", "p5,p3+") == 1
    assert "opponent p5,p3+: expected p4,p3+" in capsys.readouterr().err


@pytest.mark.slow
def test_json_has_the_origin(game, tmp_path, capsys):
    assert solve(game, tmp_path, 1, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["iterations"] == UNIT[game]
    assert record["loss"]["sample"] in (4, 8)
    assert record["points"][-1]["lower"] == record["loss"]["lower"]
    assert record["digest"] == load_solution(tmp_path / "solution.npz").digest


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([LIMIT, "--iterations", "1"], "expected --out FOLDER"),
        ([NO_LIMIT, "--out", "here"], "expected --out FOLDER, and --minutes or --iterations"),
        ([LIMIT, "--out", "here", "--iterations", "1", "--buckets", "p3"], "expected three rules"),
        ([NO_LIMIT, "--out", "here", "--iterations", "9", "--opponent", "p3,p3"], "opponent 'p3,p3'"),
        ([LIMIT, "--out", "here", "--iterations", "1", "--algorithm", "cfr"], "--algorithm"),
        (["kuhn", "--buckets", "p3,p3,p3"], "--buckets"),
    ],
)
def test_calls_that_do_not_fit_are_refused(words, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["solve", *words]) == 1
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "expected iterations or minutes"),
        ({"iterations": 0}, "iterations"),
        ({"minutes": float("nan")}, "minutes nan"),
        ({"iterations": 1, "bucket": "p3"}, "setting 'bucket'"),
    ],
)
def test_settings_that_do_not_fit_are_named(settings, reason, tmp_path):
    with pytest.raises(ArgumentError, match=reason):
        baycarp.solve_holdem(LIMIT, tmp_path, **settings)
    with pytest.raises(ArgumentError, match="'chess': expected one of holdem"):
        baycarp.solve_holdem("chess", tmp_path, iterations=1)


def test_a_run_keeps_its_plan(game, tmp_path, capsys):
    assert solve(game, tmp_path, 1) == 0
    assert solve(game, tmp_path, 2, "--seed", "2") == 1
    assert "seed 2: expected 1, which its run began with" in capsys.readouterr().err


@pytest.mark.parametrize("end", [["--iterations", "4"], ["--minutes", "0.01"]])
@pytest.mark.slow
def test_losses_are_printed_on_the_way_and_change_no_byte(end, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "MEASURED", 1e-6)
    assert solve(LIMIT, tmp_path / "one", 2) == 0
    line, *_ = capsys.readouterr().out.splitlines()
    assert line.startswith("1 iteration: loses at least")
    monkeypatch.undo()


@pytest.mark.slow
def test_measurements_on_the_way_change_no_byte(tmp_path, monkeypatch):
    assert solve(LIMIT, tmp_path / "one", 2) == 0
    monkeypatch.setattr(run, "MEASURED", 1e-6)
    assert solve(LIMIT, tmp_path / "two", 2) == 0
    assert_same(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "number", "status"), [(LIMIT, signal.SIGINT, 130), (NO_LIMIT, signal.SIGTERM, 143)]
)
def test_an_interruption_ends_a_batch_and_keeps_it(game, number, status, tmp_path, monkeypatch, capsys):
    kind = LimitSolver if game == LIMIT else NoLimitSolver
    iterate = kind.iterate

    def interrupted(solver, *words):
        os.kill(os.getpid(), number)
        iterate(solver, *words)

    monkeypatch.setattr(kind, "iterate", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
    try:
        assert solve(game, tmp_path / "one", 3) == status
    finally:
        signal.signal(signal.SIGINT, before)
    assert f"interrupted after {UNIT[game]} iteration" in capsys.readouterr().out
    assert not (tmp_path / "one" / "solution.npz").exists()
    monkeypatch.setattr(kind, "iterate", iterate)
    for folder in ("one", "two"):
        assert solve(game, tmp_path / folder, 3) == 0
    assert_same(tmp_path)


@pytest.mark.parametrize("minutes", ["nan", "-1", "x", "inf"])
def test_bad_minutes_are_refused(minutes, tmp_path, capsys):
    with pytest.raises(SystemExit):
        solve(LIMIT, tmp_path, 1, "--minutes", minutes)
    assert "expected minutes" in capsys.readouterr().err
