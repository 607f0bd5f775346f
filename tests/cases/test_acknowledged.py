"""What a store acknowledges can be read: of any case, and beside rows that anybody forged."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from robustness.budget import budget

from baycarp.cases import Aligned, Case, CaseBase, CaseStore, Feature, Linear, Schema, salvage
from baycarp.cases.columns import LONGEST, MOST
from baycarp.cases.digests import case_digest, symbol_digest, tried_digest
from baycarp.cases.similarity import PredictedStates
from baycarp.errors import BaycarpError, ModelError, SchemaError, StoreError
from baycarp.files import read_arrays, write_arrays


def schema(name, merged=False, most=10.0):
    features = (
        Feature("x", 1, Linear(max=10), bounds=(-most, most)),
        Feature("kind", 1, PredictedStates(("low", "high"), slots=1)),
        Feature("board", 1, Aligned("abc", 0.1)),
    )
    origin = () if merged else (("n", "i8", 1), ("cards", "u1", 2))
    return Schema(name, features, ("fold", "call"), 0.9, provenance=origin, merged=merged)


PLAIN, MERGED = schema("plain"), schema("merged", merged=True)


def case(form, x=1.0, board="ab", outcome=1.0, n=0, cards=(1, 2), solution="call"):
    situation = form.situation({"x": x, "kind": {"low": 0.5}, "board": board})
    origin = {"n": n, "cards": list(cards)} if form.provenance else {}
    return Case(situation, solution, outcome, origin)


def sql(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cases.sqlite"


def filled(path):
    """Three cases of each schema."""
    with CaseStore(path, [PLAIN, MERGED]) as store:
        for n in range(3):
            store.retain("plain", case(PLAIN, n=n, board="abc"[n]))
            store.retain("merged", case(MERGED, board="abc"[n]))
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path


NUMBERS = st.floats() | st.sampled_from([0.0, -0.0, 1e15, -1e15, 1e16, 5e-324, 10.0])
WHOLE = st.integers() | st.sampled_from([0, 2**63 - 1, -(2**63), 2**63, 255, 256])
TEXTS = st.text(max_size=5) | st.sampled_from(["", "a\0", "a" * LONGEST, "a" * (LONGEST + 1), "\ud800"])


@budget(0.5)
@given(st.lists(st.tuples(st.booleans(), NUMBERS, TEXTS, NUMBERS, WHOLE, WHOLE), max_size=6))
@example([(False, 1.0, "a", -0.0, 0, 0), (True, 1.0, "a", -0.0, 0, 0)])
@example([(True, 1.0, "a", 1e15, 0, 0)] * 3)
def test_what_is_acknowledged_is_read(drawn):
    with TemporaryDirectory() as folder:
        path, tickets = Path(folder, "cases.sqlite"), []
        with CaseStore(path, [PLAIN, MERGED]) as store:
            for merges, x, board, outcome, n, card in drawn:
                form = MERGED if merges else PLAIN
                try:
                    given = case(form, x, board, outcome, n, (card, 0))
                    tickets.append((given, form.name, store.retain(form.name, given)))
                except BaycarpError:
                    continue
            acknowledged = [(given, name, ticket.result(60)) for given, name, ticket in tickets]
        with CaseStore(path, [PLAIN, MERGED]) as store:
            bases = {name: store.load(name) for name in ("plain", "merged")}
        for given, name, id in acknowledged:
            found = bases[name].case(id)
            assert found["situation"]["board"] == given.situation.symbols[0]
            assert found["situation"]["x"] == given.situation.numbers[0]
            if name == "plain":
                assert found["outcome"] == given.outcome
                assert found["provenance"] == dict(given.provenance)
        assert len(bases["plain"]) == sum(name == "plain" for _, name, _ in acknowledged)


FORGED = (
    *(("cases", column) for column in ("id", "numbers", "codes", "symbols", "solution", "outcome", "merged")),
    *(("cases", "provenance"), ("symbols", "code"), ("symbols", "symbol")),
    *(("tried", column) for column in ("id", "solution", "count", "outcomes")),
)
VALUES = (
    -1,
    0,
    1,
    7,
    255,
    256,
    MOST,
    MOST + 1,
    2**63 - 1,
    1e300,
    -1e16,
    "x",
    "",
    "a" * 2000,
    b"",
    b"\xff" * 4,
)
DIGESTS = {"cases": case_digest, "symbols": symbol_digest, "tried": tried_digest}


def forge(path, base, table, column, value):
    """Change a value of one row, and make all digests anew; whether that is possible."""
    with closing(sqlite3.connect(path)) as connection:
        key = {"cases": "id", "symbols": "code", "tried": "id"}[table]
        row = connection.execute(
            f"SELECT * FROM {table} WHERE base = ? ORDER BY {key} DESC LIMIT 1", (base,)
        ).fetchone()
        names = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        changed = dict(zip(names, row, strict=True)) | {column: value}
        try:
            changed["digest"] = DIGESTS[table](*list(changed.values())[:-1])
            connection.execute(f"DELETE FROM {table} WHERE digest = ?", row[-1:])
            connection.execute(
                f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", [*changed.values()]
            )
        except Exception:
            return False
        change = changed["digest"] - row[-1], base
        connection.execute("UPDATE bases SET digests = digests + ? WHERE name = ?", change)
        connection.commit()
    return True


def retained(path, form, given):
    """The id of a case that is acknowledged; None = the store, or the case, is refused."""
    try:
        with CaseStore(path, [PLAIN, MERGED]) as store:
            return store.retain(form.name, given).result(60)
    except StoreError:
        return None


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("good") / "cases.sqlite")


@pytest.mark.parametrize(("table", "column"), FORGED)
def test_a_case_that_is_acknowledged_beside_a_forged_row_is_read_or_salvaged(good, tmp_path, table, column):
    forms = [MERGED] if table == "tried" else [PLAIN, MERGED]
    for place, (form, value) in enumerate(product(forms, VALUES)):
        path = Path(shutil.copy(good, tmp_path / f"{place}.sqlite"))
        if not forge(path, form.name, table, column, value):
            continue
        id = retained(path, form, case(form, x=3.0, board="new", outcome=5.0))
        try:
            with CaseStore(path, [PLAIN, MERGED]) as store:
                found = store.load(form.name)
        except StoreError:
            found, _ = salvage(path, form)
        if id is not None:
            assert found.case(id)["situation"]["board"] == "new"
            assert found.case(id)["situation"]["x"] == 3.0
        assert len(found) >= 2


def test_no_case_is_acknowledged_behind_the_last_id(good, path):
    shutil.copy(good, path)
    assert forge(path, "plain", "cases", "id", MOST)
    with CaseStore(path, [PLAIN, MERGED]) as store:
        with pytest.raises(StoreError, match=f"'plain' is full: the next id would be {MOST + 1}"):
            store.retain("plain", case(PLAIN)).result(60)
        assert len(store.load("plain")) == 3
    assert len(salvage(path, PLAIN)[0]) == 3


def test_rows_that_no_case_base_takes_are_not_salvaged(good, path):
    shutil.copy(good, path)
    assert forge(path, "plain", "cases", "id", MOST + 1)
    with pytest.raises(StoreError, match="1 ids that are not 0 to"):
        CaseStore(path, [PLAIN, MERGED])
    found, lost = salvage(path, PLAIN)
    assert (found.columns()["ids"].tolist(), lost) == ([0, 1], 1)


def test_counts_do_not_grow_beyond_their_bound(good, path):
    shutil.copy(good, path)
    assert forge(path, "merged", "tried", "count", MOST)
    with CaseStore(path, [PLAIN, MERGED]) as store:
        with pytest.raises(StoreError, match=f"would count {MOST + 1}"):
            store.retain("merged", case(MERGED, board="c")).result(60)
        assert len(store.load("merged")) == 3


@pytest.mark.parametrize(
    "change",
    ["cases = 'abc'", "cases = 2", "digests = 9223372036854775807", "digests = 1.5", "digests = x'00'"],
)
def test_a_file_whose_sums_are_wrong_is_refused_when_it_is_opened(good, path, change):
    shutil.copy(good, path)
    sql(path, f"UPDATE bases SET {change} WHERE name = 'plain'")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="damaged: case-base 'plain': cases and sum of digests"):
        CaseStore(path, [PLAIN, MERGED])
    assert path.read_bytes() == before
    assert len(salvage(path, PLAIN)[0]) == 3


def test_cases_of_wider_bounds_are_not_retained(path):
    wide = CaseBase(schema("plain", most=1e6))
    wide.append(case(wide.schema, x=5e5))
    with CaseStore(path, [PLAIN]) as store, pytest.raises(SchemaError, match="x = 500000 of plain"):
        store.retain_all(wide)
    begun = path.with_name("begun.sqlite")
    CaseStore(begun, []).close()
    with pytest.raises(SchemaError, match="x = 500000 of plain"):
        CaseStore(begun, [PLAIN], begin=lambda about: [wide])


# Logs


def copied(folder, n, name):
    """A store whose process was killed after n cases: they are in its log."""
    code = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[2]); from test_acknowledged import *\n"
        "store = CaseStore(sys.argv[1], [PLAIN])\n"
        f"for n in range({n}): store.retain('plain', case(PLAIN, n=n)).result(60)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    (folder / name).mkdir()
    path, here = folder / name / "cases.sqlite", Path(__file__)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here.parents[1]), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code, path, here.parent], env=env, timeout=120)
    assert done.returncode == -signal.SIGKILL
    return path


def side(path, ending):
    return path.with_name(path.name + ending)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills by signal")
def test_the_log_of_another_store_does_not_change_the_file(tmp_path, path):
    with CaseStore(path, [PLAIN]) as store:
        for n in range(2000):
            store.retain("plain", case(PLAIN, n=n))
    whole = path.read_bytes()
    shutil.copy(side(copied(tmp_path, 5, "other"), "-wal"), side(path, "-wal"))
    with pytest.raises(StoreError, match="damaged"):
        CaseStore(path, [PLAIN])
    assert path.read_bytes() == whole
    for ending in ("-wal", "-shm"):
        side(path, ending).unlink(missing_ok=True)
    with CaseStore(path, [PLAIN]) as store:
        assert len(store.load("plain")) == 2000


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills by signal")
@pytest.mark.parametrize("left", ["garbage", "link", "nowhere", "folder", "zeros", "index", "empty index"])
def test_what_lies_beside_a_file_is_harmless_or_refused(tmp_path, left):
    path = copied(tmp_path, 5, "store")
    log, index = side(path, "-wal"), side(path, "-shm")
    kept, victim = log.read_bytes(), tmp_path / "victim"
    victim.write_bytes(b"precious" * 999)
    if left.endswith("index"):
        index.write_bytes(b"\xff" * 32768 * (left == "index"))
    else:
        log.unlink()
        index.unlink()
    if left == "folder":
        log.mkdir()
    elif left == "garbage":
        log.write_bytes(b"\xff" * 50_000)
    elif not left.endswith("index"):
        log.symlink_to({"link": victim, "nowhere": tmp_path / "none", "zeros": "/dev/zero"}[left])
    number = 0
    try:
        with CaseStore(path, [PLAIN]) as store:
            number = len(store.load("plain"))
            assert store.retain("plain", case(PLAIN)).result(60) == number
            assert len(store.load("plain")) == number + 1
    except StoreError:
        assert left in ("folder", "link", "nowhere", "zeros")
    assert victim.read_bytes() == b"precious" * 999
    assert not (tmp_path / "none").exists()
    if left.endswith("index"):
        assert number == 5
    elif left != "garbage":  # the log is put back
        shutil.rmtree(log) if left == "folder" else log.unlink()
        log.write_bytes(kept)
        with CaseStore(path, [PLAIN]) as store:
            assert len(store.load("plain")) == 5


# Case-bases in files


@pytest.mark.parametrize(
    "words",
    [["ab", "ab"], ["a" * (LONGEST + 1), "b"], [["a", "b"], ["c", "d"]]],
    ids=["twice", "long", "table"],
)
def test_a_vocabulary_has_different_texts_of_a_bounded_length(tmp_path, words):
    path, base = tmp_path / "a.npz", CaseBase(PLAIN)
    base.extend([case(PLAIN, board=board) for board in ("a", "b", "")])
    base.save(path)
    assert CaseBase.load(path, PLAIN).columns()["symbols"].tolist() == [["a", "b", ""]]
    write_arrays(path, read_arrays(path) | {"vocabulary 0": np.array(words)})
    with pytest.raises(ModelError, match="expected vocabularies of different texts"):
        CaseBase.load(path)


def test_a_wide_vocabulary_does_not_take_memory_for_every_case(tmp_path):
    path, base = tmp_path / "a.npz", CaseBase(PLAIN)
    base.append(case(PLAIN))
    base.save(path)
    many = {
        name: array
        if array.ndim == 0 or name.startswith("vocabulary")
        else np.repeat(array, 300_000, axis=-1)
        for name, array in read_arrays(path).items()
    }
    many |= {"ids": np.arange(300_000), "vocabulary 0": np.array(["a" * LONGEST])}
    write_arrays(path, many)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ModelError, match=r"expected vocabularies .* bytes in all cases"):
        CaseBase.load(path)
