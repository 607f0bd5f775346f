import threading
from dataclasses import replace

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, draw, queries, retrieval, similarity

from baycarp.cases import (
    Case,
    CaseBase,
    Exponential,
    Feature,
    Linear,
    PredictedStates,
    Schema,
    explain,
    local_similarities,
    retrieve,
    totals,
)
from baycarp.errors import SchemaError

TOY = Schema("toy", (Feature("x", 1, Linear(max=10)),), ("low", "high"), threshold=0.95, fallback=3)


def toy(*values):
    base = CaseBase(TOY)
    base.extend(Case(TOY.situation({"x": x}), "low") for x in values)
    return base


def agrees(base, query, **limits):
    """The package's result, compared with the plain loop bit for bit."""
    found = retrieve(base, query, **limits)
    at_least = limits.get("at_least", base.schema.threshold)
    expected = retrieval(base.schema, query, base.columns(), at_least, limits.get("at_most"))
    fell_back = not expected
    if fell_back:
        expected = retrieval(base.schema, query, base.columns(), 0.0, base.schema.fallback)
    assert found.ids.tolist() == [id for _, id in expected]
    assert found.similarities.tolist() == [s for s, _ in expected]
    assert (found.fell_back, found.stored) == (fell_back, len(base))
    return found


@pytest.mark.parametrize("clumped", [True, False])
@pytest.mark.parametrize("n", [1, 17, 1999, 4500])
def test_retrieval_equals_the_plain_loop_bit_for_bit(n, clumped):
    base = casebase(n, seed=n, clumped=clumped)
    assert (base.snapshot().cells is not None) == (n >= 2000)
    for query in queries(2, seed=n + 1, clumped=clumped):
        agrees(base, query)
        agrees(base, query, at_least=0.0, at_most=20)


def test_retrieval_equals_the_plain_loop_with_a_tail_and_after_reindexing():
    base = casebase(3000, seed=1)
    base.extend_columns(draw(1500, seed=2))
    asked = list(queries(3, seed=3))
    assert base.snapshot().tail == 1500
    with_tail = [agrees(base, query) for query in asked]
    assert not base.fold_in()
    base.extend_columns(draw(600, seed=4))
    for query in asked:
        agrees(base, query)
    assert base.fold_in()
    assert base.snapshot().tail == 0
    for query, before in zip(asked, with_tail, strict=True):
        assert set(before.ids) <= set(agrees(base, query).ids)


@pytest.mark.slow
def test_retrieval_equals_the_plain_loop_on_thirty_thousand_cases():
    base = casebase(30_000)
    for query in queries(10, seed=9):
        agrees(base, query)
        agrees(base, query, at_least=0.0, at_most=20)


@pytest.mark.slow
def test_stems_in_place_of_their_bytes_change_no_result(monkeypatch):
    monkeypatch.setattr("baycarp.cases.index.MANY", 0)
    base = casebase(2500)
    for query in queries(8, seed=10):
        agrees(base, query)
        agrees(base, query, at_least=0.0, at_most=20)


@pytest.mark.parametrize("scale", [1e-200, 1e-40, 1e40, 1e200])
def test_weights_of_any_scale_give_the_same_result(scale):
    base, rng = casebase(5000), np.random.default_rng(1)
    schema = replace(
        base.schema, features=tuple(replace(f, weight=f.weight * scale) for f in base.schema.features)
    )
    scaled = CaseBase(schema)
    scaled.extend_columns({name: column for name, column in base.columns().items() if name != "ids"})
    scaled.fold_in()
    for query in queries(10, seed=int(rng.integers(100))):
        a, b = retrieve(base, query), retrieve(scaled, query)
        assert a.ids.tolist() == b.ids.tolist()
        assert b.similarities == pytest.approx(a.similarities, rel=1e-12)


def test_cells_of_numbers_that_hardly_differ_give_the_same_result(monkeypatch):
    monkeypatch.setattr("baycarp.cases.index.MANY", 0)
    features = (
        Feature("x", 1, Linear(max=80)),
        Feature("y", 1, Linear(max=1e-40)),
        Feature("z", 1, Linear(max=1)),
    )
    base = CaseBase(Schema("narrow", features, ("a", "b"), threshold=0.6, fallback=0))
    for i in range(3000):
        x, y, z = i % 2 * 1e-30, i % 3 * 1e-41, i % 5 / 10000
        base.append(Case(base.schema.situation({"x": x, "y": y, "z": z}), "a"))
    base.fold_in()
    for query, at_least in (({"x": 30.0, "y": 0.0, "z": 0.0}, 0.6), ({"x": 0.0, "y": 0.0, "z": 0.0}, 0.97)):
        found = agrees(base, query, at_least=at_least)
        assert len(found) == totals(base, query, at_least, similarities=False).votes.sum() > 0


@pytest.mark.parametrize("weight", [1e-310, 1e308])
def test_weights_without_a_sum_are_refused(weight):
    with pytest.raises(SchemaError, match="weights that sum to"):
        Schema("odd", (Feature("x", weight, Linear(1)), Feature("y", weight, Linear(1))), ("a", "b"), 0.5)


def test_the_index_excludes_cases():
    base = casebase(20_000)
    for query in queries(20, seed=5):
        everything, best = retrieve(base, query), retrieve(base, query, at_least=0.0, at_most=20)
        assert everything.scored < base.snapshot().count
        assert best.scored < base.snapshot().count
    scored = [retrieve(base, query).scored for query in queries(20, seed=6)]
    assert np.median(scored) < 0.25 * len(base)


def test_a_scan_scores_all_cases_with_the_same_result():
    indexed, plain = casebase(5000), casebase(5000, indexed=False)
    for query in queries(20, seed=7):
        a, b = retrieve(indexed, query), retrieve(plain, query)
        assert b.scored == 5000 or b.fell_back
        assert a.ids.tolist() == b.ids.tolist()
        assert a.similarities.tobytes() == b.similarities.tobytes()


def test_schemas_of_other_shapes_equal_the_plain_loop():
    rng = np.random.default_rng(1)
    slots_only = Schema(
        "s", (Feature("t", 2, PredictedStates(("a", "b", "c"), slots=2)),), ("x",), threshold=0.5
    )
    numbers_only = Schema(
        "n",
        (Feature("a", 0.3, Linear(max=2)), Feature("b", 7, Exponential(k=5, max=3), (-99, 99))),
        ("x",),
        threshold=0.9,
    )
    for schema, draw_values in (
        (slots_only, lambda: {"t": dict(zip("abc", rng.dirichlet([1, 1, 1]).tolist(), strict=True))}),
        (numbers_only, lambda: {"a": float(rng.integers(0, 9)), "b": float(rng.normal(0, 4))}),
    ):
        base = CaseBase(schema)
        base.extend(Case(schema.situation(draw_values()), "x") for _ in range(2100))
        base.fold_in()
        for _ in range(3):
            agrees(base, draw_values())
            agrees(base, draw_values(), at_least=0.0, at_most=7)


def test_ties_are_in_the_order_of_ids():
    base = toy(*[5.0] * 10, *[6.0] * 10)
    assert retrieve(base, {"x": 6.0}, at_most=4).ids.tolist() == [10, 11, 12, 13]
    assert retrieve(base, {"x": 5.5}, at_least=0.0, at_most=4).ids.tolist() == [0, 1, 2, 3]


def test_the_same_situation_has_similarity_1():
    base = casebase(50)
    query = next(queries(1, seed=8))
    id = base.append(
        Case(
            FLOP.situation(query),
            "call",
            1.0,
            {"game": 1, "hand": 2, "player": 3, "board": [1] * 5, "hole": (8, 9)},
        )
    )
    found = retrieve(base, query, at_least=1.0)
    assert (found.ids.tolist(), found.similarities.tolist()) == ([id], [1.0])


def test_the_threshold_is_inclusive():
    # 1 - 0.5 / 10 is 0.95 exactly as computed.
    assert retrieve(toy(1.0, 1.5, 2.0), {"x": 1.0}).ids.tolist() == [0, 1]


@pytest.mark.parametrize("scale", [Exponential(k=3, max=2), Exponential(k=0.01, max=1), Linear(max=2)])
def test_cases_at_the_limit_are_retrieved(scale):
    # With one feature the bounds are tight; a weight of 64 does not round.
    schema = Schema("line", (Feature("x", 64, scale),), ("a",), threshold=0.9, fallback=1)
    scanned, indexed = CaseBase(schema), CaseBase(schema)
    values = np.arange(2500, dtype=np.float32) / np.float32(1000)
    for base in (scanned, indexed):
        base.extend(Case(schema.situation({"x": x}), "a") for x in values)
    indexed.fold_in()
    for row in range(0, 2000, 37):
        at_least = scale(0.0, float(values[row]))
        for base in (scanned, indexed):
            assert retrieve(base, {"x": 0.0}, at_least=at_least).ids.tolist() == list(range(row + 1))
            assert retrieve(base, {"x": 0.0}, at_least=0, at_most=row + 1).ids.tolist() == list(
                range(row + 1)
            )


def test_without_a_case_at_the_threshold_the_most_similar_are_retrieved():
    found = retrieve(toy(9.0, 1.0, 8.0, 7.0), {"x": 5.0})
    assert found.fell_back
    assert found.ids.tolist() == [3, 2, 0]
    assert retrieve(toy(9.0, 1.0), {"x": 5.0}, fallback=1).ids.tolist() == [0]
    assert len(retrieve(toy(9.0), {"x": 5.0}, fallback=0)) == 0
    assert not retrieve(toy(9.0), {"x": 5.0}, fallback=0).fell_back
    assert not retrieve(toy(), {"x": 5.0}).fell_back
    assert retrieve(toy(), {"x": 5.0}).stored == 0


def test_local_similarities_explain_every_column():
    base = casebase(300)
    query = next(queries(1, seed=11))
    found = retrieve(base, query, at_least=0.0, at_most=5)
    for id, overall in zip(found.ids.tolist(), found.similarities.tolist(), strict=True):
        matches = explain(base, query, id)
        assert tuple(match.column for match in matches) == FLOP.columns
        total = weights = 0.0
        for match in matches:
            total += match.weight * match.similarity
            weights += match.weight
        assert total / weights == overall == similarity(FLOP, query, base.columns(), id)
        situation = base.case(id)["situation"]
        assert [situation[match.column] for match in matches] == [match.case for match in matches]
    assert matches[-3].column == "opponent hand type 1"
    assert matches[-3].query == max(query["opponent hand type"], key=query["opponent hand type"].get)


@pytest.mark.parametrize("id", ["inf", "-inf", "nan", "0.5", "9"])
def test_ids_that_are_not_stored_are_refused(id):
    base = toy(1.0, 2.0)
    with pytest.raises(SchemaError, match=f"case {id}(.0)?: expected the id of a stored case"):
        local_similarities(base, base.schema.situation({"x": 1.0}), np.array([0.0, float(id)]))


@pytest.mark.parametrize(
    "limits", [{"at_least": 1.5}, {"at_least": float("nan")}, {"at_most": 0}, {"fallback": -1}]
)
def test_limits_out_of_range_are_refused(limits):
    with pytest.raises(SchemaError, match=r"expected 0\.\.1"):
        retrieve(toy(1.0), {"x": 1.0}, **limits)


def test_unknown_ids_are_named():
    with pytest.raises(SchemaError, match="case 7"):
        explain(toy(1.0), {"x": 1.0}, 7)


def test_readers_see_complete_cases_while_another_thread_retains():
    base = casebase(2500)
    asked, observation, added = list(queries(5, seed=12)), [], draw(4000, seed=13)
    extra = [{name: column[..., i : i + 8] for name, column in added.items()} for i in range(0, 4000, 8)]

    def add():
        for columns in extra:
            base.extend_columns(columns)
            base.fold_in()

    writer = threading.Thread(target=add)
    writer.start()
    while writer.is_alive():
        observation += [(query, retrieve(base, query)) for query in asked]
    writer.join()
    assert base.snapshot().cells.stored > 2500
    # Every result equals a scan over the first `stored` cases.
    whole = base.columns()
    for query, found in observation[:: max(1, len(observation) // 40)]:
        then = CaseBase(FLOP)
        then.extend_columns({name: column[..., : found.stored] for name, column in whole.items()})
        again = retrieve(then, query)
        assert found.ids.tolist() == again.ids.tolist()
        assert found.similarities.tobytes() == again.similarities.tobytes()
