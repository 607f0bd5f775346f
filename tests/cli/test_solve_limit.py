"""``baycarp solve holdem.limit.2p.reverse_blinds``: continued, printed, refused."""

import json
import os
import signal

import pytest

from baycarp.cli import main
from baycarp.cli.solve import limit
from baycarp.solvers.limit.abstraction import Abstraction
from baycarp.solvers.limit.checkpoint import CHECKPOINT
from baycarp.solvers.limit.solution import load_solution

SOLVE = ["solve", limit.GAME, "--workers", "1"]


class Rules:
    """The buckets of an abstraction without tables, which take seconds to make."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.buckets = abstraction.buckets


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(limit, "bucket_tables", lambda abstraction, path, tick: Rules(abstraction))
    monkeypatch.setattr(limit, "CHOSEN", 4)
    monkeypatch.setattr(limit, "VALUED", 4)


def solve(folder, *words):
    return main([*SOLVE, "--buckets", "p3,p3,p3", "--boards", "2", "--out", str(folder), *words])


def test_a_run_in_two_calls_has_the_bytes_of_one(tmp_path, capsys):
    for folder, calls in (("one", ["3"]), ("two", ["1", "3"])):
        for until in calls:
            assert solve(tmp_path / folder, "--until", until) == 0
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    printed = capsys.readouterr().out
    assert "3 iterations: a best response inside the abstraction wins at least" in printed
    assert load_solution(tmp_path / "one" / "solution.npz").digest in printed


def test_an_opponent_with_buckets_of_its_own(tmp_path, capsys):
    for folder, calls in (("one", ["2"]), ("two", ["1", "2"])):
        for until in calls:
            assert solve(tmp_path / folder, "--until", until, "--opponent", "p4,p3+") == 0
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    solution = load_solution(tmp_path / "one" / "solution.npz")
    assert (
        " --buckets p3,p3,p3 --opponent p4,p3+ --seed 1 --weights linear --boards 2 --until 2 "
        in solution.origin["command"]
    )
    assert solution.abstraction.counts == (169, 3, 3, 3)
    assert solve(tmp_path / "one", "--until", "3", "--opponent", "p5,p3+") == 1
    assert "opponent p5,p3+: expected p4,p3+" in capsys.readouterr().err


def test_json_has_the_origin(tmp_path, capsys):
    assert solve(tmp_path, "--minutes", "0.001", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["iterations"] >= 1
    assert record["exploitability"]["boards"] == 4
    assert f"--until {record['iterations']} " in record["command"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--until", "1"], "expected --out FOLDER"),
        (["--out", "here"], "expected --out FOLDER, and --minutes or --until"),
        (["--out", "here", "--until", "1", "--buckets", "p3"], "expected three rules"),
    ],
)
def test_incomplete_calls_are_refused(words, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*SOLVE, *words]) == 1
    assert reason in capsys.readouterr().err


def test_a_run_keeps_its_options(tmp_path, capsys):
    assert solve(tmp_path, "--until", "1") == 0
    assert main([*SOLVE, "--out", str(tmp_path), "--until", "2", "--weights", "plus"]) == 1
    assert "weights plus: expected linear, which its run began with" in capsys.readouterr().err


@pytest.mark.parametrize("end", [["--until", "4"], ["--minutes", "0.01"]])
def test_exploitability_and_the_expected_time_are_printed_on_the_way(end, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(limit, "MEASURED", 1e-6)
    assert solve(tmp_path, *end) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 iterations: a best response inside the abstraction wins at least")
    assert "expected to end after another" in lines[1]
    assert len(lines) > 4


def test_measurements_on_the_way_change_no_byte(tmp_path, monkeypatch):
    assert solve(tmp_path / "one", "--until", "2") == 0
    monkeypatch.setattr(limit, "MEASURED", 1e-6)
    assert solve(tmp_path / "two", "--until", "2") == 0
    for name in (CHECKPOINT, "solution.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_ctrl_c_ends_an_iteration_and_keeps_it(tmp_path, monkeypatch):
    begun = limit.start

    def interrupted(*plan_and_tables):
        solver = begun(*plan_and_tables)
        iterate = solver.iterate

        def once(workers):
            os.kill(os.getpid(), signal.SIGINT)
            iterate(workers)

        solver.iterate = once
        return solver

    monkeypatch.setattr(limit, "start", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
    try:
        assert solve(tmp_path, "--until", "3") == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert not (tmp_path / "solution.npz").exists()
    monkeypatch.setattr(limit, "start", begun)
    assert solve(tmp_path, "--until", "3") == 0
    assert solve(tmp_path / "whole", "--until", "3") == 0
    assert (tmp_path / CHECKPOINT).read_bytes() == (tmp_path / "whole" / CHECKPOINT).read_bytes()


@pytest.mark.parametrize("minutes", ["nan", "-1", "x", "inf"])
def test_bad_minutes_are_refused(minutes, tmp_path, capsys):
    with pytest.raises(SystemExit):
        solve(tmp_path, "--minutes", minutes)
    assert "expected minutes" in capsys.readouterr().err
