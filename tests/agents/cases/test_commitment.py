"""Plans at the table: a plan is kept to, unless a named condition fails."""

from dataclasses import replace
from itertools import pairwise

import pytest
from reference.players import system
from reference.spots import spots

import baycarp
from baycarp.agents.cases.commitment import CONDITIONS, SWAY, Intent, PlanStage
from baycarp.agents.cases.stages import CaseStage, ReuseStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.arena.hand import play_hand
from baycarp.arena.session import Table, play_session
from baycarp.cases import Proportional, retrieve
from baycarp.errors import ModelError
from baycarp.explain.replay import replay
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.strategies.spec import STREETS

RING = Variant.ring(4)

PLANNING = system(
    "baycarp2", opponents={"kind": "styles"}, strategy={"plans": "sum", "policy": Proportional()}
)


def play(spec, seed, hands=10, others=("jag", "formula", "rule")):
    return play_session(Table(RING, ("We", "A", "B", "C"), (spec, *others), seed), 0, hands)


class Watched:
    """An agent's decisions, kept."""

    def __init__(self, agent):
        self.agent, self.plays, self.decisions = agent, agent.plays, []

    def decide(self, observation, time_limit=None, budget=None):
        decision = self.agent.decide(observation, time_limit, budget)
        self.decisions.append((observation, decision))
        return decision

    def learn(self, event):
        self.agent.learn(event)


@pytest.fixture(scope="module")
def decisions():
    """What an agent with plans decided at a lively table."""
    agent = Watched(load(PLANNING))
    others = [load(spec) for spec in ("jag", "jag", "call")]
    for seat, each in enumerate([agent.agent, *others]):
        each.sit(seat, RING, 7 + seat)
    for hand in range(80):
        deck = deal(3, 0, hand, 13)
        play_hand(State(RING, deck=deck), [agent, *others], ("We", "A", "B", "C"), hand)
    return agent.decisions


def test_the_trace_replays_the_decision(decisions):
    assert [replay(decision.trace) for _, decision in decisions] == [each.action for _, each in decisions]
    assert any(plan_of(decision).kept for _, decision in decisions)


def plan_of(decision):
    """The plan's stage, without the time that it took."""
    return replace(stage_of(decision.trace, PlanStage), seconds=0.0)


def test_plans_are_made_and_followed(decisions):
    kept = 0
    for (before, first), (observation, second) in pairwise(decisions):
        same = (before.hand, before.street) == (observation.hand, observation.street)
        earlier, plan = plan_of(first), plan_of(second)
        if plan.kept:
            assert same
            assert (plan.plan, plan.step) == (earlier.plan, earlier.step + 1)
            assert second.policy[second.action] == 1
            kept += 1
        else:
            assert plan.step == 1
            assert bool(plan.abandoned) == bool(plan.condition)
        if plan.abandoned:
            assert same
            assert plan.abandoned == earlier.plan
            assert plan.condition in CONDITIONS
        elif same and not plan.kept:
            assert earlier.plan.count("-") == earlier.step - 1  # there was nothing more in it
        assert second.action.name == plan.plan.split("-")[plan.step - 1]
    assert kept >= 5
    plans = {plan_of(decision).plan for _, decision in decisions if plan_of(decision).kept}
    assert any(len(set(plan.split("-"))) > 1 for plan in plans)  # one that deceives


def test_the_first_step_is_chosen_as_without_plans():
    plain, planning = (
        load("baycarp2(learning=False)"),
        load(system("baycarp2", strategy={"plans": "sum"}, learning={"stores": False})),
    )
    for line in ("cc/:AhKd|/Qs7d2c", "cc/:QhKd|/Qs7d2c", "rc/:7h7c|/Qs7d2c", "cc/cc/:AhAd|/Qs7d2c/8c"):
        observation = baycarp.observe(f"MATCHSTATE:0:0:{line}", game="holdem.limit.2p.reverse_blinds")
        one, two = plain.decide(observation), planning.decide(observation)
        assert (one.action, one.policy) == (two.action, two.policy)


def test_a_first_step_that_is_not_legal_is_counted_as_its_neighbour():
    """Vote by vote as without plans, also where a retrieved case raised and now there is only the call."""
    plain, planning = (
        load("baycarp2(learning=False)"),
        load(system("baycarp2", strategy={"plans": "sum"}, learning={"stores": False})),
    )
    repaired = 0
    for state in spots(Variant.ring(2), 25, seed=2, boldness=0.8):
        observation = state.observe(state.to_act, ("We", "A"))
        if {action.name for action in observation.legal_actions()} != {"fold", "call"}:
            continue
        one, two = (
            stage_of(agent.decide(observation).trace, ReuseStage).memories[0] for agent in (plain, planning)
        )
        assert two.votes == one.votes
        casebase = plain.casebases[STREETS[observation.street]]
        found = retrieve(casebase, stage_of(plain.decide(observation).trace, CaseStage).values)
        repaired += sum(casebase.case(id)["solution"] == "raise" for id in found.ids.tolist())
        assert sum(two.votes.values()) == len(found)
    assert repaired


def test_asking_twice_changes_nothing():
    agent = load(PLANNING)
    observation = baycarp.observe("MATCHSTATE:0:0:cc/:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    one, two = agent.decide(observation), agent.decide(observation)
    assert (one.action, one.policy, plan_of(one)) == (two.action, two.policy, plan_of(two))


def test_every_condition_abandons():
    state = State(Variant.ring(3), None, deal(1, 0, 0, 11))
    for name in ("call", "call", "check"):
        state.apply(state.named(name))
    before = state.observe(state.to_act)
    state.apply(state.named("check"))
    state.apply(state.named("bet"))
    intent = Intent(before, ("check", "raise"), 1, 0.7)

    def legal_in(observation):
        return {action.name: action for action in observation.legal_actions()}

    once = state.copy()
    once.apply(once.named("call"))
    observed = once.observe(once.to_act)
    assert intent.is_for(observed)
    assert intent.fails(observed, legal_in(observed), 0.7) is None
    assert intent.fails(observed, legal_in(observed), 0.7 - 2 * SWAY) == "belief"
    assert intent.fails(observed, {"fold": None, "call": None}, 0.7) == "legal"
    state.apply(state.named("raise"))
    twice = state.observe(state.to_act)
    assert intent.fails(twice, legal_in(twice), 0.7) == "price"
    assert not Intent(before, ("check",), 1, 0.7).is_for(observed)
    assert not intent.is_for(before._replace(hand=1))


def test_a_session_repeats_and_differs_from_one_without():
    spec = PLANNING
    one, two = play(spec, 5), play(spec, 5)
    assert one.log == two.log
    assert play("baycarp2", 5).log == play(system("baycarp2"), 5).log


def test_own_hands_become_plans():
    agent = load(system("baycarp2", strategy={"plans": "sum"}))
    before = {name: len(casebase) for name, casebase in load_model(SHIPPED).casebases.items()}
    others = [load("call") for _ in range(3)]
    for seat, each in enumerate([agent, *others]):
        each.sit(seat, RING, seat)
    for hand in range(30):
        play_hand(State(RING, deck=deal(9, 0, hand, 13)), [agent, *others], ("We", "A", "B", "C"), hand)
    learned = {name: len(casebase) - before[name] for name, casebase in agent.casebases.items()}
    assert sum(learned.values()) >= 30
    for name, casebase in agent.casebases.items():
        plans = agent.reuse.commitment.plans[name]
        plans.follow(casebase)
        assert len(plans) == len(casebase)
        solutions = [plans.case(id)["solution"] for id in casebase.columns()["ids"][-5:].tolist()]
        assert [plan.split("-")[0] for plan in solutions] == [
            casebase.case(id)["solution"] for id in casebase.columns()["ids"][-5:].tolist()
        ]


@pytest.mark.parametrize("parts", [{"model": {"experts": [SHIPPED]}}, {"learning": {"explore": 0.1}}])
def test_plans_with_experts_or_exploration_are_refused(parts):
    with pytest.raises(ModelError, match="plans: expected no experts and no exploration"):
        load(system("baycarp2", strategy={"plans": "sum"}, **parts))
