"""Faults of a store: failing disks and truncated logs; acknowledged cases are never lost."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from baycarp.cases import Case, CaseStore, Feature, Linear, Schema

SCHEMA = Schema("toy", (Feature("x", 1, Linear(max=10)),), ("low", "high"), 0.9, provenance=(("n", "i8", 1),))
HERE = Path(__file__).parent
CASES = 6

SCRIPT = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from baycarp.errors import StoreError
from test_store_faults import CASES, SCHEMA, CaseStore, case
try:
    store = CaseStore(sys.argv[1], [SCHEMA])
except StoreError as error:
    print("refused", error)
else:
    for n in range(CASES):
        try:
            print("kept", store.retain("toy", case(n)).result(30), n, flush=True)
        except StoreError as error:
            print("failed", n, error, flush=True)
    store.close()
"""


def case(n):
    return Case(SCHEMA.situation({"x": n}), "high", float(n), {"n": n})


def kept(path):
    """The cases that a process without faults loads; a store whose making failed is not there."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with CaseStore(path, [SCHEMA]) as store:
        columns = store.load("toy").columns()
        assert columns["outcomes"].tolist() == columns["provenance"]["n"].tolist()  # complete rows only
        return columns["provenance"]["n"].tolist()


@pytest.fixture(scope="module")
def faulty_disk(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("a C compiler and Linux are wanted, to make a disk that fails")
    library = tmp_path_factory.mktemp("disk") / "faulty_disk.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, HERE / "faulty_disk.c", "-ldl"], check=True)
    return library


def run(library, path, at, number=errno.EIO, lasts=False, script=SCRIPT):
    """Run a script while the ``at``-th write or sync fails; its output, and the number of calls."""
    count = path.with_suffix(".count")
    env = os.environ | {
        "LD_PRELOAD": str(library),
        "FAULT_FILE": path.name,
        "FAULT_AT": str(at),
        "FAULT_ERRNO": str(number),
        "FAULT_COUNT": str(count),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    if lasts:
        env["FAULT_LASTS"] = "1"
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()], int(count.read_text().split()[0])


def fail_at(run, folder, at, number, lasts):
    path = folder / "cases.sqlite"
    text, _ = run(path, at, number, lasts)
    acknowledged = [int(words[2]) for words in text if words[0] == "kept"]
    found = kept(path)
    assert found == sorted(set(found))
    assert set(acknowledged) <= set(found) <= set(range(CASES))
    for words in text:
        assert words[0] in ("kept", "failed", "refused")
    shutil.rmtree(folder)
    return len(acknowledged)


DISKS = [(errno.EIO, False), (errno.EIO, True), (errno.ENOSPC, False), (errno.ENOSPC, True)]


@pytest.fixture(scope="module")
def calls(faulty_disk, tmp_path_factory):
    """The number of writes and syncs of a run without faults."""
    text, calls = run(faulty_disk, tmp_path_factory.mktemp("healthy") / "cases.sqlite", 0)
    assert [words[0] for words in text] == ["kept"] * CASES
    assert calls > 3 * CASES  # each commit writes frames, and syncs
    return calls


def test_a_failed_write_or_sync_is_reported_and_loses_no_other_case(faulty_disk, calls, tmp_path):
    kept = [
        fail_at(partial(run, faulty_disk), made(tmp_path / str(i)), 1 + i * (calls - 1) // 5, *DISKS[i % 4])
        for i in range(6)
    ]
    assert min(kept) < CASES  # at least one write failed


@pytest.mark.slow
@pytest.mark.parametrize("disk", DISKS, ids=str)
def test_every_write_and_sync_may_fail(faulty_disk, calls, tmp_path, disk):
    kept = [
        fail_at(partial(run, faulty_disk), made(tmp_path / str(at)), at, *disk) for at in range(1, calls + 1)
    ]
    assert min(kept) < CASES


def made(folder):
    folder.mkdir()
    return folder


def torn(tmp_path):
    """A file and its log on the disk after each acknowledgement, without a checkpoint."""
    path = tmp_path / "cases.sqlite"
    log = path.with_name(path.name + "-wal")
    sizes = []
    with CaseStore(path, [SCHEMA]) as store:
        for n in range(CASES):
            store.retain("toy", case(n)).result(10)
            sizes.append(log.stat().st_size)
        return path.read_bytes(), log.read_bytes(), sizes


def cut(folder, data, log, sizes, at, read=kept):
    folder.mkdir()
    path = folder / "cases.sqlite"
    path.write_bytes(data)
    path.with_name(path.name + "-wal").write_bytes(log[:at])
    found = read(path)
    assert found == list(range(len(found)))  # a prefix of the retained cases
    assert len(found) >= sum(size <= at for size in sizes)  # with all acknowledged cases
    shutil.rmtree(folder)
    return len(found)


def glance(path):
    """As ``kept``, by SQLite alone, for a hundred thousand files."""
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            return []
        return [outcome for (outcome,) in connection.execute("SELECT outcome FROM cases ORDER BY id")]


def test_a_truncated_log_has_the_cases_acknowledged_before(tmp_path):
    data, log, sizes = torn(tmp_path)
    assert len(set(sizes)) == CASES
    ends = sorted({0, 1, *(size + more for size in sizes for more in (-1, 0, 1)), len(log) // 2})
    found = [cut(tmp_path / str(at), data, log, sizes, at) for at in ends if at <= len(log)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, CASES)


@pytest.mark.slow
def test_a_log_may_be_truncated_at_every_byte(tmp_path):
    data, log, sizes = torn(tmp_path)
    memory = Path("/dev/shm")  # in memory, without disk latency
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        cuts = range(len(log) + 1)
        found = [cut(Path(folder, "cut"), data, log, sizes, at, glance) for at in cuts]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, CASES)


def test_two_programs_can_write_one_file(tmp_path):
    path = tmp_path / "cases.sqlite"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    both = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, path], stdout=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    text = [line.split() for program in both for line in program.communicate()[0].splitlines()]
    assert [words[0] for words in text] == ["kept"] * 2 * CASES
    assert sorted(int(words[1]) for words in text) == list(range(2 * CASES))  # no id is duplicated
    assert sorted(kept(path)) == sorted([*range(CASES)] * 2)
