"""The gates: planted faults are found, parts go on after a kill, every registry has its rows."""

import argparse
import ast
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from random import Random

import numpy as np
import pytest
from reference.kernels import HOW

import baycarp
from baycarp.agents.registry import AGENTS
from baycarp.agents.table import PLAYERS
from baycarp.arena.journal import Journal
from baycarp.cli import COMMANDS, main
from baycarp.errors import VariantError
from benchmarks.timed import Timed
from experiments.gates import (
    chips,
    clone,
    commands,
    decisions,
    disk,
    files,
    functions,
    hostile,
    hostile_entries,
    kills,
    learner,
    sanitizers,
)
from experiments.gates.damage import damaged_bytes
from experiments.gates.gate import Gate, Result, Share
from experiments.gates.gates import GATES
from experiments.gates.messages import messages
from experiments.gates.parsers import PARSERS
from experiments.gates.parts import parts, run_parts
from experiments.gates.rows import fill, markdown, rows

NAMES = [gate.name for gate in GATES]


# The registries


def test_names_of_gates_differ():
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_every_gate_can_be_sent_to_a_process(gate):
    ForkingPickler.dumps(gate)


def test_every_agent_is_tried():
    assert set(decisions.AGENTS) == {*AGENTS, *PLAYERS}
    assert {f"agent: {name}" for name in decisions.AGENTS} <= set(NAMES)


def test_every_command_is_tried():
    assert set(commands.CALLS) == set(COMMANDS)


@pytest.mark.parametrize("name", commands.CALLS)
def test_calls_that_are_damaged_were_good(name):
    parser = argparse.ArgumentParser()
    importlib.import_module(f"baycarp.cli.{name}").add(parser)
    parser.parse_args(commands.CALLS[name].split())


READERS = {
    "agents.registry.load": "messages: agent",
    "agents.registry.parse": "messages: agent",
    "arena.acpc.answer.read_answer": "messages: ACPC answer",
    "bn.io.load": "files: network",
    "bn.bif.parse_bif": "files: network as BIF",
    "bn.bif.read_bif": "files: network as BIF",
    "cases.casebase.CaseBase.load": "files: case-base",
    "cases.exchange.import_csv": "files: cases as CSV",
    "cases.salvage.salvage": "files: case store, salvaged",
    "cases.store.CaseStore.load": "files: case store",
    "game.notation.acpc.parse_matchstate": "messages: ACPC state, limit",
    "game.notation.acpc.parse_state": "messages: ACPC log",
    "game.notation.acpc.read_log": "files: ACPC log",
    "game.notation.irc.read_archive": "files: IRC archive",
    "game.notation.irc.read_tables": "messages: IRC",
    "game.notation.meerkat.parse_line": "messages: Meerkat",
    "game.notation.meerkat.read_log": "files: Meerkat log",
    "game.notation.phh.parse_phh": "messages: PHH",
    "game.notation.phh.read_phhs": "files: PHH",
    "game.notation.phh.read_section": "files: PHH",
    "game.notation.wire.parse": "messages: engine",
    "game.notation.wire.read_action": "messages: engine",
    "game.notation.wire.read_game": "messages: engine",
    "game.notation.wire.read_hand": "messages: engine",
    "game.variant.Variant.load": "files: game file",
    "game.variant.Variant.parse": "messages: game",
    "opponents.players.load_players": "files: players",
    "opponents.holding_policy.load_holding_policy": "files: policy by holdings",
    "opponents.styles.load_styles": "files: styles",
    "search.limit.checkpoint.read_plan": "files: solve, checkpoint",
    "study.beliefs.kept.load_judged": "files: judged session",
    "search.limit.solution.load_solution": "files: solve, strategy",
    "search.nolimit.checkpoint.read_plan": "files: no-limit solve, checkpoint",
    "search.nolimit.solution.load_solution": "files: no-limit solve, strategy",
    "search.saved.load_strategy": "files: strategy of a small game",
    "strategies.model.load_model": "files: model, manifest",
    "strategies.weights.load_weights": "files: weights",
}
"""What reads files or messages from outside, by the gate that tries it."""

INTERNAL = {
    "agents.cases.system.ModelSource.load": "the folder of a model, as strategies.model.load_model reads it",
    "agents.registry.load_for": "a specification, as agents.registry.load reads it",
    "agents.trace_json.read_trace": "records of this process' own traces",
    "arena.recorded.SessionMark.parse": "a comment line; other lines are None",
    "arena.recorded.read_session": "lines that game.notation.acpc reads",
    "arena.sequential.Until.parse": "an option of the command line (gate: command lines)",
    "cases.reuse.read_as": "a solution by its name",
    "cli.models.load_models": "an option of the command line (gate: command lines)",
    "coach.hands.read_hands": "hands that web.review.read reads; the header of a session, tried by its tests",
    "coach.hands.read_seating": "the header of a session, tried by the tests of coach.hands",
    "files.parse_json": "text of the readers above",
    "files.read_arrays": "archives of the readers above (gates: case-base, network, strategy, styles)",
    "files.read_bytes": "files of the readers above",
    "files.read_json": "files of the readers above (gates: weights, manifest)",
    "papers.entry.read_entries": "data of the package",
    "rules.read": "a seat's observation",
    "search.headed.read_headed": "archives of the readers above (gates: solve, checkpoint and strategy)",
    "search.limit.abstraction.parse_buckets": "an option of the command line (gate: command lines)",
    "study.beliefs.acting.read_acts": "rows of memory",
    "train.curriculum.parse_seats": "an option of the command line (gate: command lines)",
    "train.logs.read": "hands that game.notation reads",
    "web.review.parse": "a line that game.notation.acpc reads",
    "web.review.read": "hands that game.notation.acpc and game.notation.phh read",
}
"""Functions of like names that read nothing from outside, and why."""


def public_readers():
    """Public functions and methods of public classes that read, by their names."""
    root = Path(baycarp.__file__).parent
    for path in root.rglob("*.py"):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        if module.startswith("study.robustness"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                yield f"{module}.{node.name}", node.name
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                made = [one for one in node.body if isinstance(one, ast.FunctionDef)]
                yield from (
                    (f"{module}.{node.name}.{one.name}", one.name)
                    for one in made
                    if (one.args.args[:1] and one.name != "read") or one.decorator_list
                )


def is_reader(name):
    return name in ("parse", "read", "load", "salvage") or name.startswith(
        ("parse_", "read_", "load_", "import_")
    )


def test_every_reader_is_tried():
    found = {where for where, name in public_readers() if is_reader(name)}
    found = {where for where in found if not where.startswith("rules.") or where == "rules.read"}
    assert found == {*READERS, *INTERNAL}
    assert set(READERS.values()) <= set(NAMES)


def test_every_public_function_is_called():
    untried = {name for names in hostile_entries.UNTRIED.values() for name in names}
    assert {f"function: {name}" for name in hostile.public().keys() - untried} <= set(NAMES)


# Parts


def counted(share):
    result = Result()
    for number in share:
        result.done += 1
        result.counts["sum"] += number
    return result


def ends_at_three(share):
    result = Result()
    for number in share:
        if number == 3:
            os._exit(7)
        result.done += 1
    return result


def hangs_at_two(share):
    for number in share:
        while number == 2:
            time.sleep(1)
    return Result(len(share))


def gate(run, patience=60.0):
    return Gate("planted", "items", 10, 4, run, 1.0, patience=patience)


def run_all(planted, workers):
    total = Result()
    for _, result in run_parts(parts(planted, 1, seed=1), workers):
        total.add(result)
    return total


def test_parts_are_the_same_at_every_scale():
    large, small = (parts(gate(counted), scale, 1) for scale in (1, 0.5))
    assert [(part.start, part.stop) for part in large] == [(0, 4), (4, 8), (8, 10)]
    assert [part.key for part in small] == [("planted", 0, 4), ("planted", 4, 5)]


def test_the_number_of_workers_changes_nothing():
    one, two = (run_all(gate(counted), workers) for workers in (1, 2))
    assert (one.done, one.counts) == (two.done, two.counts) == (10, {"sum": 45})
    assert one.cpu > 0


def test_a_crash_is_a_finding_and_the_items_beside_it_are_run():
    result = run_all(gate(ends_at_three), 2)
    assert (result.done, result.found) == (10, {"crashes": 1})
    assert result.examples == ["crashes: item 3: exit code 7"]


def test_an_item_without_an_end_is_a_finding():
    result = run_all(gate(hangs_at_two, patience=3.0), 2)
    assert (result.done, result.found) == (10, {"slow": 1})
    assert "item 2: no end within 3 s" in result.examples[0]


def test_a_journal_goes_on_where_it_was_interrupted(tmp_path):
    def stop(done):
        if done >= 4:
            raise KeyboardInterrupt

    planted, done = gate(counted), []
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        with pytest.raises(KeyboardInterrupt):
            fill([planted], 1, journal, 1, stop)
        assert [row.result.done for row in rows([planted], 1, journal)] == [4]
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([planted], 1, journal, 1, done.append)
        (row,) = rows([planted], 1, journal)
    assert done == [4, 8, 10]
    assert (row.wanted, row.result.done, row.result.counts) == (10, 10, {"sum": 45})
    assert "| planted | items | 10 | 10 | 0 | 0 | 0 | 0 | 0 |" in markdown([row])


def test_what_is_missing_is_a_row(tmp_path):
    absent = replace(gate(counted), missing=lambda: "needs a clone of the repository")
    with Journal(tmp_path / "gates.journal", {"seed": 1}) as journal:
        fill([absent], 1, journal, 1, lambda done: None)
        assert "| 10 | needs a clone of the repository | - |" in markdown(rows([absent], 1, journal))


def test_a_part_of_a_function_is_run_in_processes():
    (planted,) = [gate for gate in GATES if gate.name == "function: baycarp.strength"]
    one, two = (run_all(replace(planted, size=100, part=50), workers) for workers in (1, 2))
    assert (one.done, one.counts) == (two.done, two.counts)
    assert one.done == 100
    assert one.found == {}


# Planted faults


def test_a_parser_that_raises_a_key_error_is_found(monkeypatch):
    monkeypatch.setitem(PARSERS, "planted", (lambda: ("a message",), {}.__getitem__))
    result = messages("planted", Share(0, 50))
    assert (result.done, +result.found) == (50, {"untyped": 50})
    assert "KeyError" in result.examples[0]


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (lambda payoffs: payoffs - 1, "losses"),
        (lambda payoffs: payoffs[:, ::-1], "other"),
    ],
    ids=["chips are lost", "the wrong player wins"],
)
def test_payoffs_that_are_not_those_of_their_definition_are_found(monkeypatch, broken, kind):
    reference = pytest.importorskip("baycarp_reference", reason=HOW)
    honest = reference.payoffs_twice
    assert chips.pots_agree(Share(0, 800)).found == {}

    def twice(game, hands, seed):
        ours, expected = honest(game, hands, seed)
        return broken(ours), expected

    monkeypatch.setattr(reference, "payoffs_twice", twice)
    result = chips.pots_agree(Share(0, 800))
    assert (result.done, set(result.found)) == (800, {kind})
    assert result.found[kind] > 700
    assert result.counts == {f"of {kind!r}": 100 for kind in chips.KINDS}


def test_hands_that_are_settled_twice_have_side_pots_and_ties():
    """In every kind of game; otherwise the comparison shows little."""
    reference = pytest.importorskip("baycarp_reference", reason=HOW)
    for kind in chips.KINDS:
        winners = Counter()
        for seed in map(str, range(100)):
            _, payoffs = reference.payoffs_twice(chips.random_game(kind, seed), 50, int(seed))
            winners.update((payoffs > 0).sum(axis=1).tolist())
        assert winners[1] > 2000, kind
        assert winners[2] + winners[3] > 200, kind


def test_compiled_hands_that_lose_chips_are_found(monkeypatch):
    def lose(variant, hands, seed):
        raise VariantError(f"random hand 41 of seed {seed}: payoffs sum to -2, expected 0")

    assert chips.conserve("limit", Share(0, 3000)).found == {}
    monkeypatch.setattr(chips, "random_hands", lose)
    result = chips.conserve("limit", Share(0, 3000))
    assert (result.done, result.found) == (3 * 42, {"losses": 3})


@pytest.mark.parametrize(
    ("read", "checked", "found"),
    [
        (Path.read_bytes, True, {"other"}),
        (Path.read_bytes, False, set()),
        (lambda path: {b"x": 1}[path.read_bytes()[:1]], True, {"untyped"}),
    ],
)
def test_a_reader_that_overlooks_damage_is_found(monkeypatch, read, checked, found):
    kind = files.Kind("text", lambda path: path.write_text("x" * 1000), read, checked)
    monkeypatch.setitem(files.KINDS, "planted", kind)
    result = files.damaged_files("planted", Share(0, 60))
    assert set(result.found) == found
    assert result.done == result.found.total() + result.counts.total() == 60


@pytest.mark.parametrize("name", [name for name in files.KINDS if "BIF" not in name])
def test_files_that_are_damaged_were_good(name, tmp_path):
    kind = files.KINDS[name]
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    assert kind.same(kind.read(kind.make(one)), kind.read(kind.make(two)))


CHECKED = [name for name, kind in files.KINDS.items() if kind.checked]


@pytest.mark.parametrize("name", CHECKED)
def test_a_damaged_file_is_refused_or_harmless(name):
    assert files.damaged_files(name, Share(0, 30)).found == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_a_thousand_damaged_files_are_refused_or_harmless(name):
    result = files.damaged_files(name, Share(0, 1000))
    assert result.found == {}
    assert result.counts["refused"] > 100  # the damage is real; salvage reads most files


def test_accidents_repeat_with_their_seed_and_change_something():
    good = Random(1).randbytes(5000)
    damaged = [damaged_bytes(good, str(seed)) for seed in range(200)]
    assert damaged == [damaged_bytes(good, str(seed)) for seed in range(200)]
    assert sum(data == good for data in damaged) < 20


def test_an_illegal_action_at_a_table_is_found(monkeypatch):
    result = decisions.play_tables("program", Share(0, 2))
    assert (result.done, result.found) == (2, {})
    monkeypatch.setattr(decisions, "_verify", partial(int, "not a number"))
    assert decisions.play_tables("call", Share(0, 2)).found == {"untyped": 2}


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

    monkeypatch.setattr(decisions, "measure", measure)
    result = decisions.timed("call", 0.1, Share(0, 5))
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
    result = decisions.timed("mcts", 0.05, Share(0, 20))
    assert result.counts["that took half of the limit or more"] > 0


def test_a_program_that_does_not_answer_is_found(monkeypatch):
    monkeypatch.setitem(decisions.AGENTS, "program", "program(command='true')")
    assert decisions.play_tables("program", Share(0, 1)).found["other"] > 0


class Hostile:
    """A registry of one function, which fails for every fifth call."""

    @staticmethod
    def calls(name, seed, number):
        return (partial([1, 2, 3, 4].__getitem__, call % 5) for call in range(number))

    @staticmethod
    def is_typed(error):
        return not isinstance(error, IndexError)


def test_a_function_that_raises_an_index_error_is_found(monkeypatch):
    monkeypatch.setattr(functions, "hostile", Hostile)
    result = functions.hostile_calls("planted", Share(0, 100))
    assert (result.done, result.found, result.counts) == (100, {"untyped": 20}, {"answered": 80})
    monkeypatch.setattr(Hostile, "is_typed", staticmethod(lambda error: True))
    assert functions.hostile_calls("planted", Share(0, 100)).counts == {"answered": 80, "refused": 20}
    monkeypatch.setattr(functions, "SECONDS", -1)
    assert functions.hostile_calls("planted", Share(0, 100)).done == 0


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


def run(tmp_path, *options):
    words = ["robustness", "--full", "--only", "messages: c", "--scale", "0.05", "--json"]
    return [sys.executable, "-m", "baycarp", *words, "--out", str(tmp_path), *options]


def table(tmp_path, *options):
    done = subprocess.run(run(tmp_path, *options), capture_output=True, text=True, check=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return [record | {"cpu": 0} for record in records]


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_killed_and_run_again_the_table_is_the_same(tmp_path):
    whole = table(tmp_path / "whole", "--workers", "2")
    assert [(row["gate"], row["wanted"], row["done"]) for row in whole] == [
        ("messages: cards", 50_000, 50_000)
    ]
    journal = tmp_path / "broken" / "gates.journal"
    running = subprocess.Popen(run(tmp_path / "broken"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert journal.read_bytes().count(b"\n") < 4
    assert table(tmp_path / "broken") == whole
    assert (
        "| messages: cards | messages | 50,000 | 50,000 |" in (tmp_path / "broken" / "table.md").read_text()
    )


def test_a_gate_that_there_is_not(tmp_path, capsys):
    assert main(["robustness", "--full", "--only", "nowhere", "--out", str(tmp_path)]) == 1
    assert "--only 'nowhere': expected a word of chips: limit" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["robustness", "--full", "--scale", "2"])
    assert "'2': expected a share above 0, at most 1" in capsys.readouterr().err
