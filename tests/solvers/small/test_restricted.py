"""Restricted Nash responses: against a linear program, and where the answer is known."""

import numpy as np
import pytest
from reference.small_games import KUHN, LEDUC, TREES, random_strategy, value_by_linear_program

from baycarp.errors import ArgumentError
from baycarp.solvers import RestrictedCFR, best_response, value
from baycarp.solvers.small import kuhn, leduc


def solved(model, player, trust, iterations=1000):
    solver = RestrictedCFR(model, player, trust)
    for _ in range(iterations):
        solver.step()
    return solver


def worst(solver):
    """What the response wins from a best response to it."""
    return -best_response(solver.average(), 1 - solver.player).value


@pytest.mark.parametrize(("tree", "won"), [(KUHN, kuhn.VALUE), (LEDUC, leduc.VALUE)])
def test_without_trust_it_is_the_equilibrium(tree, won):
    solver = solved(random_strategy(tree, 1), 0, 0.0)
    assert worst(solver) == pytest.approx(won, abs=1e-3)
    assert value(solver.average()) == pytest.approx(won, abs=1e-3)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", TREES)
def test_with_full_trust_it_wins_as_a_best_response(name, player):
    model = random_strategy(TREES[name], 2)
    assert solved(model, player, 1.0).won() == pytest.approx(best_response(model, player).value, abs=1e-3)


@pytest.mark.parametrize("trust", [0.3, 0.7, 0.95])
def test_the_weighted_value_is_that_of_a_linear_program(trust):
    model = random_strategy(LEDUC, 3)
    solver = solved(model, 0, trust)
    exact = value_by_linear_program(LEDUC.game, model.tables()[1], trust)
    reached = trust * solver.won() + (1 - trust) * worst(solver)
    assert reached == pytest.approx(exact, abs=2e-3)
    assert exact - reached <= solver.gap() + 1e-9


def test_more_trust_wins_more_from_the_model_and_less_at_worst():
    model = random_strategy(LEDUC, 4)
    found = [solved(model, 1, trust) for trust in (0.0, 0.5, 0.9, 1.0)]
    assert np.all(np.diff([each.won() for each in found]) > 0)
    assert np.all(np.diff([worst(each) for each in found]) < 0)


@pytest.mark.parametrize(("player", "trust"), [(2, 0.5), (0, 1.5), (0, float("nan"))])
def test_another_player_or_trust_is_refused(player, trust):
    with pytest.raises(ArgumentError):
        RestrictedCFR(random_strategy(KUHN, 1), player, trust)
