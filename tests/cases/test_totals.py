import numpy as np
import pytest
from reference.retrieval import casebase, draw, queries, retrieval

from baycarp.cases import (
    POLICIES,
    Case,
    CaseBase,
    Feature,
    Linear,
    Nested,
    Retrieved,
    Schema,
    retrieve,
    tally,
    totals,
)
from baycarp.errors import ArgumentError, SchemaError
from baycarp.kernels import similarity as kernel

TOY = Schema("toy", (Feature("x", 1, Linear(max=10)),), ("low", "high"), threshold=0.95, fallback=3)


def by_loop(base, query, at_least):
    """Votes, outcomes and similarities by solution, from the plain loop's list."""
    columns, solutions = base.columns(), len(base.schema.solutions)
    sums = np.zeros((3, solutions))
    for similarity, id in retrieval(base.schema, query, columns, at_least):
        sums[:, columns["solutions"][id]] += 1, columns["outcomes"][id], similarity
    return sums


def agrees(base, query, at_least):
    found, expected = totals(base, query, at_least, fallback=0), by_loop(base, query, at_least)
    assert found.votes.tolist() == expected[0].tolist()
    assert found.outcomes == pytest.approx(expected[1], rel=1e-12, abs=1e-9)
    assert found.similarities == pytest.approx(expected[2], rel=1e-12)
    votes = totals(base, query, at_least, fallback=0, similarities=False)
    assert votes.votes.tolist() == expected[0].tolist()
    assert votes.outcomes == pytest.approx(expected[1], rel=1e-12, abs=1e-9)
    assert np.isnan(votes.similarities).all()
    assert len(found) == expected[0].sum()
    assert (found.fell_back, found.stored) == (False, len(base))
    return len(found)


@pytest.mark.parametrize("by_stem", [True, False])
@pytest.mark.parametrize("clumped", [True, False])
@pytest.mark.parametrize("n", [1, 1999, pytest.param(4500, marks=pytest.mark.slow)])
def test_totals_equal_those_of_the_plain_loop(n, clumped, by_stem, monkeypatch):
    monkeypatch.setattr("baycarp.cases.index.MANY", 0 if by_stem else 1 << 40)
    base = casebase(n, seed=n, clumped=clumped)
    base.extend_columns(draw(300, seed=n + 1))  # a tail that no cell holds
    asked = queries(3, seed=n + 2, clumped=clumped)
    assert sum(agrees(base, query, least) for query in asked for least in (0.0, 0.8, 0.93))


def test_scored_cases_are_those_of_the_list():
    base = casebase(5000)
    for query in queries(5, seed=4):
        assert totals(base, query, 0.93, 0).scored == retrieve(base, query, 0.93, fallback=0).scored


@pytest.mark.parametrize("name", POLICIES)
def test_policies_take_totals_in_place_of_the_list(name):
    base = casebase(4000)
    for query in queries(5, seed=3):
        choices = [
            POLICIES[name](found, base, base.schema.solutions)
            for found in (totals(base, query, 0.9), retrieve(base, query, 0.9))
        ]
        assert choices[0].probabilities == choices[1].probabilities
        assert choices[0].votes == choices[1].votes


@pytest.mark.parametrize("name", POLICIES)
def test_policies_by_votes_and_outcomes_need_no_similarities(name):
    base, policy, untied = casebase(4000), POLICIES[name], 0
    for query in queries(20, seed=3):
        votes = totals(base, query, 0.9, similarities=False)
        if name == "most similar":
            with pytest.raises(SchemaError, match="totals without similarities: expected them, for MostSim"):
                policy(votes, base, base.schema.solutions)
        else:
            chosen = policy(retrieve(base, query, 0.9), base, base.schema.solutions)
            if len(set(worth := sorted(policy.worth(chosen).values())[-2:])) == len(worth):
                assert policy(votes, base, base.schema.solutions).probabilities == chosen.probabilities
                untied += 1
    assert untied or name == "most similar"


def test_without_similarities_a_tie_goes_to_the_cheaper_solution():
    base = CaseBase(TOY)
    base.extend(Case(TOY.situation({"x": x}), name) for x, name in ((1.0, "high"), (1.2, "low")))
    choices = [
        POLICIES["majority"](totals(base, {"x": 1.0}, similarities=summed), base, TOY.solutions).choice
        for summed in (True, False)
    ]
    assert choices == ["high", "low"]


def listed(base, query):
    found = retrieve(base, query)
    return base.sums(found.ids, found.similarities)


def test_below_the_threshold_the_most_similar_are_summed():
    base = CaseBase(TOY)
    base.extend(Case(TOY.situation({"x": x}), "low", x) for x in (0.0, 1.0, 2.0, 9.0))
    found = totals(base, {"x": 6.0})
    assert found.fell_back
    assert (found.votes.tolist(), found.outcomes.tolist()) == ([3, 0], [12.0, 0.0])
    assert np.isnan(totals(base, {"x": 6.0}, similarities=False).similarities).all()
    assert not len(totals(base, {"x": 6.0}, fallback=0))


def test_an_empty_case_base_has_no_totals():
    found = totals(CaseBase(TOY), {"x": 1.0})
    assert (found.votes.tolist(), found.outcomes.tolist(), found.fell_back) == ([0, 0], [0.0, 0.0], False)


def test_limited_and_merged_cases_are_summed_as_lists():
    limited = Schema("few", TOY.features, TOY.solutions, threshold=0.5, most=2)
    merged = Schema(
        "merged", (Feature("b", 1, Nested((1.0, 0.5))),), TOY.solutions, threshold=1, fallback=0, merged=True
    )
    few, counted = CaseBase(limited), CaseBase(merged)
    few.extend(Case(limited.situation({"x": x}), "high", x) for x in (1.0, 2.0, 3.0))
    counted.extend(Case(merged.situation({"b": ("ab", "a")}), "low", 2.0) for _ in range(5))
    for base, query, votes in ((few, {"x": 2.9}, [0, 2]), (counted, {"b": ("ab", "a")}, [5, 0])):
        found, (expected, outcomes, similarities) = totals(base, query), listed(base, query)
        assert found.votes.tolist() == expected.tolist() == votes
        assert found.outcomes.tolist() == outcomes.tolist()
        assert found.similarities.tolist() == similarities.tolist()


def test_totals_and_lists_give_the_same_tally():
    base = casebase(3000)
    (query,) = queries(1, seed=8)
    found = totals(base, query, 0.9)
    assert not isinstance(found, Retrieved)
    assert tally(found, base, base.schema.solutions).votes == (
        tally(retrieve(base, query, 0.9), base, base.schema.solutions).votes
    )


def test_wrong_limits_and_arrays_are_refused():
    base = CaseBase(TOY)
    base.append(Case(TOY.situation({"x": 1.0}), "low"))
    with pytest.raises(SchemaError, match="at_least 2"):
        totals(base, {"x": 1.0}, at_least=2)
    now, query = base.snapshot(), np.ones(1, np.float32)
    tables = np.empty((0, kernel.STATES))
    stored = TOY.measure, now.numbers, now.codes, now.count, None, query, tables
    with pytest.raises(SchemaError, match="0 solutions"):
        kernel.totals(*stored, 0.5, np.empty(0, np.uint8), now.outcomes)
    with pytest.raises(ArgumentError, match="nan"):
        kernel.totals(*stored, float("nan"), now.solutions, now.outcomes)
