"""Damaged case stores: the error names the damage, and undamaged cases can be exported."""

import os
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from reference.retrieval import FLOP, MERGED, casebase

from baycarp.cases import Case, CaseBase, CaseStore, Feature, Linear, Schema, salvage
from baycarp.errors import StoreError

TOY = Schema("toy", (Feature("x", 1, Linear(max=10)),), ("low", "high"), 0.9, provenance=(("n", "i8", 1),))


def case(n):
    return Case(TOY.situation({"x": n}), "high", float(n), {"n": n})


def merged(cases):
    chance, base = np.random.default_rng(1), CaseBase(MERGED)
    for _ in range(cases):
        situation = MERGED.situation({"x": int(chance.integers(9)), "child": str(chance.integers(40))})
        base.append(Case(situation, ("low", "high")[chance.integers(2)], float(chance.integers(5))))
    return base


def sql(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


@pytest.fixture
def path(tmp_path):
    """Six cases of TOY with ids 0, 2, 3, 4, 5, 6, and 200 merged ones."""
    path = tmp_path / "cases.sqlite"
    with CaseStore.create(path, [CaseBase(TOY), merged(200)]) as store:
        for n in range(7):
            store.retain("toy", case(n))
        store.forget("toy", [1]).result(10)
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def read(path):
    with CaseStore(path, [TOY, MERGED]) as store:
        return store.load("toy"), store.load("merged")


def refused(path, message):
    way_out = "memory export cases FOLDER --salvage"
    with pytest.raises(StoreError, match=rf"cases\.sqlite: damaged: .*{message}.* {way_out}"):
        read(path)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("cases", "solution", 0),
        ("cases", "solution", 999),
        ("cases", "solution", "x"),
        ("cases", "numbers", b"1234"),
        ("cases", "numbers", b"12"),
        ("cases", "numbers", "text"),
        ("cases", "outcome", 1.5),
        ("cases", "outcome", "x"),
        ("cases", "provenance", b"12345678"),
        ("cases", "provenance", b""),
        ("cases", "digest", 1),
        ("symbols", "symbol", "77"),
        ("symbols", "symbol", b"\xff"),
        ("tried", "count", 3),
        ("tried", "outcomes", 0.5),
    ],
)
def test_a_changed_value_is_detected(path, table, column, value):
    row = {"cases": "id = 3 AND base = 'toy'", "symbols": "code = 3", "tried": "id = 3"}[table]
    sql(path, f"UPDATE {table} SET {column} = ? WHERE {row}", value)
    refused(path, "sum of digests" if column == "digest" else "1 of .* rows have another digest")


@pytest.mark.parametrize("table", ["cases", "symbols", "tried"])
def test_a_missing_row_is_detected(path, table):
    sql(path, f"DELETE FROM {table} WHERE base = 'merged' AND {'code' if table == 'symbols' else 'id'} = 3")
    refused(path, "sum of digests")


def test_replaced_rows_are_detected(path):
    """Valid rows of an earlier version of the file."""
    before = sql(path, "SELECT * FROM tried WHERE id = 3 LIMIT 1")[0]
    with CaseStore(path, [TOY, MERGED]) as store:
        held = store.load("merged").columns()
        again = {"x": float(held["numbers"][0, 3]), "child": str(held["symbols"][0, 3])}
        store.retain("merged", Case(MERGED.situation(again), MERGED.solutions[before[2]], 1.0)).result(10)
    sql(path, "INSERT OR REPLACE INTO tried VALUES (?, ?, ?, ?, ?, ?)", *before)
    refused(path, "sum of digests")


def test_damaged_counts_are_not_increased(path):
    with CaseStore(path, [TOY, MERGED]) as store:
        held = store.load("merged").columns()
        again = {"x": float(held["numbers"][0, 3]), "child": str(held["symbols"][0, 3])}
        sql(path, "UPDATE tried SET count = 77 WHERE id = 3")
        for solution in np.flatnonzero(held["counts"][:, 3]):
            ticket = store.retain("merged", Case(MERGED.situation(again), MERGED.solutions[solution], 1.0))
            with pytest.raises(StoreError, match="damaged: what case 3 of 'merged' counts"):
                ticket.result(10)


def test_a_case_base_without_its_layout_is_not_created_again(path):
    sql(path, "DELETE FROM bases WHERE name = 'toy'")
    refused(path, "'toy' has cases and no layout")
    assert sql(path, "SELECT name FROM bases") == [("merged",)]


def test_a_damaged_page_is_detected_when_the_file_is_opened(path):
    data = path.read_bytes()
    (root,) = sql(path, "SELECT rootpage FROM sqlite_master WHERE name = 'cases'")[0]
    at = 4096 * (root - 1)
    path.write_bytes(data[:at] + b"\xff" * 64 + data[at + 64 :])
    with pytest.raises(StoreError, match=r"cases\.sqlite: damaged"):
        CaseStore(path, [TOY, MERGED])


@pytest.mark.parametrize("value", [1e30, -50.0, np.nan])
def test_a_value_out_of_the_bounds_of_its_feature_is_refused_and_not_indexed(path, value):
    from baycarp.cases.digests import case_digest

    row = sql(path, "SELECT * FROM cases WHERE id = 3 AND base = 'toy'")[0]
    numbers = np.array([value], "<f4").tobytes()
    digest = case_digest("toy", row[1], numbers, *row[3:-1])
    sql(path, "UPDATE cases SET numbers = ?, digest = ? WHERE id = 3 AND base = 'toy'", numbers, digest)
    sql(path, "UPDATE bases SET digests = digests + ? WHERE name = 'toy'", digest - row[-1])
    refused(path, "x = .* of toy: expected a finite number of -40 to 1e")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_only_a_regular_file_is_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for name in ("pipe", "link"):
        for read in (lambda path: CaseStore(path, [TOY]), lambda path: salvage(path, TOY)):
            with pytest.raises(StoreError, match=f"{name}: expected a regular file"):
                read(tmp_path / name)


# Salvage


def test_cases_with_valid_rows_are_salvaged_and_the_file_does_not_change(path):
    sql(path, "UPDATE cases SET outcome = 9 WHERE id = 3 AND base = 'toy'")
    before = path.read_bytes()
    found, lost = salvage(path, TOY)
    assert (found.columns()["ids"].tolist(), lost) == ([0, 2, 4, 5, 6], 1)
    assert found.columns()["outcomes"].tolist() == found.columns()["provenance"]["n"].tolist()
    assert path.read_bytes() == before
    found, lost = salvage(path, MERGED)
    assert lost == 0
    for name, column in merged(200).columns().items():
        assert column.tobytes() == found.columns()[name].tobytes()


def test_merged_cases_without_symbol_or_counts_are_not_salvaged(path):
    whole = merged(200).columns()
    sql(path, "DELETE FROM tried WHERE id = 3")
    sql(path, "UPDATE symbols SET symbol = 'x' WHERE code = 4")
    found, lost = salvage(path, MERGED)
    symbols = whole["symbols"][0]
    gone = (whole["ids"] == 3) | (symbols == list(dict.fromkeys(symbols.tolist()))[4])
    assert found.columns()["ids"].tolist() == whole["ids"][~gone].tolist()
    assert found.columns()["symbols"][0].tolist() == symbols[~gone].tolist()
    assert lost == gone.sum()


def test_cases_on_both_sides_of_an_unreadable_page_are_salvaged(tmp_path):
    path, base = tmp_path / "cases.sqlite", casebase(2000)
    CaseStore.create(path, [base]).close()
    data = path.read_bytes()
    middle = data.index(base.columns()["numbers"].T[1000].tobytes()) // 4096 * 4096
    path.write_bytes(data[:middle] + b"\xff" * 4096 + data[middle + 4096 :])
    with pytest.raises(StoreError, match="damaged"):
        CaseStore(path, [FLOP])
    found, lost = salvage(path, FLOP)
    ids = found.columns()["ids"]
    assert 1900 < len(found) == 2000 - lost < 2000
    assert (ids[0], ids[-1]) == (0, 1999)
    for name, column in found.columns().items():
        assert column.tobytes() == base.columns()[name][..., ids].tobytes()


def test_an_unreadable_file_is_refused(tmp_path):
    for content in (b"", b"no store" * 999):
        (tmp_path / "x.sqlite").write_bytes(content)
        with pytest.raises(StoreError, match=r"x\.sqlite"):
            salvage(tmp_path / "x.sqlite", TOY)
    with pytest.raises(StoreError, match="No such file"):
        salvage(tmp_path / "missing", TOY)
