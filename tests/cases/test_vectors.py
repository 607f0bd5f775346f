"""Merged cases: fewer, and they say the same."""

import numpy as np
import pytest

from baycarp.cases import (
    POLICIES,
    Case,
    CaseBase,
    Feature,
    Linear,
    Posterior,
    Schema,
    Vectors,
    retrieve,
    tally,
)
from baycarp.errors import SchemaError

ALL = ("fold", "call", "raise")
STATES = tuple("abcdef")
SCHEMA = Schema(
    "coarse",
    (
        Feature("x", 3, Linear(max=4)),
        Feature("y", 1, Linear(max=2)),
        Feature("type", 1, Posterior(STATES, 2)),
    ),
    ALL,
    threshold=0.8,
)


def situations(count, seed):
    """Values so coarse that many situations are met again and again."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        likely = chance.permutation(STATES)[:3]
        yield {
            "x": float(chance.integers(5)) * chance.choice([1.0, -0.0, 0.0]),
            "y": float(chance.integers(3)),
            "type": dict(zip(likely, (0.5, 0.25, 0.25), strict=True)),
        }


@pytest.fixture(scope="module")
def single():
    chance = np.random.default_rng(1)
    casebase = CaseBase(SCHEMA)
    casebase.extend(
        Case(SCHEMA.situation(values), ALL[chance.integers(3)], float(chance.integers(-6, 7)) / 2)
        for values in situations(3000, 2)
    )
    return casebase


def test_no_situation_stands_twice_and_none_is_lost(single):
    merged = Vectors(single)

    def told(casebase):
        columns = casebase.columns()
        rows = zip(columns["numbers"].T.tolist(), columns["codes"].T.tolist(), strict=True)
        return [(*map(float, numbers), *codes) for numbers, codes in rows]

    assert len(merged) < 1000 < len(single)
    assert len(set(told(merged))) == len(merged)
    assert set(told(merged)) == set(told(single))
    assert merged.counts.sum() == len(single)
    assert merged.outcomes.sum() == single.columns()["outcomes"].sum()


@pytest.mark.parametrize("at_least", [0.999, 0.9, 0.8, 0.5])
def test_sums_and_policies_are_those_of_the_single_cases(single, at_least):
    merged = Vectors(single)
    for values in situations(60, 3):
        one, other = (retrieve(base, values, at_least, fallback=0) for base in (single, merged))
        assert len(other) <= len(one)
        mine, theirs = tally(other, merged, ALL), tally(one, single, ALL)
        assert (mine.votes, mine.outcomes) == (theirs.votes, theirs.outcomes)
        assert mine.similarities == pytest.approx(theirs.similarities)
        for policy in POLICIES.values():
            assert policy(other, merged, ALL).probabilities == policy(one, single, ALL).probabilities


def test_the_nearest_alone_tells_all_that_was_done_in_its_situation(single):
    """Sartre retrieves one case (seed 001, section 5.2.4)."""
    merged = Vectors(single)
    values = next(situations(1, 4))
    nearest = retrieve(merged, values, at_least=0.0, at_most=1)
    alike = retrieve(single, values, at_least=float(nearest.similarities[0]))
    columns = single.columns()

    def situation(casebase, id):
        told = casebase.columns()
        return (*told["numbers"][:, id].tolist(), *told["codes"][:, id].tolist())

    same = [i for i in alike.ids.tolist() if situation(single, i) == situation(merged, nearest.ids[0])]
    votes = [sum(int(columns["solutions"][i]) == code for i in same) for code in range(3)]
    assert list(tally(nearest, merged, ALL).votes.values()) == votes


def test_what_is_learned_goes_elsewhere(single):
    merged = Vectors(single)
    with pytest.raises(SchemaError, match="merged"):
        merged.append(Case(SCHEMA.situation(next(situations(1, 5))), "call"))
    assert merged.fork() is merged


def test_nothing_merges_to_nothing():
    assert len(Vectors(CaseBase(SCHEMA))) == 0
