import json
import threading

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase, draw, queries

from baycarp.cases import CaseBase, Exponential, Feature, Linear, Schema, retrieve
from baycarp.cases.columns import room
from baycarp.cases.index import LEAST, partition
from baycarp.errors import ModelError, SchemaError
from baycarp.files import read_arrays, write_arrays


def test_ids_increase_and_do_not_change():
    base = CaseBase(FLOP)
    assert base.extend_columns(draw(3, 0)).tolist() == [0, 1, 2]
    later = {**draw(2, 1), "ids": np.array([10, 12])}
    assert base.extend_columns(later).tolist() == [10, 12]
    assert base.extend_columns(draw(200, 2))[:2].tolist() == [13, 14]
    assert base.snapshot().rows(np.array([12, 0])).tolist() == [4, 0]
    assert base.case(12)["provenance"]["hand"] == 1


@pytest.mark.parametrize("missing", [3, 11, 999, -1])
def test_an_unknown_id_is_named(missing):
    base = CaseBase(FLOP)
    base.extend_columns({**draw(2, 1), "ids": np.array([10, 12])})
    with pytest.raises(SchemaError, match=f"case {missing}:"):
        base.case(missing)


def test_a_snapshot_does_not_change():
    base = casebase(100)
    before = base.snapshot()
    kept = before.numbers[:, :100].copy()
    base.extend_columns(draw(5000, 3))
    base.fold_in()
    assert before.count == 100
    assert np.array_equal(before.numbers[:, :100], kept)


@pytest.mark.parametrize("cases", [1, 3, 63, 65, 200])
def test_a_fork_of_any_size_retrieves_the_same_cases(cases):
    base = CaseBase(FLOP)
    base.extend_columns(draw(cases, 4))
    fork = base.fork()
    for query in queries(5, 6):
        assert retrieve(fork, query).ids.tolist() == retrieve(base, query).ids.tolist()
    fork.extend_columns(draw(2, 5))
    assert (len(base), len(fork)) == (cases, cases + 2)


def test_columns_are_read_only_views():
    with pytest.raises(ValueError, match="read-only"):
        casebase(3).columns()["outcomes"][0] = 1


@pytest.mark.parametrize(
    "change",
    [
        {"ids": np.array([2, 1])},
        {"ids": np.array([-2, 1])},
        {"numbers": np.full((11, 2), np.nan, np.float32)},
        {"numbers": np.zeros((11, 2))},
        {"codes": np.full((3, 2), 17, np.uint8)},
        {"solutions": np.full(2, 5, np.uint8)},
        {"outcomes": np.array([0.0, np.inf])},
        {"outcomes": np.zeros(3)},
        {"more": np.zeros(2)},
    ],
)
def test_invalid_columns_are_refused(change):
    base = CaseBase(FLOP)
    with pytest.raises(SchemaError):
        base.extend_columns({**draw(2, 1), **change})
    assert len(base) == 0


def test_a_saved_case_base_retrieves_the_same_cases(tmp_path):
    base = casebase(3000)
    for name in ("a", "b"):
        base.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again = CaseBase.load(tmp_path / "a", FLOP)
    assert again.schema == FLOP == CaseBase.load(tmp_path / "a").schema
    for name, column in base.columns().items():
        assert column.tobytes() == again.columns()[name].tobytes()
    for query in queries(5, seed=1):
        a, b = retrieve(base, query), retrieve(again, query)
        assert a.ids.tolist() == b.ids.tolist()
        assert (a.similarities.tobytes(), a.scored) == (b.similarities.tobytes(), b.scored)


def test_a_file_of_an_older_version_is_read_without_its_propensities(tmp_path):
    base = casebase(5)
    base.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as file:
        arrays = dict(file)
    np.savez(tmp_path / "old.npz", **arrays, propensities=np.array([np.nan, 0.25, 1.0, np.nan, 0.5]))
    again = CaseBase.load(tmp_path / "old.npz", FLOP).columns()
    assert {name: column.tobytes() for name, column in again.items()} == {
        name: column.tobytes() for name, column in base.columns().items()
    }


def test_provenance_is_optional(tmp_path):
    schema = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("a",), 0.9)
    base = CaseBase(schema)
    base.extend_columns(
        {
            "numbers": np.zeros((1, 4), np.float32),
            "codes": np.empty((0, 4), np.uint8),
            "solutions": np.zeros(4, np.uint8),
            "outcomes": np.zeros(4),
            "provenance": np.empty(4, schema.origin),
        }
    )
    base.save(tmp_path / "toy")
    assert len(CaseBase.load(tmp_path / "toy")) == 4


def test_a_file_that_is_not_a_case_base_is_named(tmp_path):
    good = tmp_path / "good.npz"
    casebase(50).save(good)
    data = good.read_bytes()
    cut, garbled, other = tmp_path / "cut.npz", tmp_path / "garbled.npz", tmp_path / "other.npz"
    cut.write_bytes(data[: len(data) // 2])
    for at in range(0, len(data) - 64, 500):
        garbled.write_bytes(data[:at] + bytes(64) + data[at + 64 :])
        with pytest.raises(ModelError, match="garbled"):
            CaseBase.load(garbled)
    np.savez(other, numbers=np.zeros(3))
    for path in (cut, garbled, other, tmp_path / "missing.npz", tmp_path):
        with pytest.raises(ModelError) as caught:
            CaseBase.load(path)
        assert str(path) in str(caught.value)
    toy = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("a",), 0.9)
    with pytest.raises(ModelError, match="another schema"):
        CaseBase.load(good, toy)


def test_objects_in_a_file_are_never_unpickled(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, schema=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ModelError, match="no objects"):
        CaseBase.load(path)


def wide(cases, values=None):
    """Cases of two features with bounds of 1e15, the first column given."""
    bounds = -1e15, 1e15
    features = Feature("x", 5, Linear(max=1e-9), bounds), Feature("y", 1e30, Exponential(1e9, 1e-9), bounds)
    schema = Schema("wide", features, ("a", "b"), 0.9, fallback=3)
    numbers = np.random.default_rng(1).random((2, cases)).astype(np.float32)
    if values is not None:
        numbers[0] = values
    columns = room(schema, cases) | {"numbers": numbers}
    columns |= {"solutions": np.zeros(cases, np.uint8), "outcomes": np.zeros(cases)}
    del columns["ids"]
    return CaseBase(schema), columns


ODD = {
    "huge": lambda n: np.where(np.arange(n) % 7, 1e15, -1e15),
    "one huge": lambda n: np.where(np.arange(n), 0.5, 1e15),
    "denormal": lambda n: np.arange(n) % 3 * 1e-42,
    "constant": lambda n: np.full(n, 0.25),
    "zero": lambda n: np.zeros(n),
    "two values": lambda n: np.arange(n) % 2,
}


@pytest.mark.parametrize("cases", [LEAST, 3 * LEAST])
@pytest.mark.parametrize("kind", ODD)
def test_values_of_any_size_are_indexed_and_found_as_by_a_scan(kind, cases):
    casebase, columns = wide(cases, ODD[kind](cases).astype(np.float32))
    if kind in ("constant", "zero"):
        columns["numbers"][1] = 0
    casebase.extend_columns(columns)
    before = retrieve(casebase, {"x": 0.25, "y": 0.5})
    assert casebase.fold_in()
    after = retrieve(casebase, {"x": 0.25, "y": 0.5})
    assert (before.ids.tolist(), before.similarities.tolist()) == (
        after.ids.tolist(),
        after.similarities.tolist(),
    )


@pytest.mark.parametrize("value", [2e19, 3e38, np.inf, -np.inf, np.nan])
def test_a_value_that_would_crash_the_process_is_refused(tmp_path, value):
    casebase, columns = wide(LEAST)
    columns["numbers"][0, 7] = value
    with pytest.raises(SchemaError, match=r"x = \S+ of wide: expected a finite number of -1e\+15 to 1e\+15"):
        casebase.extend_columns(columns)
    assert len(casebase) == 0
    columns["numbers"][0, 7] = 0
    casebase.extend_columns(columns)
    casebase.save(tmp_path / "wide.npz")
    arrays = read_arrays(tmp_path / "wide.npz")
    numbers = arrays["numbers"].copy()
    numbers[0, 7] = value
    write_arrays(tmp_path / "wide.npz", arrays | {"numbers": numbers})
    with pytest.raises(ModelError, match=r"wide.npz: .*(x = \S+ of wide|expected finite)"):
        CaseBase.load(tmp_path / "wide.npz")


def test_outcomes_ids_and_counts_whose_sums_overflow_are_refused():
    for name, value in (("outcomes", 1e16), ("ids", 2**60)):
        casebase, columns = wide(3)
        columns = {"ids": np.arange(3), **columns}
        columns[name][2] = value
        with pytest.raises(SchemaError, match=f"{name} of wide"):
            casebase.extend_columns(columns)
    casebase, columns = wide(3)
    with pytest.raises(SchemaError, match="ids of wide"):  # their differences overflow 64 bits
        casebase.extend_columns(columns | {"ids": np.array([0, 2**63 - 1, -2])})


def test_a_zip_bomb_is_refused(tmp_path):
    path = tmp_path / "zeros.npz"
    casebase(3).save(path)
    write_arrays(path, read_arrays(path) | {"numbers": np.zeros((11, 3_000_000), np.float32)})
    with pytest.raises(ModelError, match=r"zeros.npz: .* expected at most 67108864"):
        CaseBase.load(path)


def test_a_schema_that_is_nested_too_deeply_is_refused(tmp_path):
    casebase(3).save(tmp_path / "deep.npz")
    write_arrays(
        tmp_path / "deep.npz", read_arrays(tmp_path / "deep.npz") | {"schema": np.array("[" * 10**5)}
    )
    with pytest.raises(ModelError, match=r"deep.npz: .*nested too deeply"):
        CaseBase.load(tmp_path / "deep.npz")


@pytest.mark.parametrize(
    "change",
    [
        {"fallback": 1.5},
        {"fallback": "20"},
        {"most": 2.5},
        {"ties": 1},
        {"merged": "x"},
        {"provenance": [["hand", "<i8", "1"]]},
        {"provenance": [["hand", "<i8", 1.5]]},
    ],
)
def test_a_schema_of_other_types_is_refused(tmp_path, change):
    """A right digest is no reason: a fraction was cut, a text was taken for a number."""
    path = tmp_path / "cases.npz"
    casebase(3).save(path)
    arrays = read_arrays(path)
    head = {"provenance": [], **json.loads(str(arrays["schema"])), **change}
    write_arrays(path, arrays | {"schema": np.array(json.dumps(head))})
    with pytest.raises(ModelError, match="not a readable case-base"):
        CaseBase.load(path)


def test_nobody_waits_for_an_index(monkeypatch):
    """One thread is at it, whoever asks; what is retrieved is the same before and after."""
    begun, allowed, made = threading.Event(), threading.Event(), []

    def slowly(*columns):
        made.append(len(columns[1][0]))
        begun.set()
        assert allowed.wait(10)
        return partition(*columns)

    monkeypatch.setattr("baycarp.cases.casebase.partition", slowly)
    base = CaseBase(FLOP)
    base.extend_columns(draw(LEAST, 5))
    (query,) = queries(1, seed=2)
    base.fold_in_later()
    assert begun.wait(10)
    base.extend_columns(draw(10, 6))
    base.fold_in_later()
    before = retrieve(base, query)
    assert base.snapshot().cells is None
    allowed.set()
    base._folding.join(10)
    assert base.snapshot().cells.stored == LEAST
    assert retrieve(base, query).ids.tolist() == before.ids.tolist()
    assert made == [LEAST]
