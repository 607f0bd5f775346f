import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, draw, queries

from baycarp.cases import (
    Case,
    CaseBase,
    Feature,
    Linear,
    Majority,
    Schema,
    competence,
    forget,
    merge,
    retrieve,
    retrieve_all,
    utility,
)
from baycarp.errors import SchemaError

LINE = Schema("line", (Feature("x", 1, Linear(max=10)),), ("low", "high"), threshold=0.95, fallback=3)


def line(*values, solutions=None):
    base = CaseBase(LINE)
    solutions = solutions or ["low"] * len(values)
    base.extend(Case(LINE.situation({"x": x}), s) for x, s in zip(values, solutions, strict=True))
    return base


def test_a_batch_has_the_results_of_single_queries_for_any_number_of_workers():
    base = casebase(5000)
    asked = list(queries(12, seed=3))
    for limits in ({}, {"at_least": 0.0, "at_most": 5}, {"fallback": 0}):
        for workers in (1, 3):
            for query, found in zip(asked, retrieve_all(base, asked, **limits, workers=workers), strict=True):
                alone = retrieve(base, query, **limits)
                assert found.ids.tolist() == alone.ids.tolist()
                assert found.similarities.tobytes() == alone.similarities.tobytes()
                assert found.fell_back == alone.fell_back


def test_a_batch_uses_one_snapshot():
    base = casebase(100)

    def growing():
        for query in queries(5, seed=4):
            base.extend_columns(draw(10, seed=5))
            yield query

    assert [found.stored for found in retrieve_all(base, growing())] == [100] * 5


def test_competence_counts_other_similar_cases():
    # 0 and 0.4 are similar and disagree; 5, 5.1, 5.2 agree; 9 is isolated.
    base = line(0, 0.4, 5, 5.1, 5.2, 9, solutions=["low", "high", "low", "low", "low", "high"])
    report = competence(base)
    assert (report.cases, report.situations, report.asked) == (6, 6, 6)
    assert (report.covered, report.solved, report.neighbours) == (5 / 6, 3 / 6, 1.5)
    assert report.by_solution == {"low": (4, 0.75), "high": (2, 0.0)}


def test_competence_uses_a_sample_fixed_by_the_seed():
    base = casebase(3000)
    assert competence(base, 50, seed=1) == competence(base, 50, seed=1, workers=2)
    assert competence(base, 50, seed=1).asked == 50
    with pytest.raises(SchemaError, match="at least one case"):
        competence(CaseBase(LINE))


def test_near_duplicates_are_merged_into_the_first_with_all_outcomes():
    base = line(0, 0.05, 5, 0.1, 0.3, solutions=["low", "high", "high", "high", "low"])
    merged = merge(base, 0.989)
    assert merged.columns()["numbers"].tolist() == [np.float32([0, 5, 0.3]).tolist()]
    assert merged.columns()["counts"].tolist() == [[1, 0, 1], [2, 1, 0]]
    assert Majority()(retrieve(merged, {"x": 0}), merged, ("low", "high")).votes == {"low": 2, "high": 2}


def test_cases_of_similarity_1_are_merged():
    base = CaseBase(FLOP)
    columns = draw(300, seed=6)
    for _ in range(2):
        base.extend_columns(columns)
    merged = merge(base, 1.0)
    assert len(merged) <= 300
    assert merged.columns()["counts"].sum() == 600


def test_a_case_with_an_equal_newer_case_has_no_utility():
    worth = utility(line(1, 3, 1, 3.5, 9))
    # 1 occurs again; 3.5 follows 3; the second 1 is 2.5 from the nearest newer case, 3.5 is 5.5 from 9.
    assert worth[[0, 1]].tolist() == [0.0, pytest.approx(0.05)]
    assert worth[[2, 3]].tolist() == [pytest.approx(0.25), pytest.approx(0.55)]
    assert worth[4] == worth.max()


def test_forgetting_keeps_the_bound_and_drops_duplicates_first():
    base = line(*[1.0] * 50, 4.0, 8.0)
    fewer = forget(base, 3)
    assert fewer.columns()["numbers"].tolist() == [[1.0, 4.0, 8.0]]
    assert fewer.columns()["ids"].tolist() == [49, 50, 51]
    assert forget(base, 52) is base
    assert fewer.append(Case(LINE.situation({"x": 2.0}), "low")) == 52
    with pytest.raises(SchemaError, match="most 0"):
        forget(base, 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_newest_case_is_kept_without_utility(seed):
    base = line(0, 2, 8, 10, *np.linspace(5, 5.02, 20))
    worth = utility(base)
    assert worth[-1] < worth[:4].min() / 50
    fewer = forget(base, 3, seed=seed)
    assert fewer.columns()["ids"][-1] == 23
    assert fewer.append(Case(LINE.situation({"x": 2.0}), "low")) == 24


def test_forgetting_repeats_with_its_seed():
    base = casebase(1000)
    kept = [forget(base, 400, seed=seed).columns()["ids"].tolist() for seed in (1, 1, 2)]
    assert kept[0] == kept[1] != kept[2]
    assert len(kept[0]) == 400
