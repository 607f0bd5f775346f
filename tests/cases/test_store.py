import gc
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from reference.retrieval import FLOP, MERGED, casebase, queries

from baycarp.cases import Case, CaseBase, CaseStore, Feature, Linear, Schema, Settled, retain, retrieve
from baycarp.cases.salvage import salvage
from baycarp.errors import SchemaError, StoreError

TOY = Schema("toy", (Feature("x", 1, Linear(max=10)),), ("low", "high"), 0.9, provenance=(("hand", "i8", 1),))


def case(x, hand=0, solution="low", outcome=1.0):
    return Case(TOY.situation({"x": x}), solution, outcome, {"hand": hand})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cases.sqlite"


def hands(path):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with CaseStore(path, [TOY]) as store:
        return store.load("toy").columns()["provenance"]["hand"].tolist()


def test_stored_cases_are_loaded(path):
    with CaseStore(path, [TOY, FLOP]) as store:
        tickets = [store.retain("toy", case(i / 7, i, "high", -i)) for i in range(5)]
        assert [ticket.result(10) for ticket in tickets] == [0, 1, 2, 3, 4]
        assert len(store.load("flop")) == 0
    with CaseStore(path, [TOY]) as store:
        base = store.load("toy")
        assert base.case(3) == {
            "id": 3,
            "situation": {"x": pytest.approx(3 / 7)},
            "solution": "high",
            "outcome": -3.0,
            "provenance": {"hand": 3},
        }
        assert base.append(case(1)) == 5 == store.retain("toy", case(1)).result(10)


def test_a_new_store_has_the_cases_of_a_model(path):
    model = casebase(3000)
    with CaseStore.create(path, [model]) as store:
        again = store.load("flop")
        for name, column in model.columns().items():
            assert column.tobytes() == again.columns()[name].tobytes()
        for query in queries(5, seed=1):
            a, b = retrieve(model, query), retrieve(again, query)
            assert (a.ids.tolist(), a.scored) == (b.ids.tolist(), b.scored)
        provenance = dict.fromkeys(("game", "hand", "player"), 1) | {"board": [0] * 5, "hole": [1, 2]}
        settled = Settled("flop", Case(FLOP.situation(query), "call", 2.0, provenance))
        (ticket,) = retain([settled], {"flop": again}, store)
        assert ticket.result(10) == 3000
        assert again.case(3000)["outcome"] == 2.0
    with pytest.raises(StoreError, match="holds cases already"):
        CaseStore.create(path, [model])


def test_the_store_uses_a_write_ahead_log_with_synchronous_full(path):
    # The settings are read from a connection of the store.
    from baycarp.cases.store import _connect

    with CaseStore(path, [TOY]), closing(_connect(path, 1.0)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_ticket_is_done_only_after_commit(path):
    with CaseStore(path, [TOY]) as store, closing(sqlite3.connect(path)) as other:
        for i in range(50):
            store.retain("toy", case(0, i)).result(10)
            assert other.execute("SELECT count(*) FROM cases").fetchone() == (i + 1,)


def test_retaining_and_retrieving_never_wait_for_the_disk(path):
    base = CaseBase(TOY)
    with (
        CaseStore(path, [TOY], patience=60) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")  # blocks other writers
        tickets = [store.retain("toy", case(0, i)) for i in range(100)]
        base.append(case(0))
        assert len(retrieve(base, {"x": 0.0})) == 1
        assert not wait(tickets, timeout=0.2).done
        other.execute("ROLLBACK")
        assert [ticket.result(30) for ticket in tickets] == list(range(100))


def test_a_writer_that_cannot_write_raises_an_error_and_continues(path):
    with (
        CaseStore(path, [TOY], patience=0.05) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        lost = store.retain("toy", case(0))
        with pytest.raises(StoreError, match=r"cases\.sqlite: database is locked"):
            lost.result(30)
        store.flush(30)
        other.execute("ROLLBACK")
        assert store.retain("toy", case(0)).result(30) == 0


def test_a_cancelled_request_is_not_written(path):
    with (
        CaseStore(path, [TOY], patience=60) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")  # blocks other writers
        begun = store.retain("toy", case(0, 0))
        while not begun.running():
            time.sleep(0.001)
        waiting = [store.retain("toy", case(0, i)) for i in (1, 2, 3)]
        assert not begun.cancel()
        assert waiting[1].cancel()
        other.execute("ROLLBACK")
        assert [ticket.result(30) for ticket in (begun, waiting[0], waiting[2])] == [0, 1, 2]
        store.flush(30)
    assert hands(path) == [0, 1, 3]


def test_closing_writes_queued_cases(path):
    store = CaseStore(path, [TOY])
    for i in range(500):
        store.retain("toy", case(0, i))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.retain("toy", case(0))
    assert hands(path) == list(range(500))


def test_a_deleted_store_writes_queued_cases(path):
    store = CaseStore(path, [TOY])
    for i in range(200):
        store.retain("toy", case(0, i))
    del store
    gc.collect()
    assert hands(path) == list(range(200))


def test_the_end_of_the_program_writes_queued_cases(path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from test_store import *\n"
        "store = CaseStore(sys.argv[1], [TOY])\n"
        "for i in range(200): store.retain('toy', case(0, i))\n"
    )
    here = Path(__file__)
    subprocess.run([sys.executable, "-c", code, path, here.parent], check=True, env=_env(), timeout=60)
    assert hands(path) == list(range(200))


def test_flush_waits_for_all_earlier_requests(path):
    with CaseStore(path, [TOY]) as store:
        tickets = [store.retain("toy", case(0, i)) for i in range(3000)]
        store.flush(60)
        assert all(ticket.done() for ticket in tickets)


def test_many_threads_and_two_stores_can_write_one_file(path):
    def fill(store, first):
        tickets = [store.retain("toy", case(0, first + i)) for i in range(100)]
        wait(tickets)
        assert len({ticket.result() for ticket in tickets}) == 100

    with CaseStore(path, [TOY], patience=60) as a, CaseStore(path, [TOY], patience=60) as b:
        threads = [
            threading.Thread(target=fill, args=(store, 1000 * i)) for i, store in enumerate((a, b, a, b))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(hands(path)) == [1000 * i + j for i in range(4) for j in range(100)]


def _env():
    tests = str(Path(__file__).resolve().parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])}


def acknowledged_by(path, kills, *more):
    script = Path(__file__).with_name("killed_writers.py")
    done = subprocess.run(
        [sys.executable, script, path, str(kills), "1", *more],
        check=True,
        capture_output=True,
        text=True,
        env=_env(),
    )
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return [int(line) for line in done.stdout.split()]


def kill_writers(path, kills):
    acknowledged = acknowledged_by(path, kills)
    with CaseStore(path, [FLOP]) as store:
        columns = store.load("flop").columns()
    kept = columns["provenance"]["hand"].tolist()
    assert acknowledged
    assert set(acknowledged) <= set(kept)
    assert len(set(kept)) == len(kept)
    assert columns["outcomes"].tolist() == [float(hand) for hand in kept]


def test_acknowledged_cases_survive_a_kill(path):
    kill_writers(path, 20)


@pytest.mark.slow
def test_acknowledged_cases_survive_a_thousand_kills(path):
    kill_writers(path, 1000)


def kill_merging_writers(path, kills):
    acknowledged = acknowledged_by(path, kills, "merged")
    with CaseStore(path, [MERGED]) as store:
        columns = store.load("merged").columns()
    assert acknowledged
    situations = list(zip(columns["symbols"][0].tolist(), columns["numbers"][0].tolist(), strict=True))
    assert len(set(situations)) == len(situations)
    counts = dict(zip(situations, columns["counts"].T.tolist(), strict=True))
    wanted = Counter((str(n // 1_000_000), float(n % 1_000_000 % 5), n % 1_000_000 % 2) for n in acknowledged)
    for (child, x, code), count in wanted.items():
        assert counts[child, x][code] >= count
    assert np.array_equal(columns["sums"], 0.5 * columns["counts"])  # counts and sums are consistent


def test_acknowledged_merged_cases_are_counted_after_a_kill(path):
    kill_merging_writers(path, 20)


@pytest.mark.slow
def test_acknowledged_merged_cases_are_counted_after_a_thousand_kills(path):
    kill_merging_writers(path, 1000)


def test_another_schema_is_refused(path):
    CaseStore(path, [TOY]).close()
    other = Schema("toy", TOY.features, ("low", "middle", "high"), 0.9, provenance=TOY.provenance)
    with pytest.raises(StoreError, match=r"cases\.sqlite: case-base 'toy' of layout"):
        CaseStore(path, [other])
    lighter = Schema("toy", (Feature("x", 3, Linear(max=5)),), TOY.solutions, 0.5, provenance=TOY.provenance)
    CaseStore(path, [lighter, FLOP]).close()  # weights may change, case-bases may be added


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b"what is this? " * 500),
        lambda path: path.mkdir(),
        lambda path: _sql(path, "CREATE TABLE recipes (name TEXT)"),
        lambda path: _sql(path, "PRAGMA application_id = 7"),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "PRAGMA user_version = 6")),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "PRAGMA user_version = 3")),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "CREATE VIEW more AS SELECT 1")),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "DROP INDEX situations")),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "PRAGMA user_version = 0")),
        lambda path: (CaseStore(path, [TOY]).close(), _sql(path, "DROP TABLE bases")),
    ],
    ids=[
        "text",
        "folder",
        "another program's",
        "another id",
        "newer",
        "older",
        "a view",
        "no index",
        "no version",
        "a table is missing",
    ],
)
def test_a_foreign_file_is_refused_and_not_changed(path, make):
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=r"cases\.sqlite"):
        CaseStore(path, [TOY])
    assert before is None or path.read_bytes() == before


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n"


@pytest.mark.parametrize("version", [5, 4])
@pytest.mark.parametrize(
    "code",
    [
        "CREATE TRIGGER t AFTER INSERT ON cases BEGIN DELETE FROM cases; END",
        f"CREATE TRIGGER t AFTER INSERT ON cases BEGIN DELETE FROM cases WHERE id IN ({ENDLESS}); END",
        f"DROP TABLE bases; CREATE VIEW bases AS SELECT i AS name, i AS layout FROM ({ENDLESS})",
    ],
    ids=["trigger", "endless trigger", "endless view"],
)
def test_code_in_a_file_is_refused_and_not_run(code, version, path):
    with CaseStore(path, [TOY]) as store:
        store.retain("toy", case(1)).result(10)
    _sql(path, f"{'DROP TABLE about; ' * (version == 4)}{code}; PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match="expected tables and indexes alone"):
        CaseStore(path, [TOY])
    with pytest.raises(StoreError, match=r"expected tables|expected a case store"):
        salvage(path, TOY)


def test_tables_of_an_older_version_are_those_of_this_one_once_migrated(path):
    CaseStore(path, [TOY]).close()
    _sql(path, "DROP TABLE about; CREATE TABLE more (a); PRAGMA user_version = 4")
    with pytest.raises(StoreError, match="its tables are not those of version 4"):
        CaseStore(path, [TOY])


def test_a_newer_version_is_named(path):
    CaseStore(path, [TOY]).close()
    _sql(path, "PRAGMA user_version = 7")
    with pytest.raises(StoreError, match=r"cases\.sqlite: a case store of version 7, newer: expected 1 to 5"):
        CaseStore(path, [TOY])


def first_version(path, count):
    """A file of version 1 of the store."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            """
            CREATE TABLE bases (name TEXT PRIMARY KEY, layout TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE cases (
                base TEXT NOT NULL REFERENCES bases, id INTEGER NOT NULL,
                numbers BLOB NOT NULL, codes BLOB NOT NULL, solution INTEGER NOT NULL, outcome REAL NOT NULL,
                provenance BLOB NOT NULL, PRIMARY KEY (base, id)
            ) WITHOUT ROWID;
            PRAGMA application_id = 1650672467;
            PRAGMA user_version = 1;
            """
        )
        connection.execute("INSERT INTO bases VALUES ('toy', ?)", (TOY.layout,))
        for id in range(count):
            row = ("toy", id, struct.pack("<f", id / 7), b"", id % 2, -id, struct.pack("<q", 10 * id))
            connection.execute("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def test_an_older_version_is_migrated_with_a_copy(path):
    first_version(path, 5)
    with CaseStore(path, [TOY]) as store:
        base = store.load("toy")
        assert base.columns()["outcomes"].tolist() == [0, -1, -2, -3, -4]
        assert base.columns()["provenance"]["hand"].tolist() == [0, 10, 20, 30, 40]
        assert base.case(3)["solution"] == "high"
        assert store.retain("toy", case(1)).result(10) == 5
    copy = path.with_name("cases.sqlite.version-1")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM cases").fetchone() == (5,)
    made = copy.stat().st_mtime_ns
    with CaseStore(path, [TOY]) as store:
        assert len(store.load("toy")) == 6
    assert copy.stat().st_mtime_ns == made
    assert sorted(each.name for each in path.parent.iterdir()) == [path.name, copy.name]


def second_version(path):
    """A file of version 2 of the store, as SQL: five cases of TOY, one of them forgotten, 12 sampled ones of
    FLOP, and some propensities."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(Path(__file__).with_name("version-2.sql").read_text())


def test_the_second_version_is_migrated_with_all_cases(path):
    second_version(path)
    with CaseStore(path, [TOY, FLOP]) as store:
        toy, flop = store.load("toy"), store.load("flop")
        assert store.retain("toy", case(2, 7)).result(10) == 5
    columns = toy.columns()
    assert columns["ids"].tolist() == [0, 2, 3, 4]
    assert columns["numbers"][0].tolist() == [np.float32(i / 7) for i in (0, 2, 3, 4)]
    assert columns["solutions"].tolist() == [0, 0, 1, 0]
    assert columns["outcomes"].tolist() == [0, -2, -3, -4]
    assert columns["provenance"]["hand"].tolist() == [0, 20, 30, 40]
    for name, column in casebase(12, seed=3).columns().items():
        assert column.tobytes() == flop.columns()[name].tobytes()
    with closing(sqlite3.connect(path.with_name("cases.sqlite.version-2"))) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT count(propensity) FROM cases").fetchone() == (1,)


def third_version(path):
    """A file of version 3 of the store, as SQL: the cases of version 2, and nine merged cases."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(Path(__file__).with_name("version-3.sql").read_text())


def test_the_third_version_is_migrated_with_symbols_and_counts(path):
    third_version(path)
    with CaseStore(path, [TOY, FLOP, MERGED]) as store:
        toy, flop, merged = (store.load(name).columns() for name in ("toy", "flop", "merged"))
        again = Case(MERGED.situation({"x": 0, "child": "0"}), "high", 2.0)
        assert store.retain("merged", again).result(10) == 0
        assert store.load("merged").columns()["counts"][:, 0].tolist() == [2, 1]
    assert toy["provenance"]["hand"].tolist() == [0, 20, 30, 40]
    for name, column in casebase(12, seed=3).columns().items():
        assert column.tobytes() == flop[name].tobytes()
    assert merged["symbols"].tolist() == [["0", "1", "2", "0", "1", "2"]]
    assert merged["numbers"].tolist() == [[0, 1, 0, 1, 0, 1]]
    assert merged["counts"].tolist() == [[2, 0, 2, 0, 1, 0], [0, 2, 0, 1, 0, 1]]
    assert merged["sums"].sum(axis=0).tolist() == [3.0, 4.0, 5.0, 1.5, 2.0, 2.5]
    assert path.with_name("cases.sqlite.version-3").exists()


def fourth_version(path):
    """A file of version 4 of the store, as SQL: the cases of version 3, without the table ``about``."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(Path(__file__).with_name("version-4.sql").read_text())


def test_the_fourth_version_is_migrated_and_records_nothing(path):
    third, fourth = path, path.with_name("fourth.sqlite")
    third_version(third)
    fourth_version(fourth)
    with CaseStore(third, [TOY, FLOP, MERGED]) as old, CaseStore(fourth, [TOY, FLOP, MERGED]) as new:
        assert old.about == new.about == {}
        for name in ("toy", "flop", "merged"):
            after = new.load(name).columns()
            for column, values in old.load(name).columns().items():
                assert values.tobytes() == after[column].tobytes()
    assert fourth.with_name("fourth.sqlite.version-4").exists()


def test_what_is_recorded_of_all_cases_is_read_again(path):
    CaseStore.create(path, [], about={"maker": "a test", "beliefs": "none"}).close()
    with CaseStore(path, [TOY]) as store:
        assert store.about == {"maker": "a test", "beliefs": "none"}


@pytest.mark.parametrize("value", ["x'00ff'", "hex(zeroblob(600))"])
def test_a_record_that_is_no_short_text_is_damage(path, value):
    CaseStore(path, [TOY]).close()
    _sql(path, f"INSERT INTO about VALUES ('beliefs', {value})")
    with pytest.raises(StoreError, match=r"cases\.sqlite: damaged: the table about"):
        CaseStore(path, [TOY])


def tables_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall(), key=str)


@pytest.mark.parametrize(
    "older", [lambda path: first_version(path, 5), second_version, third_version, fourth_version]
)
def test_a_migrated_file_has_the_tables_of_a_new_one(path, older):
    older(path)
    new = path.with_name("new.sqlite")
    for each in (path, new):
        CaseStore(each, [TOY]).close()
    assert tables_of(path) == tables_of(new)


def test_a_failed_migration_does_not_change_the_file(path, monkeypatch):
    from baycarp.cases import tables

    first_version(path, 5)
    steps = tables._STEPS | {1: (*tables._STEPS[1], "DELETE FROM cases", "what is this?")}
    with monkeypatch.context() as patched:
        patched.setattr(tables, "_STEPS", steps)
        with pytest.raises(StoreError, match=r"cases\.sqlite: near"):
            CaseStore(path, [TOY])
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM cases").fetchone() == (5,)
        assert "propensity" not in str(connection.execute("SELECT sql FROM sqlite_master").fetchall())
    with CaseStore(path, [TOY]) as store:
        assert len(store.load("toy")) == 5


def test_several_threads_can_migrate_one_file(path):
    first_version(path, 5)
    stores = []
    threads = [threading.Thread(target=lambda: stores.append(CaseStore(path, [TOY]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        assert len(store.load("toy")) == 5
        store.close()
    assert len(stores) == 4


def test_forgotten_cases_are_deleted_and_their_ids_not_reused(path):
    with CaseStore(path, [TOY, FLOP]) as store:
        for i in range(6):
            store.retain("toy", case(i, hand=i))
        assert store.forget("toy", np.array([1, 4, 5, 77])).result(10) == 2  # the newest case is kept
        assert store.retain("toy", case(0, hand=6)).result(10) == 6
        with pytest.raises(SchemaError, match="river"):
            store.forget("river", [1])
    with CaseStore(path, [TOY]) as store:
        base = store.load("toy")
        assert base.columns()["ids"].tolist() == [0, 2, 3, 5, 6]
        assert base.append(case(0)) == 7 == store.retain("toy", case(0)).result(10)
        assert store.forget("toy", []).result(10) == 0


def test_forgetting_never_blocks_and_is_done_only_after_commit(path):
    with (
        CaseStore(path, [TOY], patience=60) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        for i in range(6):
            store.retain("toy", case(i))
        store.flush(10)
        other.execute("BEGIN EXCLUSIVE")  # blocks other writers
        ticket = store.forget("toy", [0, 1])
        assert not wait([ticket], timeout=0.1).done
        assert len(store.load("toy")) == 6
        other.execute("ROLLBACK")
        assert ticket.result(30) == 2
        assert len(store.load("toy")) == 4


def _sql(path, statement):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(statement)


def test_a_corrupt_page_is_a_typed_error(path):
    with CaseStore.create(path, [casebase(2000)]):
        pass
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[4096 * page : 4096 * page + 32] = b"\xff" * 32
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"cases\.sqlite"), CaseStore(path, [FLOP]) as store:
        store.load("flop")


def test_a_read_only_folder_is_a_typed_error():
    # Root can write everywhere, so the test runs as user nobody.
    code = (
        "import os, sys, baycarp.cases.store, test_store\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: test_store.CaseStore(sys.argv[1] + '/cases.sqlite', [test_store.TOY])\n"
        "except test_store.StoreError as error: print(error)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        env = _env()
        env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), env["PYTHONPATH"]])
        done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, env=env)
    assert "cases.sqlite: unable to open database file" in done.stdout, done.stderr


def test_a_missing_folder_is_a_typed_error(tmp_path):
    with pytest.raises(StoreError, match="unable to open"):
        CaseStore(tmp_path / "nowhere" / "cases.sqlite", [TOY])


def test_an_invalid_case_is_refused_before_it_is_queued(path):
    with CaseStore(path, [TOY]) as store:
        with pytest.raises(SchemaError, match="river"):
            store.retain("river", case(0))
        with pytest.raises(SchemaError, match="middle"):
            store.retain("toy", case(0, solution="middle"))
        with pytest.raises(SchemaError, match="river"):
            store.load("river")
