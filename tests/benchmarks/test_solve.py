"""``python -m benchmarks solve``: every algorithm, and OpenSpiel beside it."""

import json
from importlib.metadata import version

import pytest
from reference.small_games import KUHN

from benchmarks.__main__ import main
from benchmarks.parts import solve, spots


def test_every_algorithm_is_measured_and_meets_its_goals(capsys, monkeypatch):
    monkeypatch.setattr(solve, "ROUND", 20)
    monkeypatch.setattr(solve, "SOLVERS", solve.SOLVERS[:-2])  # spots and re-solves take minutes
    monkeypatch.setattr(solve, "rivals", lambda part: lambda *built: iter(()))
    assert main(["solve", "--json"]) == 0
    goals = {line["goal"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    names = {f"{game}: {algorithm}" for game in ("kuhn", "leduc") for algorithm in ("cfr", "cfr+", "mccfr")}
    assert names <= goals.keys()
    assert goals["kuhn: equilibria, value less -1/18"]["met"]
    assert goals["leduc: exploitability, cfr+ x 1,000"]["measured"] == pytest.approx(2.539e-4, rel=1e-3)
    assert goals["leduc: cfr+, memory"]["measured"] < 100
    # 169 and 50 buckets by (8, 70, 630, 5670) decisions in lanes of eight, three actions, seven tables
    assert 20 < goals["heads-up limit: tables"]["measured"] < 40
    assert goals["heads-up limit: 50 buckets a street, 4 boards"]["measured"] > 0


def test_openspiel_is_beside_it():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    goals = {goal.goal: goal for goal in solve.rivals("solve")({"kuhn": KUHN})}
    assert goals["kuhn: cfr+, iterations"].unit == f"times OpenSpiel {version('open_spiel')}"
    assert goals["kuhn: mccfr, OpenSpiel"].measured > 0


def test_a_spot_is_beside_its_peer(monkeypatch):
    monkeypatch.setattr(spots, "PEER_SPOTS", spots.PEER_SPOTS[:1])
    goals = {goal.goal: goal for goal in spots.spot_goals()}
    assert goals["spots: yardstick, 1,000,000 ranks"].measured > 0
    assert goals["spot river R: after 100 iterations"].met
    assert goals["spot river R: to 0.3 %"].measured > 0
    assert goals["spot river R: an iteration"].unit == "times NumPy"
