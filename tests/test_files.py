import os

import numpy as np
import pytest

from baycarp.files import write_arrays, write_whole


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_is_replaced_and_text_is_utf_8(tmp_path):
    path = tmp_path / "note"
    write_whole(path, b"\x00one")
    write_whole(path, "zwölf\n")
    assert contents(tmp_path) == {"note": "zwölf\n".encode()}


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch, broken):
    path = tmp_path / "note"
    write_whole(path, "before")

    def fails(*args):
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync" if broken == "fsync" else "pathlib.Path.replace", fails)
    with pytest.raises(OSError, match="full"):
        write_whole(path, "after")
    assert contents(tmp_path) == {"note": b"before"}


def test_the_bytes_are_synced_before_the_name_appears(tmp_path, monkeypatch):
    path, real, names = tmp_path / "note", os.fsync, []

    def noted(handle):
        names.append(path.exists())
        real(handle)

    monkeypatch.setattr("os.fsync", noted)
    write_whole(path, "text")
    assert names[0] is False
    if os.name == "posix":  # then the folder
        assert names == [False, True]


def test_arrays_return_and_objects_are_refused(tmp_path):
    path = tmp_path / "numbers.npz"
    write_arrays(path, {"a": np.arange(3, dtype=np.int8), "b": np.array("text")})
    with np.load(path, allow_pickle=False) as file:
        assert file["a"].dtype == np.int8
        assert (file["a"].tolist(), str(file["b"])) == ([0, 1, 2], "text")
    with pytest.raises(ValueError, match="allow_pickle"):
        write_arrays(path, {"a": np.array([object()])})
    assert list(contents(tmp_path)) == ["numbers.npz"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(path, "text")
    assert os.read(reader, 10) == b"text"
    assert path.is_fifo()
    os.close(reader)
