"""``baycarp inspect cases``."""

import json
from functools import partial
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import baycarp
from baycarp.agents.cases.stages import CaseStage
from baycarp.agents.trace import stage_of
from baycarp.cases import explain, retrieve
from baycarp.cli import main
from baycarp.cli.inspect import cases
from baycarp.strategies.model import load_model
from baycarp.strategies.spec import STREETS

LINE = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"


@pytest.fixture
def inspect(small_model, capsys):
    def ask(*words):
        status = main(["inspect", "cases", "--model", str(small_model), *map(str, words)])
        return status, capsys.readouterr()

    return ask


def test_the_nearest_are_those_of_the_decision_column_by_column(inspect, small_model):
    status, output = inspect(LINE, "--nearest", 3, "--json")
    assert status == 0
    output = json.loads(output.out)
    agent = baycarp.load(f"baycarp2(model={str(small_model)!r}, published=True)")
    decision = agent.decide(baycarp.observe(LINE, game="holdem.limit.2p.reverse_blinds"))
    values = stage_of(decision.trace, CaseStage).values
    casebase = load_model(small_model).casebases["flop"]
    found = retrieve(casebase, values)
    assert (output["street"], output["retrieved"]) == ("flop", len(found))
    assert [case["case"] for case in output["nearest"]] == found.ids[:3].tolist()
    for case in output["nearest"]:
        matches = explain(casebase, values, case["case"])
        assert [list(line.values()) for line in case["columns"]] == [
            [m.column, m.weight, m.query, m.case, m.similarity] for m in matches
        ]
        total = sum(m.weight * m.similarity for m in matches) / sum(m.weight for m in matches)
        assert case["similarity"] == pytest.approx(total)
        stored = casebase.case(case["case"])
        assert (case["action"], case["outcome"]) == (stored["solution"], stored["outcome"])


def test_the_nearest_as_a_table(inspect):
    status, output = inspect(LINE, "--nearest", 2)
    assert status == 0
    assert "\x1b" not in output.out  # no colours in a file
    lines = {line.split()[0]: line for line in output.out.splitlines() if line.strip()}
    assert "hand_strength" in lines
    assert lines["similarity"].count("0.") == 2


def test_as_many_cases_as_a_screen_has_room_for(monkeypatch, small_model):
    """On a terminal of 80 columns no line is folded, and the last one says what is left out."""
    screen = StringIO()
    monkeypatch.setattr(
        cases, "Console", partial(Console, file=screen, width=80, force_terminal=True, no_color=True)
    )
    assert main(["inspect", "cases", LINE, "--model", str(small_model), "--nearest", "4"]) == 0
    *table, last = screen.getvalue().splitlines()
    shown = next(line for line in table if "outcome" in line).count(".")
    assert last == f"{4 - shown} more on a wider screen, or by --json"
    assert all(name in screen.getvalue() for name in ("hand_strength", "number_of_players"))


@pytest.mark.parametrize("given", [[], ["--beside"]])
def test_the_spread_of_the_cases_takes_eighty_columns(inspect, given):
    _, output = inspect(*given)
    assert max(len(line.rstrip()) for line in output.out.splitlines()) <= 80


def test_spreads_count_every_case(inspect, small_model):
    status, output = inspect("--json")
    assert status == 0
    output = json.loads(output.out)
    casebases = load_model(small_model).casebases
    assert set(output) == set(STREETS)
    for street, columns in output.items():
        assert {"solution", "outcome"} < set(columns)
        for spread in columns.values():
            assert np.sum(spread["cases"]) == len(casebases[street])
            assert "divergence" not in spread


def test_actions_and_mean_outcomes_by_street(inspect, small_model):
    _, output = inspect("--street", "river")
    columns = load_model(small_model).casebases["river"].columns()
    line = next(line for line in output.out.splitlines() if line.strip().startswith("river  "))
    called = columns["outcomes"][columns["solutions"] == 2]
    assert f"{len(called) / len(columns['ids']):.0%} {called.mean():+.2f}" in line
    assert "preflop" not in output.out


def test_two_halves_and_two_models_drift(inspect, small_model):
    halves = json.loads(inspect("--beside", "--json")[1].out)
    same = json.loads(inspect("--beside", small_model, "--json")[1].out)
    for street in STREETS:
        n = sum(halves[street]["outcome"]["cases"][0])
        assert abs(n - sum(halves[street]["outcome"]["cases"][1])) <= 1
        assert any(spread["divergence"] > 0 for spread in halves[street].values())
        assert all(spread["divergence"] == 0 == spread["stability"] for spread in same[street].values())
    text = inspect("--beside", "--street", "turn")[1].out
    assert "by chance" in text


def test_pictures(inspect, tmp_path):
    pytest.importorskip("matplotlib")
    for name, words in (("near.svg", (LINE,)), ("turn.png", ("--street", "turn", "--beside"))):
        assert inspect(*words, "--picture", tmp_path / name)[0] == 0
        assert (tmp_path / name).stat().st_size > 10_000
    status, output = inspect("--picture", tmp_path / "all.png")
    assert status == 1
    assert "expected one --street" in output.err


def test_a_memory_is_read_without_a_change(inspect, small_model, monkeypatch, tmp_path):
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path))
    status, output = inspect("--memory", "mine", "--json")
    assert status == 1
    assert "there is none" in output.err
    assert not list(tmp_path.iterdir())
    agent = baycarp.load(f"baycarp2(model={str(small_model)!r}, memory='mine')")
    agent.store.close()
    assert inspect("--memory", "mine", "--json")[1].out == inspect("--json")[1].out
