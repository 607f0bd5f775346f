"""Retrieval by numbers, slots and symbols, with a limit and with ties, against the plain loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.retrieval import retrieval

from baycarp.cases import casebase as casebase_module
from baycarp.cases import index as index_module
from baycarp.cases.casebase import CaseBase
from baycarp.cases.influence import without
from baycarp.cases.maintain import merge
from baycarp.cases.retrieve import local_similarities, retrieve, retrieve_all
from baycarp.cases.schema import Case, Feature, Schema
from baycarp.cases.similarity import Exponential, Linear, PredictedStates
from baycarp.cases.symbols import Aligned, Matrix, Nested
from baycarp.errors import SchemaError

WORDS = ("dry", "wet", "soaked")
KINDS = {
    "linear": Linear(max=4),
    "decay": Exponential(k=3, max=2),
    "states": PredictedStates(("a", "b", "c"), slots=2),
    "matrix": Matrix(WORDS, ((1, 0.6, 0.1), (0.5, 1, 0.3), (0, 0.3, 1))),
    "nested": Nested((1.0, 0.9, 0.75)),
    "aligned": Aligned("qhipd", 0.125),
}

weights = st.sampled_from([0.5, 1.0, 3.0, 80.0])
shares = st.sampled_from([0.0, 0.125, 0.25, 0.5])
VALUES = {
    "linear": st.integers(0, 4).map(float),
    "decay": st.sampled_from([0.0, 0.25, 0.3, 1.0, 2.0]),
    "states": st.fixed_dictionaries({"a": shares, "b": shares, "c": shares}),
    "matrix": st.sampled_from(WORDS),
    "nested": st.tuples(st.sampled_from("abc"), st.sampled_from("pq"), st.sampled_from("xy")),
    "aligned": st.text("qdc-", max_size=3),
}


@st.composite
def schemas(draw):
    """Schemas with at least one symbol, in any order of features."""
    symbols = st.lists(st.sampled_from(["matrix", "nested", "aligned"]), min_size=1, max_size=3, unique=True)
    others = st.lists(st.sampled_from(["linear", "decay", "states"]), max_size=3, unique=True)
    kinds = draw(st.permutations(draw(symbols) + draw(others)))
    return Schema(
        "mixed",
        tuple(Feature(kind, draw(weights), KINDS[kind]) for kind in kinds),
        ("no", "yes"),
        threshold=draw(st.sampled_from([0.0, 0.5, 0.8, 0.95, 1.0])),
        fallback=draw(st.integers(1, 4)),
        most=draw(st.sampled_from([None, 1, 2, 7])),
        ties=draw(st.booleans()),
        merged=draw(st.booleans()),
    )


def filled(schema, situations):
    base = CaseBase(schema)
    solutions = ("no", "yes", "yes")
    base.extend(
        Case(schema.situation(values), solutions[i % 3], float(i % 5)) for i, values in enumerate(situations)
    )
    return base


def situations_of(schema):
    return st.fixed_dictionaries({feature.name: VALUES[feature.name] for feature in schema.features})


def agrees(base, query, **limits):
    found, columns = retrieve(base, query, **limits), base.columns()
    at_least = limits.get("at_least", base.schema.threshold)
    expected = retrieval(base.schema, query, columns, at_least, limits.get("at_most"))
    fell_back = not expected and len(base) > 0
    if fell_back:
        expected = retrieval(base.schema, query, columns, 0.0, base.schema.fallback)
    assert found.ids.tolist() == [id for _, id in expected]
    assert found.similarities.tolist() == [similarity for similarity, _ in expected]
    assert found.fell_back == fell_back
    return found


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_retrieval_equals_the_plain_loop_bit_for_bit(data):
    schema = data.draw(schemas())
    base = filled(schema, data.draw(st.lists(situations_of(schema), max_size=40)))
    for query in data.draw(st.lists(situations_of(schema), min_size=1, max_size=3)):
        agrees(base, query)
        agrees(base, query, at_least=0.6)
        agrees(base, query, at_most=3)


LEVELS = {"k": 90, "l": 12, "m": 3}


def drawn(schema, n, seed):
    """Situations with many values of every feature."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        values = {
            "linear": float(rng.integers(0, 40)) / 10,
            "decay": float(np.float32(rng.random() * 2)),
            "states": dict(zip("abc", rng.dirichlet([1, 1, 1]).tolist(), strict=True)),
            "matrix": str(rng.choice(WORDS)),
            "nested": tuple(f"{key}{rng.integers(0, size)}" for key, size in LEVELS.items()),
            "aligned": "".join(rng.choice(list("qhipdc-"), rng.integers(0, 4))),
        }
        yield {feature.name: values[feature.name] for feature in schema.features}


@pytest.mark.slow
@pytest.mark.parametrize("limits", [{}, {"most": 1}, {"most": 1, "ties": True}, {"most": 30, "ties": True}])
@pytest.mark.parametrize("kinds", [list(KINDS), ["linear", "nested"], ["nested", "aligned"]])
def test_cells_and_a_tail_give_the_same_result(monkeypatch, kinds, limits):
    for module in (index_module, casebase_module):
        monkeypatch.setattr(module, "LEAST", 200)
    features = tuple(Feature(kind, 1 + place, KINDS[kind]) for place, kind in enumerate(kinds))
    schema = Schema("mixed", features, ("no", "yes"), threshold=0.7, **limits)
    base = filled(schema, drawn(schema, 900, 1))
    assert base.fold_in() == ("linear" in kinds)
    base.extend(Case(schema.situation(values), "no") for values in drawn(schema, 100, 2))
    if "linear" in kinds:
        assert base.snapshot().tail == 100
    for query in drawn(schema, 12, 3):
        agrees(base, query)
        agrees(base, query, at_least=0.0)
        agrees(base, query, at_least=0.0, at_most=1)


def test_symbols_exclude_cases():
    features = (Feature("linear", 1, KINDS["linear"]), Feature("nested", 1, KINDS["nested"]))
    schema = Schema("mixed", features, ("no", "yes"), threshold=0.0, most=1, ties=True)
    base = filled(schema, drawn(schema, 4000, 1))
    base.fold_in()
    scored = [agrees(base, query).scored for query in drawn(schema, 10, 3)]
    assert np.median(scored) < len(base)


TIED = Schema(
    "tied", (Feature("linear", 1, KINDS["linear"]), Feature("matrix", 1, KINDS["matrix"])), ("no",), 0.0, 1
)


def tied(most, ties, order):
    schema = Schema("tied", TIED.features, ("no",), 0.0, 1, (("case", "i4", 1),), most=most, ties=ties)
    base = CaseBase(schema)
    values = [(1, "dry"), (3, "dry"), (1, "wet"), (3, "wet"), (2, "soaked"), (1, "dry")]
    for case in order:
        x, word = values[case]
        base.append(Case(schema.situation({"linear": x, "matrix": word}), "no", 0.0, {"case": case}))
    return base


def test_with_ties_the_result_is_independent_of_the_order_of_cases():
    asked = {"linear": 2, "matrix": "dry"}  # 0, 1 and 5 tie; then 2 and 3; then 4
    rng = np.random.default_rng(1)
    for most, expected in ((1, {0, 1, 5}), (3, {0, 1, 5}), (4, {0, 1, 2, 3, 5}), (6, set(range(6)))):
        for _ in range(20):
            base = tied(most, True, rng.permutation(6).tolist())
            found = retrieve(base, asked)
            assert {base.case(id)["provenance"]["case"] for id in found.ids.tolist()} == expected
    firsts = {
        int(base.case(int(retrieve(base, asked).ids[0]))["provenance"]["case"])
        for base in (tied(1, False, rng.permutation(6).tolist()) for _ in range(20))
    }
    assert len(firsts) > 1  # without ties it depends on the order


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("most", [None, 1, 3])
def test_without_equals_a_case_base_without_the_cases(most, ties):
    base = tied(most, ties, [0, 1, 2, 3, 4, 5])
    for threshold in (0.0, 0.7, 0.9):
        again = base.under(
            Schema("tied", TIED.features, ("no",), threshold, 2, base.schema.provenance, most, ties)
        )
        for asked in ({"linear": 2, "matrix": "dry"}, {"linear": 1, "matrix": "soaked"}):
            found = retrieve(again, asked)
            for gone in ([0], [0, 5], [0, 1, 5], [4], found.ids.tolist()):
                fewer, columns = CaseBase(again.schema), again.columns()
                kept = ~np.isin(columns["ids"], gone)
                fewer.extend_columns({name: column[..., kept].copy() for name, column in columns.items()})
                left, plain = without(again, asked, found, np.array(gone)), retrieve(fewer, asked)
                assert left.ids.tolist() == plain.ids.tolist()
                assert left.similarities.tolist() == plain.similarities.tolist()
                assert not len(plain) or left.fell_back == plain.fell_back


def test_a_batch_has_the_results_of_single_queries_for_any_number_of_workers():
    features = tuple(Feature(kind, 1, how) for kind, how in KINDS.items())
    schema = Schema("mixed", features, ("no", "yes"), threshold=0.7, most=3, ties=True)
    base = filled(schema, drawn(schema, 2500, 1))
    base.fold_in()
    asked = list(drawn(schema, 300, 2))
    alone = [retrieve(base, query) for query in asked]
    for workers in (1, 3):
        for one, other in zip(alone, retrieve_all(base.fork(), asked, workers=workers), strict=True):
            assert one.ids.tolist() == other.ids.tolist()
            assert one.similarities.tobytes() == other.similarities.tobytes()


def test_merged_cases_are_retrieved_like_single_ones():
    features = tuple(Feature(kind, 1, KINDS[kind]) for kind in ("linear", "nested"))
    schema = Schema("mixed", features, ("no", "yes"), threshold=0.7, most=2, ties=True)
    merged = merge(filled(schema, [*drawn(schema, 800, 1), *drawn(schema, 800, 1)]))
    assert len(merged) <= 800
    for query in drawn(schema, 20, 5):
        agrees(merged, query)


@pytest.mark.parametrize("scale", [Linear(max=3), Exponential(k=3, max=0.7), Exponential(k=0.01, max=8)])
def test_local_similarities_have_the_bits_of_retrieval(scale):
    # With one feature of weight 1 the similarity is the local one.
    schema = Schema("one", (Feature("x", 1, scale, (-99, 99)),), ("no",), threshold=0.0)
    base, rng = CaseBase(schema), np.random.default_rng(1)
    values = rng.normal(0, 1, 4000).astype(np.float32)
    base.extend_columns(
        {
            "numbers": values[None],
            "codes": np.empty((0, 4000), np.uint8),
            "solutions": np.zeros(4000, np.uint8),
            "outcomes": np.zeros(4000),
            "provenance": np.empty(4000, schema.origin),
        }
    )
    for x in rng.normal(0, 1, 5).tolist():
        query = schema.situation({"x": x})
        found = retrieve(base, query)
        assert len(found) == 4000
        local = local_similarities(base, query, found.ids)
        assert local[0].tolist() == found.similarities.tolist()
        asked = float(query.numbers[0])
        assert local[0].tolist() == [scale(asked, y) for y in values[found.ids].tolist()]


def test_most_is_at_least_one():
    with pytest.raises(SchemaError, match="most 0"):
        Schema("s", (Feature("x", 1, Linear(1)),), ("a",), 0.9, most=0)


def test_fields_with_default_values_do_not_change_the_digest():
    plain = Schema("s", (Feature("x", 1, Linear(1)),), ("a",), 0.9)
    assert set(plain.to_dict()) == {"name", "features", "solutions", "threshold", "fallback", "provenance"}
    for change in ({"most": 3}, {"ties": True}, {"merged": True}):
        other = Schema("s", plain.features, ("a",), 0.9, **change)
        assert Schema.from_dict(other.to_dict()) == other
        assert other.digest != plain.digest
        assert (other.layout == plain.layout) == ("merged" not in change)
