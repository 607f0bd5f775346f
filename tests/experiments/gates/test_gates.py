"""The gates: planted faults are found, and parts go on after an interruption."""

import json
from dataclasses import replace
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import numpy as np
import pytest

from baycarp.agents.registry import players_of
from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers
from baycarp.game.variant import Variant
from benchmarks.timed import Timed
from experiments.__main__ import main
from experiments.commands import robustness
from experiments.gates import absurd, clone, compared, deadlines, disk, kills, learner, memory, sanitizers
from experiments.gates.gate import NO_TRY, Gate, Result, Share
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


def faulty(share):
    result = Result(done=share.stop)
    result.find("other", "the planted fault")
    return result


def gate(run, planted=faulty):
    return Gate("toy", "items", 10, 4, run, planted, 2, 1.0)


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
        assert journal.records["toy", "planted"]["found"] == {"other": 1}
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([planted], 1, journal, Workers(1), done.append)
        (row,) = rows([planted], 1, journal)
    assert done == [2, 6, 10, 12]
    assert (row.wanted, row.result.done, row.result.counts) == (10, 10, {"sum": 45})
    assert cells(row)[:-1] == ["toy", "items", "10", "10", "1", *"00000", "3.0e-01"]


def test_a_gate_that_does_not_find_its_planted_fault_is_not_run(tmp_path):
    blind = gate(counted, counted)
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([blind], 1, journal, Workers(1), lambda done: None)
        (row,) = rows([blind], 1, journal)
    assert (row.result.done, row.planted, row.sound) == (0, 0, False)
    assert cells(row)[3] == "finds no planted fault"


def test_what_puts_nothing_to_the_test_is_no_try():
    result = Result(done=40)
    result.counts[NO_TRY] = 10
    assert (result.tries, result.excluded) == (30, 0.1)
    result.find("other", "a fault")
    assert result.excluded == 1.0


def test_a_journal_of_another_commit_is_refused(tmp_path, monkeypatch):
    words = [
        "robustness",
        "--only",
        "forged: styles",
        "--scale",
        "0.005",
        "--out",
        str(tmp_path),
    ]
    monkeypatch.setattr(robustness, "commit", lambda: "one")
    assert main(words) == 0
    monkeypatch.setattr(robustness, "commit", lambda: "two")
    assert main(words) == 1
    assert {gate.name for gate in GATES} >= {"kills: solve", "memory: baycarp, holdem.limit.6p"}


def test_what_is_missing_is_a_row(tmp_path):
    absent = replace(gate(counted), missing=lambda: "needs a clone of the repository")
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([absent], 1, journal, Workers(1), lambda done: None)
        (row,) = rows([absent], 1, journal)
    assert cells(row)[:5] == ["toy", "items", "10", "needs a clone of the repository", "-"]


# Planted faults


@pytest.mark.skipif(bool(clone.missing()), reason=clone.missing())
@pytest.mark.slow
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
@pytest.mark.parametrize("name", ["journal", "model"])
@pytest.mark.slow
def test_a_script_that_reports_what_it_has_not_written_is_found(name):
    assert disk.faulty_disk(name, disk.WHERE[name]).found == {}
    assert disk.hasty(name, Share(0, 1)).found["losses"] > 0


@pytest.mark.skipif(bool(disk.needs_disk()), reason=disk.needs_disk())
def test_a_store_that_reports_what_it_has_not_written_is_found():
    assert disk.hasty("case store", Share(0, 1)).found["losses"] > 0


@pytest.mark.slow
def test_a_learner_that_forgets_is_found():
    whole = learner.killed_learner(Share(0, 4))
    assert (whole.done, whole.found) == (4, {})
    assert whole.counts["hands acknowledged"] > 0
    assert learner.forgetful_learner(Share(1, 4)).found["losses"] > 0


@pytest.mark.skipif(bool(clone.missing("pytest")), reason=clone.missing("pytest"))
def test_a_store_whose_writers_acknowledge_too_early_is_found():
    assert kills.forgetful_store(Share(0, 8)).found["losses"] == 1


@pytest.mark.slow
@pytest.mark.skipif(bool(sanitizers.needs_tsan()), reason=sanitizers.needs_tsan())
def test_a_race_is_found(monkeypatch, tmp_path):
    monkeypatch.setattr(sanitizers, "_built", lambda *_: tmp_path)
    result = sanitizers.racing_threads(Share(0, 1))
    assert (result.found, result.counts["tests"]) == ({"crashes": 1}, 1)
    assert "0 races" not in result.examples[0]


@pytest.mark.skipif(bool(clone.missing("pokerkit")), reason=clone.missing("pokerkit"))
def test_chips_over_that_go_to_one_winner_are_found():
    whole = compared.odd_chips(Share(0, 60))
    assert (whole.done, whole.found) == (60, {})
    assert whole.counts["shared with two or more chips over"] > 5
    assert compared.to_the_first(Share(0, 60)).found["other"] > 5


@pytest.mark.skipif(bool(clone.missing("pytest")), reason=clone.missing("pytest"))
def test_a_network_that_is_read_as_another_is_found():
    assert compared.read_back(Share(0, 20)).found == {}
    assert compared.without_properties(Share(0, 20)).found.total() > 10


def test_decisions_that_are_late_and_folds_of_what_is_free_are_found():
    assert deadlines.late("call", 0.1, Share(0, 5)).found == {"slow": 5}
    assert absurd.folding(0.005, Share(0, 20)).found["other"] > 0


# Memory


def test_a_leak_is_found():
    assert memory.leaking("call", "holdem.limit.2p.reverse_blinds", Share(0, 500)).found == {"other": 1}


def test_the_slope_of_memory_and_its_interval():
    hands = memory.LOOK * np.arange(1000)
    assert memory.slope(5e7 + 120.0 * hands) == pytest.approx((120, 0), abs=1e-6)
    middle, half = memory.slope(5e7 + 120.0 * hands + np.random.default_rng(1).normal(0, 1e4, 1000))
    assert 0 < half < 20
    assert abs(middle - 120) < 2 * half


def test_every_shipped_agent_is_seated():
    for name, game in memory.SEATED:
        assert name in players_of(Variant.load(game))
    games = ("limit.2p.reverse_blinds", "nolimit.2p.100bb", "limit.6p", "nolimit.6p.100bb")
    shipped = {
        (seats, name)
        for seats, game in zip("2266", games, strict=True)
        for name in players_of(Variant.load(f"holdem.{game}"))
    }
    assert {(game.split(".")[2][0], name) for name, game in memory.SEATED} == shipped


# The command


def test_the_command_prints_what_the_journal_holds(tmp_path, capsys):
    words = ["robustness", "--only", "forged: styles", "--scale", "0.005", "--json", "--out", str(tmp_path)]
    assert main(words) == 0
    once = capsys.readouterr().out
    record = json.loads(once)
    assert (record["gate"], record["wanted"]) == ("forged: styles", 10)
    assert record["hint"] or record["done"] == 10
    assert main(words) == 0
    assert capsys.readouterr().out == once  # nothing is run again


def test_the_list_has_every_gate_and_runs_none(tmp_path, capsys):
    assert main(["robustness", "--list", "--scale", "0.1", "--out", str(tmp_path / "none")]) == 0
    out = capsys.readouterr().out
    words = out.split()
    assert all(word in words for gate in GATES for word in gate.name.split())
    assert "core-minutes in all" in out
    assert not (tmp_path / "none").exists()


def test_a_gate_that_there_is_not(tmp_path, capsys):
    assert main(["robustness", "--only", "nowhere", "--out", str(tmp_path)]) == 1
    assert "--only 'nowhere': expected a word of kills: store" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["robustness", "--scale", "2"])
    assert "'2': expected a share above 0, at most 1" in capsys.readouterr().err
