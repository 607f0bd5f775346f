"""CASPER and CASEY as players: their draws, their learning, their traces."""

import json
from collections import Counter

import numpy as np
import pytest
from reference.play import random_hand

import baycarp
from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.cases.stages import RetrievalStage, ReuseStage
from baycarp.agents.trace import stage_of
from baycarp.agents.trace_json import read_trace
from baycarp.arena.hand import play_hand
from baycarp.arena.session import Table, play_session
from baycarp.explain.replay import replay
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant
from baycarp.strategies.casey import ADEQUATE
from baycarp.strategies.model import SHIPPED

GAME = Variant.load("holdem.limit.9p.5bets")


def observations(hands, seed, variant=GAME):
    rng = np.random.default_rng(seed)
    for hand in range(hands):
        for decision in random_hand(variant, rng)[1]:
            yield Observation(decision.state, decision.state.to_act, (), hand)


def test_the_action_is_drawn_by_the_share_of_the_cases():
    observation = next(
        o for o in observations(40, 1) if max(baycarp.load("casper02").decide(o).policy.values()) < 0.8
    )
    agent, drawn, draws = baycarp.load("casper02"), Counter(), 400
    for seed in range(draws):
        agent.sit(0, GAME, seed)
        decision = agent.decide(observation)
        drawn[decision.action] += 1
    reuse = stage_of(decision.trace, ReuseStage)
    votes = reuse.memories[0].votes
    for name, action in reuse.legal.items():
        share = votes[name] / sum(votes.values())
        assert decision.policy[action] == pytest.approx(share)
        error = (share * (1 - share) / draws) ** 0.5
        assert drawn[action] / draws == pytest.approx(share, abs=4 * error + 1e-9)


@pytest.mark.parametrize("name", ["casper01", "casper02", "casey"])
def test_the_trace_alone_gives_the_action_again_through_json(name):
    agent, streets = baycarp.load(name), set()
    agent.sit(0, GAME, 7)
    for observation in observations(12, 2):
        decision = agent.decide(observation)
        assert decision.action in observation.legal_actions()
        record = json.loads(json.dumps(decision.to_dict()))
        assert replay(record["trace"]) == decision.action
        assert read_trace(record["trace"]) == decision.trace
        streets.add(observation.street)
    assert streets == {0, 1, 2, 3}


def test_casper01_has_the_first_of_the_cases_of_casper02_and_neither_learns():
    few, many = baycarp.load("casper01"), baycarp.load("casper02")
    for name, casebase in few.casebases.items():
        columns, more = casebase.columns(), many.casebases[name].columns()
        size = len(casebase)
        assert 0.4 < size / len(many.casebases[name]) < 0.7  # 7,000 of 13,000 hands
        assert columns["provenance"]["hand"].max() < 7000 <= more["provenance"]["hand"].max() < 13000
        assert (columns["numbers"] == more["numbers"][:, :size]).all()
    sizes = {name: len(casebase) for name, casebase in many.casebases.items()}
    table = Table(Variant.ring(2), ("Ann", "Casper"), ("rule", "casper02"), seed=3)
    assert play_session(table, 0, 5).tallies[1].asked[0] > 0
    assert {name: len(casebase) for name, casebase in many.casebases.items()} == sizes


def test_casper_believes_nothing_and_its_fall_back_is_the_twenty_nearest():
    agent, fell_back = baycarp.load("casper01"), 0
    for observation in observations(60, 4):
        decision = agent.decide(observation)
        found = stage_of(decision.trace, RetrievalStage)
        fell_back += found.fell_back
        assert not found.fell_back or found.cases == 20
        assert found.fell_back or min(case.similarity for case in found.nearest) >= 0.97
    assert fell_back


def test_other_weights_compare_otherwise_and_other_policies_choose():
    observation = next(o for o in observations(5, 5) if o.street == 1)
    plain, evolved = (baycarp.load(f"casper02{more}") for more in ("", "(weights='evolved')"))
    assert plain.casebases["flop"].schema != evolved.casebases["flop"].schema
    first, second = (stage_of(a.decide(observation).trace, RetrievalStage) for a in (plain, evolved))
    assert [case.similarity for case in first.nearest] != [case.similarity for case in second.nearest]
    decision = baycarp.load("casper02(policy='majority')").decide(observation)
    assert sorted(decision.policy.values())[-1] == 1


def casey_in_the_middle_of(cases):
    """A seated CASEY whose post-flop base has so many cases of its turn: hands that checked, then raised."""
    from baycarp.cases import Case
    from baycarp.strategies.episode import decision_point, provenance

    agent = baycarp.load("casey")
    agent.sit(0, Variant.ring(2), 1)
    observation = next(
        o
        for o in observations(60, 8, Variant.ring(2))
        if o.street == 1 and o.state.owed == 0 and not any(act.street == 1 for act in o.acts)
    )
    point = decision_point(agent.strategy, observation, {})
    for number in range(cases):
        origin = provenance(observation._replace(hand=1000 + number // 2))
        case = Case(point.situation, ("check", "raise")[number % 2], 5.0, origin)
        agent.casebases["postflop"].append(case)
    return agent, observation


@pytest.mark.parametrize("cases", [0, 40, ADEQUATE - 2])
def test_casey_acts_at_random_until_a_base_has_enough_cases_however_similar_they_are(cases):
    agent, observation = casey_in_the_middle_of(cases)
    decision = agent.decide(observation)
    assert set(decision.policy.values()) == {1 / len(observation.legal_actions())}
    assert decision.reason.startswith(f"{cases} of {ADEQUATE} cases")
    assert PlanStage not in map(type, decision.trace)


def test_casey_keeps_to_a_plan_whose_first_step_it_took():
    """All hands in the memory checked, and raised next."""
    agent, observation = casey_in_the_middle_of(ADEQUATE)
    plan = stage_of(agent.decide(observation).trace, PlanStage)
    assert (plan.plan, plan.step, plan.kept) == ("check-raise", 1, False)


def test_casey_keeps_what_each_street_brought_beside_the_net_of_the_hand():
    """The four sum to the payoff of the hand, and a street without a bet brings nothing."""
    game, agents = Variant.ring(2), (baycarp.load("casey"), baycarp.load("call"))
    agent, rng, payoffs = agents[0], np.random.default_rng(1), {}
    for seat, each in enumerate(agents):
        each.sit(seat, game, 1)
    for number in range(40):
        dealt = State(game, deck=rng.choice(52, 9, replace=False).tolist())
        payoffs[number] = play_hand(dealt, agents, ("Casey", "Ann"), number).payoffs()[0] / game.small_bet
    kept = [casebase.case(id) for casebase in agent.casebases.values() for id in range(len(casebase))]
    assert len(kept) > 40
    for case in kept:
        results = case["provenance"]["street_results"]
        assert sum(results) == pytest.approx(100 * payoffs[case["provenance"]["hand"]])
    assert any(results[3] == 0 != results[0] for results in (c["provenance"]["street_results"] for c in kept))


def test_casper_and_casey_ship_within_their_bytes():
    files = list((SHIPPED.parent / "casper").glob("*"))
    assert 0 < sum(path.stat().st_size for path in files) < 4_000_000
