"""Systems of experiments: Sartre with cases that weigh little beside its own."""

import numpy as np
import pytest

from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.registry import load
from baycarp.cases import retrieve
from baycarp.game import Acted, HandOver, State, Variant
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.model import shipped_model
from baycarp.strategies.sartre import GAME, SARTRE2011
from experiments.systems import (
    CASPER02_SCALED,
    CASPER_500,
    GENERALISED,
    RETAINS,
    SARTRE_K4,
    generalised,
    lighter,
)

VARIANT = Variant.load(GAME)


def test_lighter_cases_keep_the_mean_outcomes_and_count_less():
    base = shipped_model(SARTRE2011).casebases["flop"]
    one, other = base.columns(), lighter(base, 2).columns()
    tried = one["counts"] > 0
    assert ((other["counts"] > 0) == tried).all()
    assert (other["counts"].sum(axis=0) <= 2 + 2).all()
    few = one["counts"].sum(axis=0) <= 2
    assert few.any()
    assert not few.all()
    assert (other["counts"][:, few] == one["counts"][:, few]).all()
    means = [(each["sums"] / np.maximum(each["counts"], 1))[tried] for each in (one, other)]
    assert means[0] == pytest.approx(means[1])


def test_all_cases_of_a_similarity_are_reused_and_experience_is_added():
    agent = load(RETAINS)
    assert not offers_classes(agent)
    before = sum(int(base.columns()["counts"].sum()) for base in agent.casebases.values())
    draw, own, several = np.random.default_rng(7), 0, 0
    for hand in range(4):
        state = State(VARIANT, None, draw.permutation(52)[:9].astype(np.uint8))
        while not state.is_over:
            seen = state.observe(state.to_act, hand=hand)
            base = agent.casebases[SARTRE2011.key(seen)]
            point = agent.describe(seen, agent.full, {})
            found = retrieve(base, point.situation)
            scored = retrieve(base, point.situation, at_least=0.0, at_most=len(base))
            similar = scored.ids[scored.similarities >= 0.97]
            assert sorted(found.ids) == sorted(similar if len(similar) else scored.ids[:1])
            several += len(found) > 3
            if seen.seat == 0:
                agent.decide(seen)
                own += 1
            act = state.apply(state.named("call" if state.owed else "check"))
            agent.learn(Acted(seen, act))
        agent.learn(HandOver(state.observe(0, hand=hand), tuple(state.payoffs())))
    assert several > 5
    after = sum(int(base.columns()["counts"].sum()) for base in agent.casebases.values())
    assert after == before + own > before


def test_cases_under_other_measures_are_the_same_cases():
    for system, name, feature in (
        (SARTRE_K4, "sartre", "strength"),
        (CASPER02_SCALED, "casper02", "hand_rank"),
    ):
        own, shipped = load(system), load(name)
        street = "flop" if feature == "strength" else "preflop"
        one, other = (agent.casebases[street] for agent in (own, shipped))
        assert len(one) == len(other)
        schemas = {
            base: {each.name: each.similarity for each in base.schema.features} for base in (one, other)
        }
        assert schemas[one][feature] != schemas[other][feature]
    assert 0 < len(load(CASPER_500).casebases["preflop"]) < len(load("casper01").casebases["preflop"])


def test_generalised_cases_count_every_solution_and_outcome_of_fewer_situations():
    base = shipped_model(BAYCARP2).casebases["river"]
    one, coarse, fine = base.columns(), generalised(base, 5), generalised(base, 10**6)
    votes = np.bincount(one["solutions"], minlength=len(base.schema.solutions))
    brought = np.bincount(one["solutions"], one["outcomes"], minlength=len(votes))
    for made in (coarse, fine):
        held = made.columns()
        assert (held["counts"].sum(axis=1) == votes).all()
        assert held["sums"].sum(axis=1) == pytest.approx(brought)
    assert len(coarse) < 0.7 * len(base) < 0.99 * len(base) < len(fine) <= len(base)


def test_generalised_cases_are_played_with():
    agent = load(GENERALISED)
    shipped = shipped_model(BAYCARP2).casebases
    assert all(len(base) < len(shipped[name]) for name, base in agent.casebases.items())
    state = State(Variant.ring(8), None, np.random.default_rng(3).permutation(52)[:21].astype(np.uint8))
    assert agent.decide(state.observe(state.to_act)).action in state.legal_actions()
