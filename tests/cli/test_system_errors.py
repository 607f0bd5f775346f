"""Errors of the system are printed as a sentence that names the file, without a number, by every command."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from baycarp.cli import main
from baycarp.errors import REASONS

HAND = """variant = "FT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100]
actions = ["d dh p1 AhKd", "d dh p2 7c7d", "p2 f"]
players = ["You", "Ann"]
"""

WRITING = (
    ("match", "rule", "call", "--deals", "2", "--out"),
    ("table", "rule", "call", "--hands", "4", "--out"),
    ("tournament", "rule", "call", "--deals", "2", "--out"),
    ("exploit", "call", "--hands", "2", "--out"),
    ("watch", "rule", "call", "--hands", "4", "--out"),
    ("solve", "holdem.limit.2p.reverse_blinds", "--iterations", "1", "--out"),
    ("play", "call", "--terminal", "--out"),
    ("train",),
)
READING = (("decide",), ("convert",), ("review", "--player", "You"))


def refused(words, capsys):
    assert main(words) == 1
    err = capsys.readouterr().err
    assert err.splitlines()[-1].startswith(f"baycarp {words[0]}: ")
    assert "Errno" not in err
    return err


@pytest.mark.parametrize("words", WRITING, ids=lambda words: words[0])
def test_a_file_in_place_of_a_folder(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    err = refused([*words, "file"], capsys)
    assert "file" in err.partition(": ")[2]
    assert "folder" in err


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_what_cannot_be_read(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hand.phh").write_text(HAND)
    own = os.open

    def refuse(path, *rest, **more):
        if str(path).endswith("hand.phh"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return own(path, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr("builtins.open", lambda path, *rest, **more: refuse(path))
    more = ["out.phh"] if words[0] == "convert" else []
    err = refused([words[0], "hand.phh", *more, *words[1:]], capsys)
    assert "hand.phh" in err
    assert REASONS[errno.EACCES] in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("words", [["--version"], ["equity", "AhKd", "TT"]], ids=lambda words: words[0])
def test_an_output_that_is_full(words):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "baycarp", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f": {REASONS[errno.ENOSPC]}")
    assert "Traceback" not in done.stderr


def test_the_file_that_was_named_is_in_the_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    err = refused(["solve", "kuhn", "--iterations", "2", "--out", "file/x.npz"], capsys)
    assert err.splitlines()[-1].startswith("baycarp solve: file/x.npz: ")


def run_by(shell, folder, **more):
    """A command line of the shell, with ``$B`` for the program."""
    command = f"B='{sys.executable} -m baycarp'; {shell}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=folder, **more)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")
@pytest.mark.parametrize(
    ("shell", "status", "printed"),
    [
        ("$B equity AhKd TT >&-", 0, ""),
        ("$B --version >&-", 0, ""),
        ("$B match call rule --deals 1 --workers 1 --out m 2>&-", 0, "rule"),
        ("$B match call rule --deals 1 --workers 1 --out m 2>/dev/full", 0, "rule"),
        ("$B equity AhKd >&- 2>&-", 1, ""),
        ("$B play call --terminal --out p <&-", 0, ""),
        (r"printf '\377\nq\n' | $B play call --terminal --out p", 0, "expected"),
    ],
)
def test_streams_that_are_closed_full_or_no_text(tmp_path, shell, status, printed):
    """The work is done, and what nobody can read is dropped."""
    done = run_by(shell, tmp_path)
    assert "Traceback" not in done.stdout + done.stderr
    assert "Error" not in done.stdout + done.stderr
    assert done.returncode == status
    assert printed in done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs descriptors of POSIX")
def test_a_file_never_takes_the_place_of_a_closed_output(tmp_path):
    """Else what is printed would be in the journal."""
    run_by("$B match call rule --deals 1 --workers 1 --out m <&- >&- 2>&-", tmp_path)
    again = run_by("$B match call rule --deals 1 --workers 1 --out m", tmp_path)
    assert again.returncode == 0
    assert "rule" in again.stdout


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs SIGHUP")
@pytest.mark.parametrize("ignored", [False, True])
def test_a_terminal_that_is_closed_ends_the_work_in_a_line(tmp_path, ignored):
    command = [sys.executable, "-m", "baycarp", "match", "rule", "jag", "--deals", "400000", "--workers", "2"]
    handler = signal.SIG_IGN if ignored else signal.SIG_DFL  # of the tests' own process it may be either
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, handler),
    )
    try:
        while not (tmp_path / "whole.journal").exists():
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGHUP)
        if ignored:  # as by nohup
            time.sleep(0.5)
            assert process.poll() is None
            process.terminate()
        err = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == 143
    assert err.splitlines()[-1] == "terminated"


def test_too_little_memory_is_a_sentence(capsys, monkeypatch):
    def lacking(args):
        raise MemoryError("Unable to allocate 2 GiB")

    monkeypatch.setattr("baycarp.cli.equity.run", lacking)
    assert main(["equity", "AhKd", "TT"]) == 1
    assert capsys.readouterr().err == "baycarp equity: not enough memory: Unable to allocate 2 GiB\n"
