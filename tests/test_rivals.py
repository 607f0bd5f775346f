"""Comparisons with other libraries: in a clone of the repository, and a hint elsewhere."""

import tomllib
from argparse import Namespace
from pathlib import Path

import faiss
import pytest

from baycarp.cli.bench import cases, networks, retrieval
from baycarp.cli.bench.rivals import HINT, rivals
from baycarp.strategies.model import SHIPPED
from baycarp.train.retrieval_cases import decisions, table_of

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("part", ["kernels", "bn", "cases", "networks", "retrieval", "solve"])
def test_a_clone_has_the_comparisons_of_a_part(part, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert rivals(part).__module__ == f"rivals.{part}"
    assert capsys.readouterr().err == ""


def test_elsewhere_there_is_a_hint_and_no_comparison(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert list(rivals("kernels")("anything")) == []
    assert capsys.readouterr().err == f"{HINT}\n"


def test_a_part_prints_its_own_figures_with_and_without_comparisons(tmp_path, monkeypatch):
    asked = [step.case.situation for step in decisions(table_of(("call", "jake"), 4), 3, 3, streets=(1,))]
    monkeypatch.setattr(retrieval, "SIZES", (2_500,))
    monkeypatch.setattr(retrieval, "questions", lambda: asked)
    args = Namespace(cases=SHIPPED / "flop.npz", most=2_500, picture=None)
    goals = {}
    for folder in (ROOT, tmp_path):
        monkeypatch.chdir(folder)
        goals[folder] = {goal.goal: goal.unit for goal in retrieval.goals(args)}
    compared = {name for name, unit in goals[ROOT].items() if unit == "times numpy"}
    assert len(compared) == len(retrieval.MODES)
    assert set(goals[tmp_path]) == set(goals[ROOT]) - compared
    assert "top 20 of 2,500: p50" in goals[tmp_path]


def test_no_rival_is_in_the_wheel():
    """The package names no library that is only compared with it; the wheel holds the package alone."""
    names = ("eval7", "phevaluator", "treys", "cbrkit", "pyagrum", "pyspiel", "baycarp_reference")
    named = {
        f"{path.name}: {name}"
        for path in (ROOT / "src" / "baycarp").rglob("*.py")
        for name in names
        if (path.name, name) != ("chips.py", "baycarp_reference")  # a gate that needs a clone's build
        if any(f"{quote}{name}" in path.read_text("utf-8") for quote in ('"', "'", "import ", "from "))
    }
    assert named == set()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["scikit-build"]["wheel"]["packages"] == ["src/baycarp"]


def test_public_networks_are_measured_beside_pgmpy(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(networks, "EASY", ("asia",))
    for name in ("HARD", "LARGE"):
        monkeypatch.setattr(networks, name, ())
    found = list(networks.goals())
    assert {goal.goal: goal for goal in found}["asia, 8 nodes: query again"].measured > 0
    units = [goal.unit for goal in found if goal.goal == "asia: query again"]
    assert [unit.rsplit(" ", 1)[0] for unit in units] == ["times pgmpy", "times numpy's"]


def test_neighbours_are_measured_beside_faiss(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(cases, "SIZES", (3_000,))
    found = [goal for goal in cases.goals(Namespace(size=3_000)) if "cbrkit" not in goal.unit]
    assert [goal.goal for goal in found][:2] == ["top 20 of 3,000: p50", "top 20 of 3,000: p99"]
    units = {goal.unit.split(" ")[1] for goal in found[2:]}
    assert units == {"numpy"} | ({"METRIC_GOWER"} if hasattr(faiss, "METRIC_GOWER") else set())
