"""Errors of the system are printed as a sentence that names the file, without a number, by every command."""

import errno
import os
import subprocess
import sys
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
