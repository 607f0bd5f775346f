"""CASEY's cases: two case-bases, and no case of another street near enough."""

import numpy as np
from reference.play import random_hand

from baycarp.cases import Case, CaseBase, retrieve
from baycarp.game.state import Observation
from baycarp.game.variant import Variant
from baycarp.strategies.casey import FALLBACK, SCHEMAS, case_base
from baycarp.strategies.readings import Readings

ORIGIN = {
    "session": 0,
    "hand": 0,
    "player": 0,
    "board": (255,) * 5,
    "hole": (0, 1),
    "street_results": (0,) * 4,
}


def decisions(hands, seed):
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        for decision in random_hand(Variant.ring(4), rng)[1]:
            yield Observation(decision.state, decision.state.to_act)


def test_the_context_of_a_case_is_that_of_its_source():
    """Unger (2011), section 4.3.2: strength, position, bets to call; after the flop potential and street."""
    features = {name: [feature.name for feature in schema.features] for name, schema in SCHEMAS.items()}
    assert features == {
        "preflop": ["hand_rank", "relative_position", "street_bets_to_call"],
        "postflop": [
            "random_hand_strength",
            "relative_position",
            "street_bets_to_call",
            "random_hand_ppot",
            "street",
        ],
    }


def test_every_decision_is_described_and_queries_one_of_two_case_bases():
    asked, describe = set(), Readings()
    for observation in decisions(60, seed=1):
        name = case_base(observation)
        values = describe(observation, {}, SCHEMAS[name])
        SCHEMAS[name].situation(values)
        asked.add((name, observation.street))
        if observation.street == 3:
            assert values["random_hand_ppot"] == 0
    assert asked == {("preflop", 0), ("postflop", 1), ("postflop", 2), ("postflop", 3)}


def test_no_case_of_another_street_is_near_enough():
    casebase, describe, schema = CaseBase(SCHEMAS["postflop"]), Readings(), SCHEMAS["postflop"]
    streets, queries = [], []
    for observation in decisions(120, seed=2):
        if observation.street:
            values = describe(observation, {}, schema)
            casebase.append(Case(schema.situation(values), "check", provenance=ORIGIN))
            streets.append(observation.street)
            queries.append(values)
    assert len(streets) > FALLBACK
    for street, values in zip(streets, queries, strict=True):
        found = retrieve(casebase, values)
        assert not found.fell_back
        assert {streets[id] for id in found.ids} == {street}
