"""Comparisons with other libraries: in a clone of the repository, and a hint elsewhere."""

import tomllib
from argparse import Namespace
from pathlib import Path

import faiss
import numpy as np
import pytest

from baycarp.bn import Sample, em, load, random_network
from baycarp.bn.sampling import sample
from baycarp.errors import ModelError
from baycarp.kernels.hands import rank
from baycarp.kernels.sweeps import sweep
from baycarp.strategies.model import SHIPPED
from benchmarks.parts import bn, cases, networks, retrieval
from benchmarks.parts.kernels import LIKELY
from benchmarks.parts.ranking import random_hands
from benchmarks.parts.rivals import rivals
from benchmarks.retrieval_cases import decisions, table_of
from benchmarks.rivals import em as rival_em
from benchmarks.rivals import ranks, sweeps
from benchmarks.rivals.numpy_hands import numpy_ranks, numpy_river

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("part", ["kernels", "bn", "cases", "env", "networks", "retrieval", "solve"])
def test_a_part_has_its_comparisons(part):
    assert rivals(part).__module__ == f"benchmarks.rivals.{part}"


def test_retrieval_prints_its_own_figures_beside_comparisons(monkeypatch):
    asked = [step.case.situation for step in decisions(table_of(("call", "jake"), 4), 3, 3, streets=(1,))]
    monkeypatch.setattr(retrieval, "SIZES", (2_500,))
    monkeypatch.setattr(retrieval, "questions", lambda: asked)
    goals = retrieval.goals(Namespace(cases=SHIPPED / "flop.npz", most=2_500, picture=None))
    units = {goal.goal: goal.unit for goal in goals}
    compared = {name for name, unit in units.items() if unit == "times numpy"}
    assert len(compared) == len(retrieval.MODES)
    assert "top 20 of 2,500: p50" in units


def test_no_rival_is_in_the_wheel():
    """The package names no library that is only compared with it; the wheel holds the package alone."""
    names = ("eval7", "phevaluator", "treys", "cbrkit", "pyagrum", "baycarp_reference")
    named = {
        f"{path.name}: {name}"
        for path in (ROOT / "src" / "baycarp").rglob("*.py")
        for name in names
        if any(f"{quote}{name}" in path.read_text("utf-8") for quote in ('"', "'", "import ", "from "))
    }
    assert named == set()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["scikit-build"]["wheel"]["packages"] == ["src/baycarp"]


def test_public_networks_are_measured_beside_pgmpy(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(networks, "EASY", ("asia", "alarm"))
    for name in ("HARD", "LARGE"):
        monkeypatch.setattr(networks, name, ())
    found = list(networks.goals())
    assert {goal.goal: goal for goal in found}["asia, 8 nodes: query again"].measured > 0
    for what in ("asia: query again", "alarm: query again", "alarm, 20,000 rows"):
        units = [goal.unit for goal in found if goal.goal.startswith(what) and goal.unit.startswith("times")]
        assert [unit.rsplit(" ", 1)[0] for unit in units] == ["times pgmpy", "times numpy's"]


def test_neighbours_are_measured_beside_faiss(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(cases, "SIZES", (3_000,))
    found = [goal for goal in cases.goals(Namespace(size=3_000)) if "cbrkit" not in goal.unit]
    assert [goal.goal for goal in found][:2] == ["top 20 of 3,000: p50", "top 20 of 3,000: p99"]
    units = {goal.unit.split(" ")[1] for goal in found[2:]}
    assert units == {"numpy"} | ({"METRIC_GOWER"} if hasattr(faiss, "METRIC_GOWER") else set())


def hands_of(*cards, count=20_000):
    """Random hands of seven of these cards."""
    draw = np.random.default_rng(4).random((count, len(cards)))
    return np.array(cards, np.uint8)[np.argsort(draw, axis=1)[:, :7]]


@pytest.mark.parametrize(
    "hands",
    [random_hands(50_000), hands_of(*range(0, 52, 4), *range(1, 52, 4)), hands_of(*range(4), *range(32, 52))],
    ids=["of all cards", "of two suits", "of six ranks"],
)
def test_numpy_orders_hands_as_the_kernels_do(hands):
    pairs = np.unique(np.stack([numpy_ranks(hands), rank(hands)], axis=1).astype(np.int64), axis=0)
    assert len(pairs) > 100
    assert np.all(np.diff(pairs, axis=0) > 0)  # one rank for each, in one order


@pytest.mark.parametrize("board", ["Qs7d2cTc9h", "AsAhKdKc2c", "9s8s7s6s5s"])
def test_numpy_values_all_holdings_of_a_river_as_the_kernels_do(board):
    for weights in (LIKELY, np.random.default_rng(1).random(1326)):
        np.testing.assert_allclose(numpy_river(board, weights), sweep(board, weights), rtol=0, atol=1e-12)


@pytest.fixture(scope="module")
def network():
    return load(SHIPPED / "network.npz")


def test_em_in_numpy_fits_the_tables_of_the_engine(network):
    rows = bn.hidden_rows(sample(network, 20_000, seed=3), 150)
    start = random_network(network.structure, seed=2)
    fitted = em(Sample(rows), start, iterations=bn.ITERATIONS, tolerance=-np.inf, prior=bn.PRIOR).network
    tables = rival_em.numpy_em(start, rows)
    assert set(tables) == {"PFR", "VPIP", *bn.HAND}
    for node, table in tables.items():
        np.testing.assert_allclose(table, fitted.cpt(node), rtol=0, atol=1e-12)
        assert np.abs(table - start.cpt(node)).max() > 0.01


def test_libraries_have_a_numpy_row_beside_them(network, monkeypatch):
    monkeypatch.setattr(ranks, "LARGE", 2_000)
    monkeypatch.setattr(ranks, "FEW", 200)
    monkeypatch.setattr(rival_em, "MUSTS", {100: 1})
    monkeypatch.setattr(rival_em, "find_spec", lambda name: None)  # its iterations take seconds
    rows = sample(network, 20_000, seed=3)
    (line,) = rival_em.goals(network, rows)
    assert line.goal == "G5 EM, an iteration on 100 rows, v numpy"
    assert next(ranks.goals()).unit.startswith("times numpy (")
    assert next(sweeps.river()).unit == "times numpy"


def test_other_answers_of_numpy_are_refused(network, monkeypatch):
    monkeypatch.setattr(ranks, "LARGE", 200)
    monkeypatch.setattr(ranks, "FEW", 200)
    monkeypatch.setattr(ranks, "numpy_ranks", lambda deals: -numpy_ranks(deals))
    monkeypatch.setattr(sweeps, "numpy_river", lambda board, weights: numpy_river(board, weights) + 1e-9)
    for goals in (ranks.goals(), sweeps.river()):
        with pytest.raises(ArithmeticError, match="numpy"):
            next(goals)
    off = {"VPIP": network.cpt("VPIP")}
    monkeypatch.setattr(rival_em, "numpy_em", lambda start, rows: off)
    with pytest.raises(ModelError, match="table of VPIP"):
        next(rival_em.goals(network, sample(network, 20_000, seed=3)))
