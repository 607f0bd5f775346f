"""The journal: torn at every byte, killed, damaged, of another match, in use."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from baycarp.arena.journal import Journal, _sum, folder_for
from baycarp.errors import JournalError

HEADER = {"seed": 1, "players": ["a", "b"], "nothing": None}


def written(path, units):
    with Journal(path, HEADER) as journal:
        for unit in units:
            journal.append((unit, "x"), {"net": [[unit, -unit]]})
    return path


def read(path):
    with Journal(path, HEADER) as journal:
        return journal.records


def test_what_was_kept_is_found(tmp_path):
    path = written(tmp_path / "deep" / "a.journal", range(3))
    assert read(path) == {(unit, "x"): {"net": [[unit, -unit]]} for unit in range(3)}
    written(path, range(5))
    assert list(read(path)) == [(unit, "x") for unit in range(5)]


def test_torn_at_every_byte_it_holds_every_line_before(tmp_path):
    path = written(tmp_path / "a.journal", range(4))
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = max(0, sum(end <= cut for end in ends) - 1)
        assert list(read(path)) == [(unit, "x") for unit in range(kept)]
        written(path, range(4))
        assert path.read_bytes() == whole


def test_damage_before_the_last_line_is_refused(tmp_path):
    path = written(tmp_path / "a.journal", range(3))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    draw = random.Random(1)
    for _ in range(200):
        at = draw.randrange(len(whole) - len(lines[-1]))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << draw.randrange(8)]) + whole[at + 1 :])
        with pytest.raises(JournalError, match=r"line [1-4]: damaged"):
            read(path)


def test_a_journal_of_another_match_is_refused_and_left_alone(tmp_path):
    path = written(tmp_path / "a.journal", range(2))
    before = path.read_bytes()
    with pytest.raises(JournalError, match="journal of another match: seed is 1, not 2; go on with it"):
        Journal(path, HEADER | {"seed": 2})
    assert path.read_bytes() == before


def test_a_damaged_journal_takes_its_folder(tmp_path):
    """The folder of a match is not changed by damage, which the journal refuses by name."""
    usual = tmp_path / "match"
    path = usual / "whole.journal"
    usual.mkdir()
    written(path, range(2))
    assert folder_for(usual, HEADER) == usual
    assert folder_for(usual, HEADER | {"seed": 2}) == tmp_path / "match-2"
    whole = path.read_bytes()
    path.write_bytes(whole[:30] + bytes([whole[30] ^ 1]) + whole[31:])
    assert folder_for(usual, HEADER | {"seed": 2}) == usual
    with pytest.raises(JournalError, match="line 1: damaged"):
        Journal(path, HEADER | {"seed": 2})


def test_the_differences_are_named_in_one_line(tmp_path):
    """Entry by entry by its name, three at most, none of them whole."""
    of = lambda *specs: {"matches": [{"players": dict(zip("abcd", specs, strict=True)), "hands": 500}]}  # noqa: E731
    with Journal(tmp_path / "a.journal", of("call", "call", "call", "call")) as journal:
        journal.append((0,), {})
    with pytest.raises(JournalError) as refused:
        Journal(tmp_path / "a.journal", of("call", "x" * 4000, "rule", "jag"))
    text = str(refused.value)
    assert "matches 1 players b is 'call', not 'xxxx" in text
    assert "matches 1 players c is 'call', not 'rule'" in text
    assert "hands" not in text
    assert len(text) < 400
    with pytest.raises(JournalError, match="and 1 more;"):
        Journal(tmp_path / "a.journal", of("rule", "rule", "rule", "rule"))


def test_a_journal_without_units_fits_any_match(tmp_path):
    with Journal(tmp_path / "a.journal", HEADER):
        pass
    with Journal(tmp_path / "a.journal", HEADER | {"seed": 2}) as journal:
        journal.append((0,), {})
    with Journal(tmp_path / "a.journal", HEADER | {"seed": 2}) as journal:
        assert set(journal.records) == {(0,)}
    with pytest.raises(JournalError, match="seed is 2, not 1"):
        Journal(tmp_path / "a.journal", HEADER)


def test_a_unit_is_on_the_disk_before_it_counts(tmp_path, monkeypatch):
    """The file is synced when it holds all of the line, and before the unit is in the records."""
    path, synced = tmp_path / "a.journal", []
    real = os.fsync

    def noted(handle):
        synced.append((os.fstat(handle).st_ino, os.fstat(handle).st_size, len(journal.records)))
        real(handle)

    with Journal(path, HEADER) as journal:
        monkeypatch.setattr("os.fsync", noted)
        for unit in range(3):
            journal.append((unit,), {"net": unit})
            assert synced[-1] == (path.stat().st_ino, path.stat().st_size, unit)
    assert len(synced) == 3


def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("one\ntwo\n")
    with pytest.raises(JournalError, match="damaged"):
        Journal(path, HEADER)
    assert path.read_text() == "one\ntwo\n"


@pytest.mark.parametrize("text", ["one line\n", "one line", "0123456789abcdef but another text"])
def test_a_file_of_one_line_that_is_no_header_is_left_alone(tmp_path, text):
    path = tmp_path / "note.txt"
    path.write_text(text)
    with pytest.raises(JournalError, match="expected a journal's header"):
        Journal(path, HEADER)
    assert path.read_text() == text


def test_a_unit_cannot_come_out_twice_differently(tmp_path):
    with Journal(tmp_path / "a.journal", HEADER) as journal:
        journal.append((0,), {"net": 1})
        journal.append((0,), {"net": 1})
        with pytest.raises(JournalError, match="came out differently"):
            journal.append((0,), {"net": 2})


@pytest.mark.skipif(os.name != "posix", reason="files are locked by flock")
def test_one_process_at_a_time(tmp_path):
    with Journal(tmp_path / "a.journal", HEADER), pytest.raises(JournalError, match="in use"):
        Journal(tmp_path / "a.journal", HEADER)
    written(tmp_path / "a.journal", range(1))


@pytest.mark.skipif(os.name != "posix", reason="an open file can be removed")
def test_a_journal_that_is_removed_keeps_nothing_and_says_so(tmp_path):
    path = tmp_path / "a.journal"
    with Journal(path, HEADER) as journal:
        path.unlink()
        with pytest.raises(JournalError, match="journal: removed"):
            journal.append((0,), {"net": 1})


WRITER = """
import sys
from pathlib import Path
from baycarp.arena.journal import Journal
journal = Journal(Path(sys.argv[1]), {"seed": 1})
for unit in range(len(journal.records), 1_000_000):
    journal.append((unit,), {"net": [unit] * 50})
    print(unit, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_what_was_acknowledged_survives_a_kill(tmp_path):
    path, draw = tmp_path / "a.journal", random.Random(3)
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        writer.stdout.readline()
        time.sleep(draw.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        acknowledged = [int(line) for line in writer.stdout if line.endswith("\n")]
        writer.wait()
        writer.stdout.close()
        with Journal(path, {"seed": 1}) as journal:
            assert list(journal.records) == [(unit,) for unit in range(len(journal.records))]
            assert len(journal.records) > max(acknowledged, default=0)


def line_of(value):
    text = json.dumps(value, separators=(",", ":")).encode()
    return _sum(text) + b" " + text + b"\n"


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([[[0, "x"]]], "line 2: expected a unit and its record"),
        ([{}], "line 2: expected a unit and its record"),
        ([7], "line 2: expected a unit and its record"),
        ([[[], {}]], "line 2: expected a unit and its record"),
        ([["ab", {}]], "line 2: expected a unit and its record"),
        ([[[[1]], {}]], "line 2: expected a unit and its record"),
        ([[[1.5], {}]], "line 2: expected a unit and its record"),
        ([[[0], []]], "line 2: expected a unit and its record"),
        ([[[0], {}], [[1], {}], [[0], {}]], r"line 4: unit \(0,\) has a record already"),
    ],
)
def test_a_line_of_other_content_with_its_check_sum_is_refused(tmp_path, entries, reason):
    path = tmp_path / "a.journal"
    path.write_bytes(b"".join(map(line_of, [HEADER, *entries])))
    before = path.read_bytes()
    with pytest.raises(JournalError, match=reason):
        read(path)
    assert path.read_bytes() == before


def test_a_header_of_another_kind_and_deep_json_are_refused(tmp_path):
    path = tmp_path / "a.journal"
    path.write_bytes(line_of([1]) + line_of([[0], {}]))
    with pytest.raises(JournalError, match="expected a journal's header"):
        read(path)
    text = b"[" * 100_000 + b"]" * 100_000
    path.write_bytes(line_of(HEADER) + _sum(text) + b" " + text + b"\n")
    with pytest.raises(JournalError, match="line 2: nested too deeply"):
        read(path)


@pytest.mark.skipif(os.name != "posix", reason="has pipes and devices")
def test_a_pipe_or_a_device_is_no_journal(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(JournalError, match="expected a regular file"):
            read(tmp_path / name)


@pytest.mark.parametrize("name", ["1" * 300, "_" * 300, "0x" + "f" * 200])
def test_names_like_numbers_are_read_again(tmp_path, name):
    """What was acknowledged is there, whatever players are called."""
    for _ in range(2):
        with Journal(tmp_path / "a.journal", {"players": {name: "call"}}) as journal:
            journal.append((0, 1), {name: [1]})
            assert journal.records == {(0, 1): {name: [1]}}
