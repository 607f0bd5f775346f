"""CASPER's cases against table 1 and the equations of its paper."""

import math

import numpy as np
import pytest
from reference.play import random_hand

from baycarp.cases import Case, CaseBase, retrieve
from baycarp.errors import SchemaError
from baycarp.game.action import STREETS
from baycarp.game.state import Observation
from baycarp.game.variant import Variant
from baycarp.strategies.casper import DECAY, WEIGHTS, schemas
from baycarp.strategies.readings import Readings

GAME = Variant.load("holdem.limit.9p.5bets")

TABLE_1 = {
    "number_of_players": (2, 10),
    "relative_position": (0, 1),
    "players_acted": (0, 9),
    "players_yet_to_act": (0, 9),
    "street_bets_committed": (0, 5),
    "street_bets_to_call": (0, 5),
    "call_pot_odds": (0, 0.5),
    "hand_rank": (1, 169),
    "random_hand_strength": (0, 1),
    "random_hand_ppot": (0, 0.40),
    "random_hand_npot": (0, 0.30),
    "pot_small_bets": (0, 300),
    "previous_street_bets": (0, 5),
}
"""The printed ranges; hand strength has its own pre-flop, in words."""

ABOUT = {"random_hand_ppot", "random_hand_npot"}
"""Ranges that are printed with a ~."""

ORIGIN = {"session": 0, "hand": 0, "player": 0, "board": (255,) * 5, "hole": (0, 1)}


def situations(hands, seed):
    """Decisions of random hands of CASPER's game, as (street, features) of the position to act."""
    rng, describe, made = np.random.default_rng(seed), Readings(), schemas()
    for _ in range(hands):
        _, decisions = random_hand(GAME, rng, boldness=rng.choice([0.5, 6]))
        for decision in decisions:
            observation = Observation(decision.state, decision.state.to_act)
            yield observation.street, describe(observation, {}, made[STREETS[observation.street]])


@pytest.fixture(scope="module")
def sample():
    return list(situations(120, seed=1))


def test_every_street_has_the_features_of_table_1():
    """Eight everywhere, four more after the flop, but no potential on the river."""
    names = {name: [feature.name for feature in schema.features] for name, schema in schemas().items()}
    assert {name: len(features) for name, features in names.items()} == {
        "preflop": 8,
        "flop": 12,
        "turn": 12,
        "river": 10,
    }
    after = set(names["flop"])
    assert after - set(names["preflop"]) == {"random_hand_strength", *list(TABLE_1)[-4:]}
    assert after - set(names["river"]) == ABOUT
    assert {feature for features in names.values() for feature in features} == set(TABLE_1)


def test_values_of_its_game_are_in_the_printed_ranges(sample):
    """Five bets a street, in bets of the street: the ranges are reached and not exceeded."""
    most = dict.fromkeys(TABLE_1, -math.inf)
    for street, values in sample:
        assert set(values) == {feature.name for feature in schemas()[STREETS[street]].features}
        for name, value in values.items():
            low, high = TABLE_1[name]
            assert low <= value <= high or name in ABOUT
            most[name] = max(most[name], value)
    for name in ("street_bets_committed", "street_bets_to_call", "previous_street_bets"):
        assert 4 <= most[name] <= 5


def similarity(query, case, weights, scaled):
    """Equations 1 to 3: 1 - d / MAX_DIFF, or exp(-k d) with or without MAX_DIFF, and their weighted mean."""
    total = 0.0
    for name, weight in weights.items():
        difference = abs(query[name] - case[name])
        largest = TABLE_1[name][1] - TABLE_1[name][0]
        if name in DECAY:
            local = math.exp(-DECAY[name] * difference / (largest if scaled else 1))
        else:
            local = max(0, 1 - difference / largest)
        total += weight * local
    return total / sum(weights.values())


@pytest.mark.parametrize("street", range(4))
@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_retrieval_follows_the_equations(sample, weights, scaled, street):
    schema = schemas(weights, scaled)[STREETS[street]]
    features = [values for where, values in sample if where == street][:120]
    casebase = CaseBase(schema)
    for values in features[1:]:
        casebase.append(Case(schema.situation(values), "call", provenance=ORIGIN))
    chosen = {name: by_street[street] for name, by_street in WEIGHTS[weights].items() if by_street[street]}
    expected = [similarity(features[0], values, chosen, scaled) for values in features[1:]]
    found = retrieve(casebase, features[0], at_least=0)
    assert found.similarities == pytest.approx([expected[id] for id in found.ids], abs=1e-5)
    assert len(found) == len(expected)
    found = retrieve(casebase, features[0])
    near = sum(value >= 0.97 for value in expected)
    assert (len(found), found.fell_back) == ((near, False) if near else (20, True))


def test_one_bet_more_to_call_is_similar_enough_only_where_it_is_scaled(sample):
    values = next(values for street, values in sample if street == 0)
    dearer = {**values, "street_bets_to_call": values["street_bets_to_call"] + 1}
    for scaled in (True, False):
        schema = schemas(scaled=scaled)["preflop"]
        casebase = CaseBase(schema)
        casebase.append(Case(schema.situation(dearer), "call", provenance=ORIGIN))
        assert retrieve(casebase, values).fell_back is not scaled


def test_weights_are_five_but_for_strength_and_potential():
    plain = [
        weight
        for name, weights in WEIGHTS["hand-picked"].items()
        for weight in weights
        if name not in ("hand_rank", "random_hand_strength", *ABOUT)
    ]
    assert set(plain) == {0, 5}
    assert {weight for weights in WEIGHTS["hand-picked"].values() for weight in weights} == {0, 5, 50, 80}


def test_other_weights_are_refused():
    with pytest.raises(SchemaError, match="weights 'best': expected one of hand-picked, evolved"):
        schemas("best")
