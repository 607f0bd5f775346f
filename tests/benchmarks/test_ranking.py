"""The goals of ranking, on few hands."""

import numpy as np
import pytest

from baycarp.kernels import simd
from benchmarks.parts import ranking
from benchmarks.rivals import ranks


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(ranking, "LARGE", 1000)
    monkeypatch.setattr(ranking, "ROUNDS", 1)
    monkeypatch.setattr(ranks, "LARGE", 1000)
    monkeypatch.setattr(ranks, "FEW", 100)


def test_the_goals(short):
    goals = list(ranking.goals())
    assert {goal.goal.split(":")[0] for goal in goals} >= {"G3", "G12"}
    assert sum("times base (" in goal.unit for goal in goals) == len(simd.AVAILABLE) - 1
    for goal in goals:
        assert goal.measured > 0
        assert (goal.met is None) == (goal.must is None)


def test_wrong_ranks_are_reported(short, monkeypatch):
    if len(simd.AVAILABLE) == 1:
        pytest.skip("this processor has one level")
    number = simd.AVAILABLE.index
    monkeypatch.setattr(ranking, "_at", lambda level, deals: np.full(len(deals), number(level), np.uint16))
    with pytest.raises(ArithmeticError, match="not those of the base level"):
        list(ranking.goals())


def test_rivals_rank_the_same_hands(short, monkeypatch):
    """A library that is not installed has no line; one that is wrong is reported."""
    monkeypatch.setattr(ranks, "installed", lambda name, deals: None)
    assert [goal.unit.split(" (")[0] for goal in ranks.goals()] == ["times numpy"]
    monkeypatch.setattr(ranks, "installed", lambda name, deals: lambda: list(range(len(deals))))
    with pytest.raises(ArithmeticError, match="phevaluator orders"):
        list(ranks.goals())
    monkeypatch.setattr(ranks, "installed", lambda name, deals: ranks.rank(deals).tolist)
    monkeypatch.setattr(ranks, "version", {"phevaluator": "1.2", "eval7": "3.4"}.get)
    _, *lines = [(goal.must, goal.unit.split(" (")[0]) for goal in ranks.goals()]
    single = (0.7, "of the C call of phevaluator 1.2")
    assert lines == [(50, "times phevaluator 1.2"), (150, "times eval7 3.4"), single]


def test_a_wrong_rival_is_reported():
    ranks.alike("theirs", [1, 7, 9], np.array([1, 2, 3], np.uint16))
    for wrong in ([1, 2, 2], [1, 3, 2]):
        with pytest.raises(ArithmeticError, match="theirs orders"):
            ranks.alike("theirs", wrong, np.array([1, 2, 3], np.uint16))
