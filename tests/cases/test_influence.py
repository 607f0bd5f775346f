"""Influence against leaving each case out; ``without`` against a case-base without the cases."""

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, queries

from baycarp.cases import (
    POLICIES,
    BestOutcome,
    CaseBase,
    Majority,
    MostSimilar,
    Proportional,
    influences,
    retrieve,
    tally,
    without,
)

LEGAL = ("fold", "call", "raise")
REPAIR = {"check": ("call",), "bet": ("raise", "call")}
WORTH = {
    Majority(): lambda votes, outcomes, similarities: votes,
    Proportional(): lambda votes, outcomes, similarities: votes,
    BestOutcome(): lambda votes, outcomes, similarities: outcomes,
    BestOutcome("mean"): lambda votes, outcomes, similarities: outcomes / votes,
    MostSimilar(): lambda votes, outcomes, similarities: similarities,
}


def fewer(base, ids):
    """A new case-base without some cases."""
    columns = base.columns()
    kept = ~np.isin(columns["ids"], ids)
    left = CaseBase(base.schema)
    left.extend_columns({name: np.ascontiguousarray(column[..., kept]) for name, column in columns.items()})
    return left


def lead(base, found, worth, chosen, rival):
    distribution = tally(found, base, LEGAL, REPAIR)
    sums = (distribution.votes, distribution.outcomes, distribution.similarities)
    return np.subtract(*(worth(*(of[name] for of in sums)) for name in (chosen, rival)))


@pytest.mark.parametrize("policy", WORTH, ids=repr)
def test_influence_is_the_change_of_the_lead(policy):
    base, worth = casebase(400, seed=2), WORTH[policy]
    query = next(queries(1, seed=3))
    found = retrieve(base, query, at_least=0.8)
    assert len(found) > 20
    distribution = policy(found, base, LEGAL, REPAIR)
    values = {
        name: worth(distribution.votes[name], distribution.outcomes[name], distribution.similarities[name])
        for name in LEGAL
        if distribution.votes[name]
    }
    chosen = max(values, key=values.get)
    rival = max((name for name in values if name != chosen), key=values.get)
    before = lead(base, found, worth, chosen, rival)
    measured = influences(policy, found, base, distribution, chosen, REPAIR)
    for id, influence in zip(found.ids, measured, strict=True):
        left = retrieve(fewer(base, [id]), query, at_least=0.8)
        assert before - lead(base, left, worth, chosen, rival) == pytest.approx(influence, abs=1e-9)


def test_the_only_case_of_a_mean_has_its_whole_influence():
    base = casebase(1, seed=0)
    found = retrieve(base, next(queries(1, seed=0)), at_least=0)
    solution = base.case(0)["solution"]
    distribution = tally(found, base, FLOP.solutions)
    assert influences(BestOutcome("mean"), found, base, distribution, solution).tolist() == [np.inf]
    assert influences(Majority(), found, base, distribution, solution).tolist() == [1.0]


@pytest.mark.parametrize("n", [3, 30, 3000])
def test_without_equals_a_case_base_without_the_cases(n):
    base, rng, fallen = casebase(n, seed=5), np.random.default_rng(1), set()
    for query in queries(25, seed=6):
        found = retrieve(base, query)
        for ids in (found.ids[:5], rng.choice(found.ids, min(len(found), 4), replace=False), found.ids):
            left = without(base, query, found, ids)
            plain = retrieve(fewer(base, ids), query)
            np.testing.assert_array_equal(left.ids, plain.ids)
            np.testing.assert_array_equal(left.similarities, plain.similarities)
            assert not len(plain) or left.fell_back == plain.fell_back
            fallen.add((found.fell_back, left.fell_back))
    assert len(fallen) >= (3 if n == 3000 else 1)


def test_every_policy_has_a_name():
    assert set(WORTH) == set(POLICIES.values())
