"""A strategy as a value: the actions of its solutions, beside the rule written out."""

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.spots import spots

from baycarp.cases import BestOutcome, Majority
from baycarp.errors import ModelError, SchemaError
from baycarp.game.action import ACTIONS, Action
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import SHIPPED, load_styles
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import GroupsTo, TopGroups
from baycarp.strategies.baycarp import BAYCARP1, BAYCARP2, SCHEMAS, WITHOUT_NETWORK, believing
from baycarp.strategies.kinds import NEIGHBOURS
from baycarp.strategies.registry import STRATEGIES, strategy
from baycarp.strategies.spec import STREETS
from baycarp.strategies.weights import Weights

WRITTEN_OUT = {
    "fold": ["fold", "check"],
    "check": ["check", "call"],
    "call": ["call", "check"],
    "bet": ["bet", "raise", "call", "check"],
    "raise": ["raise", "bet", "call", "check"],
}
"""In which order each retrieved solution is tried: itself, then its neighbours."""

NO_LIMIT = Variant.ring(3, betting="no-limit", stacks=(40, 25, 9))


def slow_choices(observation):
    """The first legal kind in order, and of its sizes the smallest, from the list of legal actions alone."""
    legal = observation.legal_actions()
    kinds = {action.name for action in legal}
    counted = {name: next(kind for kind in order if kind in kinds) for name, order in WRITTEN_OUT.items()}
    smallest = {
        name: min((action for action in legal if action.name == name), key=lambda action: action.amount)
        for name in ACTIONS
        if name in kinds
    }
    return smallest, counted


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([*(Variant.ring(seats) for seats in (2, 3, 6)), NO_LIMIT]),
)
def test_choices_are_those_of_the_rule_written_out(seed, variant):
    for state in spots(variant, 3, seed, boldness=0.8):
        observation = state.observe(state.to_act)
        choices = BAYCARP2.choices(observation, SCHEMAS[state.street])
        legal, counted = slow_choices(observation)
        assert dict(choices.legal) == legal
        assert list(choices.legal) == [name for name in ACTIONS if name in legal]  # cheapest first
        assert dict(choices.counted) == counted


def test_every_set_of_legal_kinds_occurs():
    """The test before needs every set."""
    met = Counter()
    for variant in (Variant.ring(2), Variant.ring(4), NO_LIMIT):
        for state in spots(variant, 60, seed=1, boldness=0.8):
            met[frozenset(action.name for action in state.legal_actions())] += 1
    assert {frozenset(kinds.split()) for kinds in (
        "fold call raise", "fold call", "check bet", "check raise"
    )} <= set(met)  # fmt: skip


def test_the_table_of_neighbours_is_the_rule_written_out():
    assert {name: [name, *others] for name, others in NEIGHBOURS.items()} == WRITTEN_OUT


def test_a_solution_that_is_no_action_is_counted_as_none():
    """A strategy may leave solutions out: their cases are counted for nothing."""
    bold = replace(
        BAYCARP2,
        action=lambda solution, observation: (
            None if solution == "fold" else BAYCARP2.action(solution, observation)
        ),
    )
    state = State(Variant.ring(3))
    choices = bold.choices(state.observe(2), SCHEMAS[0])
    assert set(choices.counted) == {"check", "call", "bet", "raise"}
    assert dict(choices.legal) == {"call": Action("call", 2), "raise": Action("raise", 4)}


def test_a_solution_is_named_by_the_strategy():
    """Solutions need not be kinds of actions: counted and legal ones have the strategy's own names."""
    named = replace(
        BAYCARP2,
        bases={"any": replace(SCHEMAS[0], name="any", solutions=("passive", "aggressive"))},
        key=lambda observation: "any",
        action=lambda solution, observation: observation.state.named(
            {"passive": "call", "aggressive": "raise"}[solution]
        ),
        solution=lambda action, observation: "aggressive" if action.name == "raise" else "passive",
    )
    observation = State(Variant.ring(3)).observe(2)
    choices = named.choices(observation, named.bases[named.key(observation)])
    assert dict(choices.legal) == {"passive": Action("call", 2), "aggressive": Action("raise", 4)}
    assert dict(choices.counted) == {"passive": "passive", "aggressive": "aggressive"}


# A value


def test_a_strategy_is_a_value():
    assert replace(BAYCARP2) == BAYCARP2 != BAYCARP1
    assert pickle.loads(pickle.dumps(BAYCARP2)) == BAYCARP2  # between our own processes
    with pytest.raises(FrozenInstanceError):
        BAYCARP2.name = "other"


def test_the_strategies_of_unger_differ_in_the_policy_alone():
    assert (BAYCARP1.policy, BAYCARP2.policy) == (BestOutcome(), Majority())
    assert replace(BAYCARP1, policy=Majority()) == BAYCARP2
    assert BAYCARP2.schemas == SCHEMAS
    assert tuple(BAYCARP2.bases) == STREETS
    assert BAYCARP2.opponents == ByNetwork(TopGroups(4))


def test_which_strategies_need_a_network():
    assert BAYCARP2.needs_network
    assert not WITHOUT_NETWORK.needs_network
    assert not replace(BAYCARP2, opponents=None, fast=None).needs_network
    styles = ByActions(load_styles(SHIPPED))
    assert believing(BAYCARP2, styles).needs_network  # of the fast tier
    assert not replace(believing(BAYCARP2, styles), fast=None).needs_network


def test_believing_changes_the_opponent_model_alone():
    narrow, styles = ByNetwork(GroupsTo(0.5)), ByActions(load_styles(SHIPPED))
    by_network, by_actions = believing(BAYCARP2, narrow), believing(BAYCARP2, styles)
    assert (by_network.opponents, by_network.fast.opponents) == (narrow, narrow)
    assert by_network.fast.streets == {1}  # elsewhere the fast tier is the full one
    assert (by_actions.opponents, by_actions.fast.opponents) == (styles, ByNetwork(TopGroups(4)))
    assert by_actions.fast.streets == {0, 1, 2, 3}
    assert believing(believing(BAYCARP2, styles), BAYCARP2.opponents) == BAYCARP2


def test_strategies_by_name():
    assert all(strategy(name).name == name for name in STRATEGIES)
    assert strategy("baycarp") == BAYCARP2
    with pytest.raises(
        ModelError, match=r"strategy 'luck': expected one of baycarp, baycarp-by-seats, baycarp-w"
    ):
        strategy("luck")


def test_features_that_are_readings_have_the_bounds_of_the_readings():
    flop = STRATEGIES["baycarp"].bases["flop"]
    limits = {feature.name: feature.limits for feature in flop.numbers}
    assert limits["number_of_players"] == (2, 10)
    assert limits["hand_strength"] == limits["positive_potential"] == limits["pot_odds"] == (0, 1)
    assert limits["bets_to_call"] == (0, 1e15)
    for each in STRATEGIES.values():
        for schema in each.bases.values():
            assert all(feature.bounds for feature in schema.numbers)
            if schema.numbers:
                with pytest.raises(SchemaError, match=schema.numbers[0].name):
                    schema.bounded(np.full((len(schema.numbers), 1), 1e16))


def test_other_weights_leave_the_bounds():
    schema = STRATEGIES["baycarp"].bases["flop"]
    entries = Weights.of([schema], {"source": "a test"}).streets
    entries["flop"]["features"]["number_of_players"]["max"] = 1e-3
    assert Weights(entries, {}).schema(schema).numbers[0].limits == (2, 10)
