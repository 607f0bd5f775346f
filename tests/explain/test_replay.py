"""Replay: the trace alone has the action, and cites the deciding cases."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference.players import case_player
from reference.spots import spots

from baycarp.agents.cases.case_player import FULL
from baycarp.agents.cases.citation import cite
from baycarp.agents.cases.stages import CaseStage, RetrievalStage, ReuseStage
from baycarp.agents.network import NetworkAlone
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.cases import POLICIES, BestOutcome, CaseBase, Majority, retrieve, tally
from baycarp.errors import ModelError
from baycarp.explain.replay import replay
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS
from baycarp.strategies.kinds import NEIGHBOURS
from baycarp.strategies.model import load_model


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


def thinner(model, keep):
    """The model with a part of its cases: fall-backs are common, and its decisions are often different."""
    fewer = {}
    for name, casebase in model.casebases.items():
        columns = {key: np.ascontiguousarray(c[..., ::keep]) for key, c in casebase.columns().items()}
        fewer[name] = CaseBase(casebase.schema)
        fewer[name].extend_columns(columns)
    return replace(model, casebases=fewer)


def views(seats, hands, seed):
    for number, state in enumerate(spots(Variant.ring(seats), hands, seed)):
        yield state.observe(state.to_act, tuple(f"p{seat}" for seat in range(seats)), number)


def replays(agent, observation, **budget):
    """Decide; the trace has the same action, directly and from JSON."""
    decision = agent.decide(observation, **budget)
    assert replay(decision.trace) == decision.action
    assert replay(json.loads(json.dumps(decision.to_dict()))["trace"]) == decision.action
    return decision


def stage(decision, kind):
    return stage_of(decision.trace, kind)


def untimed(decision):
    """The record of a trace without times."""
    return [{**each, "seconds": None} for each in decision.to_dict()["trace"]]


def test_a_trace_does_not_change_after_the_decision(model):
    read, unread = case_player(model, Majority()), case_player(model, Majority())
    for observation in views(4, 4, seed=3):
        now, later = read.decide(observation), unread.decide(observation)
        assert stage(now, ReuseStage).cited
        assert stage(now, RetrievalStage).nearest
        record = untimed(now)
        name = SCHEMAS[observation.street].name
        casebase = unread.casebases[name]
        kept = {key: np.ascontiguousarray(c[..., 1::2]) for key, c in casebase.columns().items()}
        again = casebase.columns() | {"ids": casebase.columns()["ids"] + len(casebase)}
        casebase.extend_columns(again)  # every case once more, as near as the first
        unread.casebases[name] = CaseBase(casebase.schema)
        unread.casebases[name].extend_columns(kept)  # and then half of them are forgotten
        assert untimed(later) == record
        unread.casebases[name] = read.casebases[name].fork()


@pytest.mark.parametrize("policy", POLICIES)
def test_the_trace_replays_the_action(model, policy):
    met = Counter()
    for known, experts in ((model, ()), (thinner(model, 40), ()), (model, (thinner(model, 3),))):
        agent = case_player(known, POLICIES[policy], experts=experts, learning=False)
        agent.sit(0, Variant.ring(4), 17)
        for observation in views(4, 8, seed=1):
            decision = replays(agent, observation)
            assert (stage(decision, ReuseStage).draw is not None) == (max(decision.policy.values()) < 1)
            other = decision.action != max(decision.policy, key=decision.policy.get)
            met[stage(decision, RetrievalStage).fell_back, bool(experts), other] += 1
    assert {(fell, more) for fell, more, _ in met} >= {(False, False), (True, False), (False, True)}
    drawn = any(other and not more for _, more, other in met)
    assert drawn == (policy == "proportional")  # a mixed strategy does now and then what it does seldom


@pytest.mark.parametrize("limit", [0, 1.0])
def test_the_lower_tiers_are_replayed_too(model, limit):
    agent, answered = case_player(model, Majority()), Counter()
    for street in range(4):
        for _ in range(2):
            agent._anytime.record(FULL, street, 1e6)
    for observation in views(3, 12, seed=2):
        decision = replays(agent, observation, time_limit=limit)
        assert not decision.exact
        answered[stage(decision, ReuseStage) is not None] += 1
    assert answered[False]
    assert bool(answered[True]) == bool(limit)


def test_the_network_alone_is_replayed(model):
    for threshold in (0.3, 0.8):
        agent, met = NetworkAlone(BAYCARP2, model, threshold=threshold), set()
        for observation in views(4, 20, seed=3):
            met.add((observation.street > 0, replays(agent, observation).action.name))
        assert {name for late, name in met if late} >= {"bet", "check", "fold", "call"}


def test_a_changed_trace_replays_another_action(model):
    decision = case_player(model, Majority()).decide(next(views(4, 1, seed=1)))
    trace, votes = decision.to_dict()["trace"], dict.fromkeys(decision.policy_by_kind(), 0)
    other = next(name for name in votes if name != decision.action.name)
    (own,) = next(stage for stage in trace if stage["stage"] == "reuse")["memories"]
    own["votes"] = votes | {other: 1}
    assert replay(trace).name == other


def test_traces_that_cannot_be_replayed_are_refused(model):
    with pytest.raises(ModelError, match="expected one of a case player"):
        replay(load("karma").decide(next(views(3, 1, seed=1))).trace)
    decision = case_player(model, Majority()).decide(next(views(3, 1, seed=1)))
    changed = [
        replace(each, policy="Mine()") if isinstance(each, ReuseStage) else each for each in decision.trace
    ]
    with pytest.raises(ModelError, match=r"policy Mine\(\): expected one of"):
        replay(changed)


@pytest.mark.parametrize("policy", [Majority(), BestOutcome()], ids=repr)
def test_the_five_cited_cases_are_those_of_a_plain_search(model, policy):
    agent, casebases = case_player(model, policy), model.casebases
    for observation in views(4, 10, seed=4):
        decision = agent.decide(observation)
        casebase = casebases[SCHEMAS[observation.street].name]
        found = retrieve(casebase, stage(decision, CaseStage).values)
        legal = [action.name for action in observation.legal_actions()]
        repair = {
            name: next(each for each in (name, *others) if each in legal)
            for name, others in NEIGHBOURS.items()
        }
        sums = tally(found, casebase, legal, repair)
        worth = {n: (v, sums.similarities[n]) for n, v in policy.worth(sums).items()}
        best = decision.action.name
        second = max((name for name in worth if name != best), key=worth.get, default=None)
        speaks = []
        for place, id in enumerate(found.ids.tolist()):
            case = casebase.case(id)
            name = repair[case["solution"]]
            part = 1.0 if policy == Majority() else case["outcome"]
            speaks.append((-part if name == best else part if name == second else 0.0, place, id))
        expected = [id for part, _, id in sorted(speaks)[:5] if part < 0]
        cited = stage(decision, ReuseStage).cited
        assert [each.case for each in cited] == expected
        assert found.ids[cite(policy, found, casebase, sums, best, repair)].tolist() == expected
        for each in cited:
            case = casebase.case(each.case)
            assert (each.solution, each.outcome) == (case["solution"], case["outcome"])
            assert each.similarity == found.similarities[found.ids.tolist().index(each.case)]
