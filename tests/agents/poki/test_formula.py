import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from baycarp.agents.poki.formula import Formula, PotentialStage, RuleStage, Style
from baycarp.agents.poki.preflop import IncomeStage
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.registry import load
from baycarp.agents.trace import TierStage, stage_of
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.errors import CardError, IllegalAction
from baycarp.game.state import State
from baycarp.game.variant import Variant

LOKI = ("formula", "simulation(playouts=20)", "formula(mixing=80, deception=0.3, model=0, aggression=0.9)")


def hand(seats, *names, deck=None, **cards):
    state = State(Variant.ring(seats), deck=deck)
    state.deal(**cards)
    for name in names:
        state.apply(state.named(name))
    return state


def after_calls(seats, board, holes, *names):
    """Every player limps, then the board is dealt, then the named actions."""
    state = hand(seats, *["call"] * (seats - 1), "check", board=board, holes=holes)
    for name in names:
        state.apply(state.named(name))
    return state


def deck(seed, seats):
    return np.random.default_rng(seed).permutation(52)[: 2 * seats + 5].astype(np.uint8)


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
@pytest.mark.parametrize("spec", [*LOKI, "rule", "jag"])
def test_every_decision_is_legal_and_reports_its_policy(spec, seats):
    agents = [load(spec) for _ in range(seats)]
    for seat, agent in enumerate(agents):
        agent.sit(seat, Variant.ring(seats), seat)
    streets = set()

    def watch(state, decision):
        streets.add(state.street)
        assert state.can(decision.action)
        assert set(decision.policy) == set(state.legal_actions())
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert min(decision.policy.values()) >= 0
        assert decision.policy[decision.action] > 0
        assert decision.reason
        json.dumps(decision.to_dict())

    for number in range(12):
        play_hand(
            State(Variant.ring(seats), deck=deck((seats, number), seats)),
            agents,
            tuple("abcdefghij"[:seats]),
            number,
            watch=watch,
        )
    assert streets == {0, 1, 2, 3}


def test_strong_hands_bet_and_weak_ones_give_up():
    strong = Formula().decide(after_calls(4, "AhAd7c2s", {0: "AsAc"}).observe(0))
    assert strong.policy_by_kind()["bet"] == 1
    assert stage_of(strong.trace, RuleStage).rule == "strong"
    weak = Formula().decide(after_calls(4, "AhAdKc", {1: "4s3c"}, "bet").observe(1))
    assert weak.policy_by_kind()["fold"] == 1
    assert stage_of(weak.trace, RuleStage).rule == "give up"
    assert [stage.name for stage in weak.trace] == ["opponents", "potential", "rules"]


def test_a_flush_draw_calls_for_its_price():
    """Four to a flush on the turn, PPot1 near 0.2, one bet of 4 into a pot of 16 or more: pot odds."""
    state = after_calls(4, "Kh7h2c9d", {1: "6h4h"}, "check", "check", "check", "check", "bet")
    assert state.street == 2
    decision = Formula().decide(state.observe(1))
    assert stage_of(decision.trace, RuleStage).rule == "pot odds"
    assert decision.policy_by_kind()["call"] > 0.5
    assert 0.15 < stage_of(decision.trace, PotentialStage).positive_potential < 0.3


def test_a_semi_bluff_continues_until_an_opponent_bets():
    state = after_calls(4, "Kh4h7cAdAs", {0: "6h5h"})
    agent = Formula()
    agent.sit(0, state.variant, 1)
    first = agent.decide(state.observe(0))
    assert stage_of(first.trace, RuleStage).rule == "semi-bluff"
    assert first.action.name == "bet"
    assert agent.decide(state.observe(0)).policy == first.policy  # asked twice, it is the same spot
    for name in ("bet", "call", "fold", "fold"):
        state.apply(state.named(name))
    again = agent.decide(state.observe(0))
    assert again.action.name == "bet"
    answered = state.copy()
    for name in ("bet", "raise", "call"):
        answered.apply(answered.named(name))
    assert agent.decide(answered.observe(0)).policy_by_kind()["check"] > 0.5
    for name in ("bet", "call"):
        state.apply(state.named(name))
    assert state.street == 3
    assert agent.decide(state.observe(0)).policy_by_kind() == {"check": 0, "bet": 1}
    assert Formula().decide(state.observe(0)).policy_by_kind()["check"] > 0.5


def test_the_model_separates_a_raiser_from_a_limper():
    """Top pair is worth less against a player that raised before and after the flop."""
    quiet = after_calls(2, "Kh8d2c", {1: "Kc5s"}, "check")
    loud = hand(2, "call", "raise", "call", "bet", board="Kh8d2c", holes={1: "Kc5s"})

    def strength(agent, state):
        return stage_of(agent.decide(state.observe(1)).trace, PotentialStage).strength

    assert strength(Formula(), quiet) > 0.9 > strength(Formula(), loud)
    assert strength(Formula(Style(model=0)), loud) > 0.9


@pytest.mark.parametrize(
    ("meek", "bold", "state", "action"),
    [
        ({"aggression": 0}, {"aggression": 1}, after_calls(3, "Th8d2c", {0: "Kc8s"}), "bet"),
        ({"tightness": 1}, {"tightness": 0}, after_calls(3, "Kh8d3c", {1: "Ac6s"}, "bet"), "call"),
        ({"implied": 0}, {"implied": 3}, after_calls(2, "Jh9d3c", {1: "Qd8s"}, "bet"), "call"),
        ({"defence": False}, {"defence": True}, after_calls(3, "Kh9d3c", {1: "3d7s"}, "bet"), "call"),
        ({"shift": 200}, {"shift": -200}, hand(8, holes={2: "9h8h"}), "call"),
        ({"level": "tight"}, {"level": "loose"}, hand(8, holes={2: "9d8d"}), "call"),
        ({"mixing": 0}, {"mixing": 300}, hand(8, holes={2: "8d6d"}), "call"),
    ],
)
def test_every_knob_turns(meek, bold, state, action):
    observation = state.observe(state.to_act)
    low, high = (
        Formula(Style(**style)).decide(observation).policy_by_kind()[action] for style in (meek, bold)
    )
    assert low < high


def test_a_slow_play_checks_and_raises():
    state = after_calls(4, "AhAd7c2s", {0: "AsAc"})
    trap = Formula(Style(deception=1))
    assert trap.decide(state.observe(0)).action.name == "check"
    for name in ("check", "bet"):
        state.apply(state.named(name))
    while state.to_act != 0:
        state.apply(state.named("call"))
    assert trap.decide(state.observe(0)).action.name == "raise"


def test_a_preflop_plan_lasts_the_whole_street():
    """A hand that limps by its plan does not raise at its next action, although fewer players are left."""
    state = hand(8, "call", holes={3: "Td9d"})
    agent = Formula(Style(mixing=150))
    for seed in range(40):
        agent.sit(3, state.variant, seed)
        first = agent.decide(state.observe(3))
        if first.action.name != "call":
            continue
        later = state.copy()
        for name in ("call", "fold", "fold", "fold", "fold", "raise", "fold", "fold"):
            later.apply(later.named(name))
        second = agent.decide(later.observe(3))
        strategies = [stage_of(each.trace, IncomeStage).strategy for each in (first, second)]
        assert strategies == ["MAKE1", "MAKE1"]
        assert second.action.name == "call"


def test_no_time_means_no_thought():
    state = after_calls(3, "Kh8d2c", {0: "Kc5s"})
    decision = Formula().decide(state.observe(0), time_limit=0.0)
    assert not decision.exact
    tiers = [(stage.tier, stage.done) for stage in decision.trace if isinstance(stage, TierStage)]
    assert tiers == [("cheapest", True), ("cards", False), ("model", False)]
    assert len(tiers) == len(decision.trace)


def timeless(stage):
    return replace(stage, seconds=0.0)


@pytest.mark.parametrize("kind", [Formula, partial(Simulation, playouts=100)])
def test_a_time_limit_that_is_never_reached_changes_nothing(kind):
    states = after_calls(3, "Kh8d2c", {0: "Kc5s"}), State(Variant.ring(4), deck=range(13))
    for state in states:
        observation, budgets = state.observe(state.to_act), (Budget(playouts=100), Budget(1e6, playouts=100))
        free, timed = (kind().decide(observation, budget=budget) for budget in budgets)
        assert (timed.action, timed.policy, timed.reason) == (free.action, free.policy, free.reason)
        assert timed.exact == free.exact
        parts = [stage for stage in timed.trace if not isinstance(stage, TierStage)]
        assert list(map(timeless, parts)) == list(map(timeless, free.trace))


def test_a_style_is_checked():
    with pytest.raises(ValueError, match="level 'wild': expected one of loose, moderate, tight"):
        Style(level="wild")
    with pytest.raises(ValueError, match=r"tightness 2: expected 0\.\.1"):
        Style(tightness=2)
    with pytest.raises(ValueError, match="mixing -1"):
        Style(mixing=-1)


def test_only_the_position_to_act_decides():
    state = hand(3, holes={2: "AhKh"})
    with pytest.raises(IllegalAction, match="BB cannot act: to act is BTN"):
        Formula().decide(state.observe(1))
    state.apply(state.named("call"))
    with pytest.raises(CardError, match="SB: expected two"):
        Formula().decide(state.observe(0))
