import time

import pytest

from baycarp.agents.poki.simulation import SimulationStage
from baycarp.agents.registry import load
from baycarp.agents.trace import TierStage
from baycarp.budget import Budget
from baycarp.game.state import State
from baycarp.game.variant import Variant


def simulated(decision):
    """The stage of the simulation, whether or not it was broken off."""
    return next(stage for stage in decision.trace if isinstance(stage, SimulationStage))


@pytest.fixture
def river():
    """Heads-up, facing one bet on the river."""
    state = State(Variant.ring(2))
    state.deal(holes={1: "AhTh"}, board="KhQhJh2c2d")
    for name in ("call", "check", "check", "check", "check", "check", "bet"):
        state.apply(state.named(name))
    return state


def test_the_best_mean_acts(river):
    decision = load("simulation(playouts=200)").decide(river.observe(1))
    stage = simulated(decision)
    assert decision.action.name == "raise"
    assert stage.worth["call"] == pytest.approx(4)  # the pot of 8 chips, in small bets
    assert stage.worth["raise"] > stage.worth["call"] + 0.02
    assert 100 <= stage.trials <= 200
    assert not decision.exact
    river.deal(holes={1: "4c3c"})
    assert load("simulation(playouts=200)").decide(river.observe(1)).action.name == "fold"


def test_trials_end_early_when_sure_and_not_before(river):
    def trials(**budget):
        return simulated(load("simulation").decide(river.observe(1), budget=Budget(**budget))).trials

    assert trials(playouts=30) == 30
    assert 100 <= trials(playouts=100_000) < 1000


def test_before_the_flop_it_is_the_formula_player():
    state = State(Variant.ring(8))
    state.deal(holes={2: "AhAd"})
    decision = load("simulation").decide(state.observe(2))
    assert (decision.action.name, decision.trace[0].name) == ("raise", "income rate")


def test_the_time_limit_is_kept(river):
    agent, began = load("simulation"), time.perf_counter()
    decision = agent.decide(river.observe(1), time_limit=0.25)
    assert simulated(decision).trials > 0
    assert time.perf_counter() - began < 5  # not a measurement: it would play on for minutes
    hurried = agent.decide(river.observe(1), time_limit=0.0)
    assert [stage.tier for stage in hurried.trace if isinstance(stage, TierStage) and stage.done] == [
        "cheapest"
    ]


def test_one_playout_is_enough_to_decide(river):
    decision = load("simulation").decide(river.observe(1), budget=Budget(playouts=1))
    assert decision.action.name in ("call", "raise")
    assert simulated(decision).trials == 1
    assert simulated(decision).worth["call"] == pytest.approx(4)


def test_a_free_check_is_not_folded():
    state = State(Variant.ring(2))
    state.deal(holes={0: "3c2d"}, board="KhQhJh9s8d")
    for name in ("call", "check", "check", "check", "check", "check"):
        state.apply(state.named(name))
    decision = load("simulation(margin=9)").decide(state.observe(0))
    assert set(decision.policy_by_kind()) == {"check", "bet"}
    assert "fold" not in simulated(decision).worth


def test_a_margin_folds_more(river):
    river.deal(holes={1: "Kc3c"})
    close = load("simulation(playouts=300)").decide(river.observe(1))
    worth = max(simulated(close).worth[name] for name in ("call", "raise"))
    assert worth > 0
    assert (
        load(f"simulation(playouts=300, margin={worth + 0.5})").decide(river.observe(1)).action.name == "fold"
    )
