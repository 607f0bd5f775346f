"""Couplings that hold another: an architecture at the end of its range is the one that it comes from."""

from dataclasses import replace

import numpy as np
import pytest
from reference.spots import spots

from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.couplings.adapted import Adapted
from baycarp.agents.couplings.architectures import ARCHITECTURES, coupled
from baycarp.agents.couplings.deciding import DiscretisedStage, NetworkDecides
from baycarp.agents.couplings.filtered import Filtered, SwitchStage
from baycarp.agents.couplings.parallel import BINS, Calibration, Parallel, ParallelStage, Sides
from baycarp.agents.couplings.planned import Planned
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.arena.session import Table, play_session
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.strategies.model import load_model

RING = Variant.ring(4)
NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture(scope="module")
def observations():
    """Before the decisions of random hands, on every street."""
    states = [state for state in spots(RING, 60, seed=8) if state.to_act is not None]
    return [state.observe(state.to_act, NAMES, hand) for hand, state in enumerate(states[::3])]


@pytest.fixture(scope="module")
def read(coupled_models):
    return {name: load_model(coupled_models / name) for name in ("none", "network")}


def answers(agent, observations):
    """The policies of an agent, bit for bit, and its decisions."""
    agent.sit(0, RING, seed=3)
    decisions = [agent.decide(observation) for observation in observations]
    return [(str(each.action), each.policy) for each in decisions], decisions


def of(model, architecture, **changed):
    return Coupled(replace(model.strategy, **changed), model, architecture)


def test_the_shipped_features_are_baycarp2(observations):
    """BN-CBR-2 with features is no new agent."""
    ours, _ = answers(load("coupled()"), observations)
    thesis = load("baycarp2(published=True, learning=False)")
    assert ours == answers(thesis, observations)[0]


def test_a_filter_that_leaves_all_on_is_the_cases_alone(read, observations):
    off, decisions = answers(of(read["none"], Filtered(read["network"], mass=1.0)), observations)
    alone, _ = answers(of(read["none"], Features()), observations)
    assert off == alone
    assert all(stage.on == stage.stored for each in decisions if (stage := stage_of(each.trace, SwitchStage)))


def test_a_filter_bites_after_the_flop_alone(read, observations):
    _, decisions = answers(of(read["none"], Filtered(read["network"], mass=0.3)), observations)
    shares = {True: [], False: []}  # by whether there is a board
    for observation, decision in zip(observations, decisions, strict=True):
        stage = stage_of(decision.trace, SwitchStage)
        shares[bool(observation.board)].append(stage.on / stage.stored)
    assert set(shares[False]) == {1}
    assert np.mean(shares[True]) < 0.6


def test_action_first_without_plans_is_the_network_alone(read, observations):
    """With atomic actions nothing is left to the cases."""
    atomic, _ = answers(of(read["network"], Planned()), observations)
    alone, _ = answers(of(read["network"], NetworkDecides()), observations)
    assert atomic == alone


def test_action_first_begins_with_the_networks_action_and_plans_beyond(read, observations):
    planned, decisions = answers(of(read["network"], Planned(), plans="sum"), observations)
    alone, _ = answers(of(read["network"], NetworkDecides()), observations)
    stages = [stage_of(each.trace, PlanStage) for each in decisions]
    firsts = [place for place, stage in enumerate(stages) if not stage.kept]
    assert [planned[place] for place in firsts] == [alone[place] for place in firsts]
    assert any("-" in stage.plan for stage in stages)


def test_a_network_of_all_retrieved_cases_is_the_network_of_all(read, observations):
    every, decisions = answers(of(read["network"], Adapted(nearest=None)), observations)
    alone, others = answers(of(read["network"], NetworkDecides()), observations)
    assert every == alone
    chances = [
        [stage_of(each.trace, DiscretisedStage).chances for each in found] for found in (decisions, others)
    ]
    assert chances[0] == chances[1]


def test_a_network_of_few_cases_is_another(read, observations):
    few, decisions = answers(of(read["network"], Adapted(nearest=20)), observations)
    assert few != answers(of(read["network"], NetworkDecides()), observations)[0]
    assert {stage_of(each.trace, DiscretisedStage).rows for each in decisions} == {20}


@pytest.mark.parametrize(("mute", "alone"), [(0, NetworkDecides), (1, Features)])
def test_with_one_side_mute_the_other_acts(read, observations, mute, alone):
    loud, quiet = Calibration(np.ones(BINS)), Calibration(np.zeros(BINS))
    sides = Sides(quiet, loud) if mute == 0 else Sides(loud, quiet)
    ours, _ = answers(of(read["network"], Parallel(lambda base: sides)), observations)
    assert ours == answers(of(read["network"], alone()), observations)[0]


def test_the_more_certain_side_acts(read, observations):
    ours, decisions = answers(of(read["network"], Parallel()), observations)
    sides = [answers(of(read["network"], each), observations)[0] for each in (Features(), NetworkDecides())]
    acting = []
    for place, decision in enumerate(decisions):
        stage = stage_of(decision.trace, ParallelStage)
        acting.append(int(stage.network_right > stage.cases_right))
        assert ours[place] == sides[acting[-1]][place]
    assert set(acting) == {0, 1}


def test_every_architecture_plays_its_own_way(coupled_models, observations):
    found = {
        name: answers(
            load(f"coupled(architecture={name!r}, model={str(coupled_models)!r})"), observations[::2]
        )[0]
        for name in ARCHITECTURES
    }
    assert found.pop("features") == found["network-cases"]
    for name in ("retrieved network", "plans"):  # no opponent has been met yet, and no plan begun
        assert found.pop(name) == found["network-network"]
    actions = {name: tuple(action for action, _ in each) for name, each in found.items()}
    assert len(set(actions.values())) == len(actions)


def test_arms_have_the_same_cases(read):
    for base in ("preflop", "flop", "turn", "river"):
        one, other = (read[name].casebases[base].columns() for name in ("none", "network"))
        assert np.array_equal(one["solutions"], other["solutions"])
        assert np.array_equal(one["provenance"], other["provenance"])


def test_an_arm_plays_a_session_twice_alike(coupled_models):
    spec = f"coupled(architecture='retrieved network', model={str(coupled_models)!r})"
    table = Table(RING, NAMES, (spec, "jag", "rule", "random"), seed=4)
    assert np.array_equal(play_session(table, 0, 20).net, play_session(table, 0, 20).net)


@pytest.mark.parametrize("name", ["none-cases", "cases-network", "filter", "local tables"])
def test_what_the_shipped_model_lacks_is_named(name):
    with pytest.raises(ModelError, match=r"expected model=\.\.\., a folder with the models of all readers"):
        coupled(name)


def test_an_unknown_architecture_is_named():
    with pytest.raises(ModelError, match="architecture 'filtre'"):
        coupled("filtre")
