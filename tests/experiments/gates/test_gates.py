"""The gates: planted faults are found, and parts go on after an interruption."""

import json
import time
from dataclasses import replace
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import numpy as np
import pytest

from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers
from benchmarks.timed import Timed
from experiments.__main__ import main
from experiments.gates import clone, deadlines, disk, kills, learner, sanitizers
from experiments.gates.gate import Gate, Result, Share
from experiments.gates.gates import GATES
from experiments.gates.table import cells, fill, rows

NAMES = [gate.name for gate in GATES]


# The registries


def test_names_of_gates_differ():
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_every_gate_can_be_sent_to_a_process(gate):
    ForkingPickler.dumps(gate)


# Parts


def counted(share):
    result = Result()
    for number in share:
        result.done += 1
        result.counts["sum"] += number
    return result


def gate(run):
    return Gate("planted", "items", 10, 4, run, 1.0)


def test_parts_are_the_same_at_every_scale():
    large, small = (gate(counted).shares(scale, 1) for scale in (1, 0.5))
    assert large == [Share(0, 4), Share(4, 8), Share(8, 10)]
    assert small == [Share(0, 4), Share(4, 5)]


def test_a_journal_goes_on_where_it_was_interrupted(tmp_path):
    def stop(done):
        if done >= 4:
            raise KeyboardInterrupt

    planted, done = gate(counted), []
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        with pytest.raises(KeyboardInterrupt):
            fill([planted], 1, journal, Workers(1), stop)
        assert [row.result.done for row in rows([planted], 1, journal)] == [4]
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([planted], 1, journal, Workers(1), done.append)
        (row,) = rows([planted], 1, journal)
    assert done == [4, 8, 10]
    assert (row.wanted, row.result.done, row.result.counts) == (10, 10, {"sum": 45})
    assert cells(row)[:-1] == ["planted", "items", "10", "10", *"00000"]


def test_what_is_missing_is_a_row(tmp_path):
    absent = replace(gate(counted), missing=lambda: "needs a clone of the repository")
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([absent], 1, journal, Workers(1), lambda done: None)
        (row,) = rows([absent], 1, journal)
    assert cells(row)[:5] == ["planted", "items", "10", "needs a clone of the repository", "-"]


# Planted faults


@pytest.mark.skipif(bool(clone.missing()), reason=clone.missing())
def test_threaded_tests_that_fail_are_found(monkeypatch, tmp_path):
    file = tmp_path / "test_rounds.py"
    file.write_text("rounds = []\ndef test_thread():\n    rounds.append(1)\n    assert len(rounds) < 5\n")
    monkeypatch.setattr(sanitizers, "THREADED", [str(file)])
    monkeypatch.setattr(sanitizers, "_built", lambda *_: tmp_path)
    monkeypatch.setattr(sanitizers, "_tsan", Path)
    result = sanitizers.threads(Share(0, 9))  # the fifth round of the first process fails
    assert (result.done, result.found, result.counts) == (9, {"crashes": 1}, {"tests": 8})


def test_decisions_that_are_late_twice_or_illegal_are_found(monkeypatch):
    """Of two slow decisions the machine made one so, which is in time when the hands are repeated."""
    wall, seeds = np.array([0.001, 0.06, 0.105, 0.126, 0.2]), []
    complete = np.array([True, False, False, False, False])

    def measure(agent, limit, count, seed):
        seeds.append(seed)
        seen = wall if len(seeds) == 1 else np.array([0.3, 0.06, 0.105, 0.06, 0.2])
        return Timed(limit, seen, seen, complete, illegal=2)

    monkeypatch.setattr(deadlines, "measure", measure)
    result = deadlines.timed("call", 0.1, Share(0, 5))
    assert (result.done, result.found) == (5, {"slow": 1, "other": 1})
    assert "decision 4: 100 ms over the limit" in result.examples[0]
    assert seeds[0] == seeds[1]
    assert result.counts == {
        "late by more than 2 ms and 5 %": 2,
        "with nothing left undone": 1,
        "that took half of the limit or more": 4,
        "slow, but in time when repeated": 1,
    }


def test_an_agent_that_is_timed_uses_up_its_time():
    result = deadlines.timed("mcts", 0.05, Share(0, 20))
    assert result.counts["that took half of the limit or more"] > 0


@pytest.mark.skipif(bool(disk.needs_disk()), reason=disk.needs_disk())
def test_a_journal_that_reports_what_it_has_not_written_is_found(monkeypatch):
    assert disk.faulty_disk("journal", Share(12, 20)).found == {}
    hasty = disk.JOURNAL.replace('print("failed", n)', 'print("kept", n)')
    monkeypatch.setattr(disk, "JOURNAL", hasty)
    assert disk.faulty_disk("journal", Share(12, 20)).found["losses"] > 0


@pytest.mark.skipif(bool(disk.needs_disk()), reason=disk.needs_disk())
def test_a_model_that_is_replaced_file_by_file_is_found(monkeypatch):
    share = Share(101, 104)  # in the second model's files
    assert disk.faulty_disk("model", share).found == {}
    one_by_one = """
from contextlib import contextmanager
from pathlib import Path
import baycarp.strategies.model as models
@contextmanager
def in_place(folder, last):
    Path(folder).mkdir(exist_ok=True)
    yield Path(folder)
models.written_together = in_place
"""
    monkeypatch.setattr(disk, "MODEL", one_by_one + disk.MODEL)
    assert disk.faulty_disk("model", share).found["losses"] > 0


FORGETFUL = """
import sys, time
from pathlib import Path
folder, kind = Path(sys.argv[1]), sys.argv[2]
done = folder / "done"
begun_before = folder.exists() and not done.exists()
folder.mkdir(exist_ok=True)
if not done.exists():
    time.sleep(0.5)
    done.write_text("begun before" if begun_before and kind == "forgets" else "whole")
print(done.read_text())
"""


@pytest.mark.parametrize(("kind", "found"), [("forgets", {"other": 1}), ("remembers", {})])
def test_a_command_that_leaves_something_else_after_a_kill_is_found(kind, found, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(FORGETFUL)
    victim = kills.Victim(lambda seed, folder: [str(program), str(folder), kind], lambda out, folder: out)
    result = kills.killed(victim, Share(0, 10))
    assert (result.done, result.found) == (10, found)


def test_a_command_that_leaves_something_else_when_it_has_ended_is_found(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import pathlib, sys\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "print(folder.exists())\n"
        "folder.mkdir(exist_ok=True)\n"
    )
    victim = kills.Victim(lambda seed, folder: [str(program), str(folder)], lambda out, folder: out)
    assert kills.killed(victim, Share(0, 1)).found == {"other": 1}


def test_kills_are_among_the_work_of_a_match():
    result = kills.killed(kills.MATCH, Share(0, 10))
    assert (result.done, result.found) == (10, {})
    assert result.counts["after new work"] > 0


def play_from_nothing(seed):
    """A learning agent that keeps nothing, and reports a case more with each hand."""
    for cases in range(1000):
        print(cases, flush=True)
        time.sleep(0.01)


def test_a_learner_that_forgets_is_found(monkeypatch):
    whole = learner.killed_learner(Share(0, 6))
    assert (whole.done, whole.found) == (6, {})
    assert whole.counts["hands acknowledged"] > 0
    monkeypatch.setattr(learner, "play", play_from_nothing)
    assert learner.killed_learner(Share(1, 4)).found["losses"] > 0


# The command


def test_the_command_prints_what_the_journal_holds(tmp_path, capsys):
    words = ["robustness", "--only", "disk: journal", "--scale", "0.1", "--json", "--out", str(tmp_path)]
    assert main(words) == 0
    once = capsys.readouterr().out
    record = json.loads(once)
    assert (record["gate"], record["wanted"]) == ("disk: journal", 10)
    assert record["hint"] or record["done"] == 10
    assert main(words) == 0
    assert capsys.readouterr().out == once  # nothing is run again


def test_a_gate_that_there_is_not(tmp_path, capsys):
    assert main(["robustness", "--only", "nowhere", "--out", str(tmp_path)]) == 1
    assert "--only 'nowhere': expected a word of kills: store" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["robustness", "--scale", "2"])
    assert "'2': expected a share above 0, at most 1" in capsys.readouterr().err
