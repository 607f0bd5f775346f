"""The retriever of cbrkit's protocol against similarities written from the formula."""

import numpy as np
import pytest

from baycarp.cases import Feature, Linear, Nested, Schema
from baycarp.cases.retriever import CaseRetriever
from baycarp.errors import SchemaError

SCHEMA = Schema(
    "cars",
    (Feature("price", 2, Linear(max=100)), Feature("make", 1, Nested((1.0,)))),
    ("car",),
    threshold=0,
)


def cars(n, seed):
    rng = np.random.default_rng(seed)
    return {
        f"car {i}": {"price": int(rng.integers(0, 150)), "make": str(rng.choice(["a", "b"]))}
        for i in range(n)
    }


def similarity(x, y):
    return (2 * max(0.0, 1 - abs(x["price"] - y["price"]) / 100) + (x["make"] == y["make"])) / 3


@pytest.mark.parametrize(("limit", "least"), [(5, 0.0), (None, 0.9), (3, 0.95)])
def test_answers_are_those_of_a_full_scan(limit, least):
    first, second = cars(200, 1), cars(50, 2)
    batches = [(cases, query) for cases in (first, second) for query in cars(6, 3).values()]
    for (cases, query), (found, alike) in zip(
        batches, CaseRetriever(SCHEMA, limit, least)(batches), strict=True
    ):
        scores = {key: similarity(query, case) for key, case in cases.items()}
        best = sorted((key for key in cases if scores[key] >= least), key=lambda key: -scores[key])[:limit]
        assert list(found) == list(alike)
        assert all(found[key] is cases[key] for key in found)
        assert sorted(alike.values(), reverse=True) == list(alike.values())
        np.testing.assert_allclose(list(alike.values()), [scores[key] for key in best], atol=1e-12)
        np.testing.assert_allclose(list(alike.values()), [scores[key] for key in found], atol=1e-12)


def test_an_index_answers_queries_without_cases():
    cases = cars(30, 1)
    retriever = CaseRetriever(SCHEMA, 2, values=lambda car: car)
    assert not retriever.has_index()
    retriever.put_index(cases)
    assert retriever.has_index()
    assert retriever.index is cases
    assert retriever([({}, cases["car 4"])]) == retriever([(cases, cases["car 4"])])


def test_cases_that_are_no_mappings_need_a_function():
    with pytest.raises(SchemaError, match="expected a mapping"):
        CaseRetriever(SCHEMA)([({"a": 3}, {"price": 1, "make": "a"})])
