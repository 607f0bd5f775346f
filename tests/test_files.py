import contextlib
import os
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from functools import partial

import numpy as np
import pytest

from baycarp.files import (
    open_regular,
    parse_json,
    parse_toml,
    read_arrays,
    read_bytes,
    read_json,
    write_arrays,
    write_whole,
    written_together,
)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_is_replaced_and_text_is_utf_8(tmp_path):
    path = tmp_path / "note"
    write_whole(path, b"\x00one")
    write_whole(path, "zwölf\n")
    assert contents(tmp_path) == {"note": "zwölf\n".encode()}


KILLED = """
import os, signal, sys
from pathlib import Path
from baycarp.files import write_whole, written_together
folder = Path(sys.argv[1])
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "folder":
    with written_together(folder / "model", "last") as new:
        write_whole(new / "last", "half")
        die()
os.fsync = die
write_whole(folder / "note", "half")
"""


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path, kind):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), kind])
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".part")
    ended = left.name.split(".")[1].split("-")[0]
    others = {
        f"note.{os.getppid()}.part",
        f"note.2.{ended}.part",
        f"model.x{ended}.part",
        f"not.{ended}.part",
    }
    for name in others:  # of a process that runs, of another file, no number
        (tmp_path / name).touch()
    write_whole(tmp_path / "note", "whole")
    with written_together(tmp_path / "model", "last") as new:
        write_whole(new / "last", "whole")
    assert {path.name for path in tmp_path.iterdir()} == {"note", "model", *others}


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failed_write_does_not_change_the_file(tmp_path, monkeypatch, broken):
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


def test_files_are_replaced_together_and_the_last_one_last(tmp_path, monkeypatch):
    folder, real, order = tmp_path / "model", os.replace, []
    with written_together(folder, last="a") as new:
        write_whole(new / "a", "1")
        write_whole(new / "b", "1")
    with pytest.raises(OSError, match="full"), written_together(folder, last="a") as new:  # noqa: PT012
        write_whole(new / "b", "2")
        raise OSError("the disk is full")
    assert contents(folder) == {"a": b"1", "b": b"1"}
    with written_together(folder, last="a") as new:
        write_whole(new / "a", "3")
        write_whole(new / "b", "3")
        monkeypatch.setattr("os.replace", lambda *names: order.append(names[1].name) or real(*names))
    assert order == ["b", "a"]
    assert contents(folder) == {"a": b"3", "b": b"3"}
    assert list(tmp_path.iterdir()) == [folder]


def test_arrays_are_read_back_and_objects_refused(tmp_path):
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


def irregular(folder):
    """A pipe without a writer, and a link to a device that never ends."""
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("/dev/zero")
    return [folder / "pipe", folder / "link"]


def zipped(path, *members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def npy(header, data=b""):
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("read", [partial(read_bytes, limit=9), partial(read_json, limit=9), read_arrays])
def test_only_regular_files_are_read(tmp_path, read):
    for path in irregular(tmp_path):
        with pytest.raises(ValueError, match=f"{path.name}: expected a regular file"):
            read(path)
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(OSError, match=str(path)):
            read(path)


def test_a_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "note"
    path.write_bytes(b"12345")
    (tmp_path / "link").symlink_to(path)
    assert read_bytes(path, 5) == read_bytes(tmp_path / "link", 5) == b"12345"
    with pytest.raises(ValueError, match="note: 5 bytes: expected at most 4"):
        read_bytes(path, 4)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no files of unstated size here")
def test_a_file_of_unknown_size_is_read_up_to_its_limit():
    assert os.stat("/proc/self/status").st_size == 0
    with pytest.raises(ValueError, match="expected at most 4"):
        read_bytes("/proc/self/status", 4)


def test_json_is_read_and_deep_json_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": [1]}')
    assert read_json(path, 100) == {"a": [1]} == parse_json('{"a": [1]}')
    for text in ("[" * 100_000, '{"a":' * 100_000, "{", "\ud800".encode("utf-8", "surrogatepass")):
        with pytest.raises(ValueError, match=r"nested too deeply|Expecting|decode"):
            parse_json(text)


@pytest.mark.parametrize("depth", [101, 500, 985, 990, 2_000, 100_000])
@pytest.mark.parametrize("pair", ["[]", ('{"a":', "}"), ("[1.5,", "]")], ids=["lists", "objects", "numbers"])
def test_json_of_more_than_a_hundred_levels_is_refused(depth, pair):
    """Values near the limit of the interpreter were read, and failed where they were printed."""
    left, right = pair
    with pytest.raises(ValueError, match="nested too deeply: expected at most 100 levels"):
        parse_json(left * depth + "1" + right * depth)
    repr(parse_json(left * 99 + "1" + right * 99))


@pytest.mark.parametrize("key", ["a", "a.a.a.a.a.a.a.a.a.a.a.a.a"])
@pytest.mark.parametrize("depth", [101, 400, 20_000])
def test_toml_of_more_than_a_hundred_levels_is_refused(depth, key):
    """A key of thirteen parts nests thirteen levels at once."""
    with pytest.raises(ValueError, match="nested too deeply: expected at most 100 levels"):
        parse_toml("a=" + f"{{{key} = " * depth + "1" + "}" * depth)
    assert parse_toml("a=" + "{b = " * 98 + "1" + "}" * 98)


@pytest.mark.filterwarnings("ignore:Stored array in format 3.0")
def test_arrays_are_read_as_numpy_reads_them(tmp_path):
    path = tmp_path / "numbers.npz"
    arrays = {
        "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "texts": np.array(["one", "zwölf"]),
        "scalar": np.array("text"),
        "none": np.empty((0, 4), np.uint8),
        "bare": np.empty(3, np.dtype([])),
        "records": np.array([(1, (2, 3))], [("a", "<i4"), ("b", "u1", 2)]),
        "named": np.array([(1,)], [("č", "<i4")]),
    }
    write_arrays(path, arrays)
    found = read_arrays(path)
    with np.load(path, allow_pickle=False) as file:
        assert list(found) == file.files
        for name, array in found.items():
            assert (array.dtype, array.shape) == (file[name].dtype, file[name].shape)
            assert np.array_equal(array, file[name])


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "zeros.npz"
    write_arrays(path, {"a": np.zeros(80 << 20, np.uint8)})
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"zeros.npz: .*83886208 bytes: expected at most 67108864"):
            read_arrays(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }", bytes(8)),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }", bytes(8)),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", bytes(8)),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", bytes(7)),
        npy("{'descr': ", bytes(8)),
        npy("[" * 100, bytes(8)),
        b"\x93NUMPY\x09\x00",
        b"text",
        b"",
    ],
)
def test_an_array_whose_header_contradicts_its_bytes_is_refused(tmp_path, data):
    with pytest.raises(ValueError, match=r"bad.npz: not readable arrays"):
        read_arrays(zipped(tmp_path / "bad.npz", ("a.npy", data)))


def test_a_damaged_archive_is_refused_or_gives_the_same_arrays(tmp_path):
    path, rng = tmp_path / "numbers.npz", np.random.default_rng(1)
    arrays = {"a": rng.random(300), "b": np.arange(300, dtype=np.uint8)}
    write_arrays(path, arrays)
    whole = path.read_bytes()
    for place in rng.integers(len(whole), size=300).tolist():
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        with contextlib.suppress(ValueError):
            found = read_arrays(path).values()
            assert all(map(np.array_equal, found, arrays.values()))


def test_a_number_is_no_path(tmp_path):
    """It would name an open file of the process, which would be closed with what was read."""
    with open(tmp_path / "file", "wb") as file:
        with pytest.raises(TypeError, match="not int"):
            open_regular(file.fileno())
        file.write(b"x")


@pytest.mark.parametrize(
    "text",
    ["a" + ".a" * 20_000 + " = 1", "['x'" + ' . "y"' * 20_000 + "]", "b = {" + "a." * 20_000 + "a = 1}"],
)
def test_a_key_of_many_parts_is_refused_before_it_is_read(text):
    with pytest.raises(ValueError, match="more than 16 parts"):
        parse_toml(text)


def test_points_within_texts_and_numbers_are_no_parts():
    text = f"players = ['{'a.' * 40}']\nstacks = [{'1.5, ' * 40}]\na.b.c = 1\n"
    assert parse_toml(text)["a"] == {"b": {"c": 1}}


@pytest.mark.parametrize("number", ["9" * 310, "0x" + "f" * 5000, "-" + "1" * 400])
def test_whole_numbers_that_are_no_float_are_refused(number):
    with pytest.raises(ValueError, match="beyond all bounds"):
        parse_toml(f"a = {number}")
    if "x" not in number:
        with pytest.raises(ValueError, match="beyond all bounds"):
            parse_json(f'{{"a": {number}}}')


@pytest.mark.parametrize("text", ["1" * 300, "_" * 300, "0x" + "f" * 200, "1" * 5000])
def test_digits_in_a_text_are_no_number(text):
    """Names that look like numbers beyond all bounds; numbers of that size are refused."""
    assert parse_json(f'{{"{text}": "{text}"}}') == {text: text}
    assert parse_toml(f'a = "{text}"') == {"a": text}
    many = ((parse_json, "9" * 400), (parse_toml, f"a = {'9' * 400}"), (parse_toml, f"a = 0x{'f' * 999}"))
    for parse, written in many:
        with pytest.raises(ValueError, match="beyond all bounds"):
            parse(written)


NPY = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", b"x")
"""An array of one byte."""


def forged(path, method=zipfile.ZIP_DEFLATED, size=1 << 26, declared=100, summed=100):
    """An archive of one member of zeros that declares fewer, with the checksum of some."""
    name = "structure.npy"
    with zipfile.ZipFile(path, "w", method, compresslevel=9) as archive, archive.open(name, "w") as file:
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    data = bytearray(path.read_bytes())
    for at, place in ((0, 14), (data.index(b"PK\1\2"), 16)):
        data[at + place : at + place + 4] = zlib.crc32(bytes(summed)).to_bytes(4, "little")
        data[at + place + 8 : at + place + 12] = declared.to_bytes(4, "little")
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("method", "summed", "fault"),
    [
        (zipfile.ZIP_DEFLATED, 100, "Bad CRC-32 for file 'structure.npy'"),
        (zipfile.ZIP_DEFLATED, 101, "a member of more bytes than the 100 that it declares"),
        (zipfile.ZIP_BZIP2, 100, "'structure.npy': packed by bzip2: expected stored or deflated"),
        (zipfile.ZIP_LZMA, 100, "'structure.npy': packed by LZMA: expected stored or deflated"),
    ],
)
def test_a_member_that_is_longer_than_declared_is_not_inflated(tmp_path, method, summed, fault):
    path = forged(tmp_path / "bomb.npz", method, summed=summed)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=fault):
            read_arrays(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("declared", [130, 1 << 20])
def test_a_member_that_is_shorter_than_declared_is_refused(tmp_path, declared):
    path = zipped(tmp_path / "a.npz", ("a.npy", NPY))
    data = bytearray(path.read_bytes())
    for at in (22, data.index(b"PK\1\2") + 24):
        data[at : at + 4] = declared.to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ValueError, match=f"fewer bytes than the {declared} that it declares"):
        read_arrays(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("tables", "tables.npy"), ("tables.npy", "tables"), ("a.npy", "a.npy")])
def test_two_arrays_of_one_name_are_refused(tmp_path, names):
    with pytest.raises(ValueError, match=r"two arrays of one name, '(tables|a)'"):
        read_arrays(zipped(tmp_path / "two.npz", *((name, NPY) for name in names)))


def test_names_of_arrays_differ_by_case(tmp_path):
    assert list(read_arrays(zipped(tmp_path / "a.npz", ("a.npy", NPY), ("A.npy", NPY)))) == ["a", "A"]


def test_a_folder_is_no_array(tmp_path):
    with pytest.raises(ValueError, match="not readable arrays"):
        read_arrays(zipped(tmp_path / "a.npz", ("a/", b"")))


def test_members_that_share_bytes_are_refused(tmp_path):
    path = zipped(tmp_path / "a.npz", ("a.npy", NPY), ("b.npy", NPY))
    whole = path.read_bytes()
    second = whole.index(b"PK\1\2", whole.index(b"PK\1\2") + 4)
    for place, value in ((42, 0), (20, 500), (42, 3)):  # the header of the first, longer, within the first
        data = bytearray(whole)
        data[second + place : second + place + 4] = value.to_bytes(4, "little")
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"overlaps what follows|differ|Bad magic|not readable"):
            read_arrays(path)
    data = bytearray(whole)  # one header of one name for both
    data[second + 46], data[second + 42 : second + 46] = ord("a"), bytes(4)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="overlaps what follows"):
        read_arrays(path)


def test_a_member_of_another_name_in_its_own_header_is_refused(tmp_path):
    path = zipped(tmp_path / "a.npz", ("a.npy", NPY))
    data = path.read_bytes()
    path.write_bytes(data.replace(b"a.npy", b"b.npy", 1))
    with pytest.raises(ValueError, match="differ"):
        read_arrays(path)


@pytest.mark.filterwarnings("ignore:Stored array in format 3.0")
@pytest.mark.parametrize("version", [1, 3])
@pytest.mark.parametrize(
    "header", ["'<U0', 'shape': (100,)", "'|S0', 'shape': (1,)", "[], 'shape': (10**9,)"]
)
def test_items_without_bytes_are_records_and_few(tmp_path, header, version):
    head = f"{{'descr': {header.replace('10**9', '1000000000')}, 'fortran_order': False, }}"
    data = npy(head)
    if version == 3:
        data = b"\x93NUMPY\x03\x00" + data[8:10] + b"\0\0" + data[10:]
    with pytest.raises(ValueError, match="expected"):
        read_arrays(zipped(tmp_path / "a.npz", ("a.npy", data)))
