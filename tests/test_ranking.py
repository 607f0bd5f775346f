"""The goals of ranking, on few hands."""

import numpy as np
import pytest

from baycarp.cli.bench import ranking
from baycarp.kernels import simd


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(ranking, "LARGE", 1000)
    monkeypatch.setattr(ranking, "FEW", 100)
    monkeypatch.setattr(ranking, "ROUNDS", 1)


def test_the_goals(short):
    goals = list(ranking.goals())
    assert {goal.goal.split(":")[0] for goal in goals} >= {"G3", "G12"}
    assert sum("times base (" in goal.unit for goal in goals) == len(simd.AVAILABLE) - 1
    for goal in goals:
        assert goal.measured > 0
        assert (goal.met is None) == (goal.must is None)


def test_wrong_ranks_are_told(short, monkeypatch):
    if len(simd.AVAILABLE) == 1:
        pytest.skip("this processor has one level")
    monkeypatch.setattr(ranking, "_at", lambda level, deals: np.full(len(deals), len(level), np.uint16))
    monkeypatch.setattr(ranking, "PEERS", {})
    with pytest.raises(ArithmeticError, match="not those of the base level"):
        list(ranking.goals())


def test_a_wrong_peer_is_told():
    with pytest.raises(ArithmeticError, match="theirs orders"):
        ranking._same("theirs", [1, 2, 2], np.array([1, 2, 3], np.uint16))
