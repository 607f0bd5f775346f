"""Files that are written whole or not at all, and read within bounds.

A file that is read may come from a stranger. Only regular files are opened, so that no pipe or device is read
for ever, and the size is verified before memory is allocated.
"""

import csv
import io
import json
import math
import os
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "as_csv",
    "open_regular",
    "packed",
    "parse_json",
    "part_of",
    "read_arrays",
    "read_bytes",
    "read_json",
    "sync_folder",
    "write_arrays",
    "write_whole",
    "written_together",
]

RATIO = 50
"""Arrays that are read may take this multiple of their file's bytes, if it is more than the limit."""


def open_regular(path: Path | str) -> io.BufferedReader:
    """Open a regular file to read bytes; symbolic links to one are followed.

    Raises
    ------
    OSError
        It is missing, or must not be read.
    TypeError
        A number: it would name an open file of this process.
    ValueError
        A pipe, a device or a socket.
    """

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe is opened without a writer

    file = open(os.fspath(path), "rb", opener=opened)  # noqa: SIM115, the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError(f"{path}: expected a regular file")
    return file


def read_bytes(path: Path | str, limit: int) -> bytes:
    """Read a regular file of at most ``limit`` bytes.

    Raises
    ------
    OSError
        As ``open_regular``.
    ValueError
        Not a regular file, or a longer one.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > limit else file.read(limit + 1)  # it may have grown
    if max(size, len(data)) > limit:
        raise ValueError(f"{path}: {max(size, len(data))} bytes: expected at most {limit}")
    return data


def parse_json(text: bytes | str) -> Any:
    """The value of a JSON text.

    Raises
    ------
    ValueError
        Not JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None


def read_json(path: Path | str, limit: int) -> Any:
    """The value of a JSON file of at most ``limit`` bytes.

    Raises
    ------
    OSError, ValueError
        As ``read_bytes`` and ``parse_json``.
    """
    return parse_json(read_bytes(path, limit))


def read_arrays(path: Path | str, limit: int = 1 << 26) -> dict[str, NDArray[Any]]:
    """The arrays of an ``.npz`` file by name, read-only, without pickle.

    Together they may take ``limit`` bytes, or 50 times the bytes of the file if that is more.

    Raises
    ------
    OSError
        As ``open_regular``.
    ValueError
        Not a regular file, damaged, arrays of Python objects, or arrays that take more memory; nothing has
        been inflated then.
    """
    with open_regular(path) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                size = sum(each.file_size for each in members)
                most = max(limit, os.fstat(file.fileno()).st_size * RATIO)
                if size > most:
                    raise ValueError(f"arrays of {size} bytes: expected at most {most}")
                return {each.filename.removesuffix(".npy"): _array(archive.read(each)) for each in members}
        except OSError:
            raise
        except Exception as error:  # zipfile, zlib and numpy raise errors of many types for damaged bytes
            raise ValueError(f"{path}: not readable arrays: {error}") from error


def _array(data: bytes) -> NDArray[Any]:
    """The array of an ``.npy`` file; its header is verified against the number of bytes."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version == (3, 0):  # names of fields beyond Latin-1: numpy has no public function for its header
        return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, by_column, dtype = read[version](file)
    held, size = len(data) - file.tell(), math.prod(shape) * dtype.itemsize
    if dtype.hasobject or any(length < 0 for length in shape) or held != size:
        raise ValueError(f"{dtype} of shape {shape} in {held} bytes: expected {size}, no objects")
    if not dtype.itemsize:
        return np.empty(shape, dtype)
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape, order="F" if by_column else "C")


def part_of(path: Path) -> Path:
    """The name of a file while this process writes it; what killed processes left of the file is removed."""
    for part in path.parent.glob(f"{escape(path.name)}.*.part"):
        process = re.fullmatch(r"\.(\d+)(-\w+)?\.part", part.name.removeprefix(path.name))
        if process and _has_ended(int(process[1])):
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _has_ended(process: int) -> bool:
    """Whether there is no such process on this machine; False where a signal would end it."""
    try:
        if os.name == "posix":
            os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # another user's, or no number of a process
        pass
    return False


def write_whole(path: Path | str, data: bytes | str) -> None:
    r"""Write a file under another name, sync it and rename it; an interruption leaves what was there before.

    Parameters
    ----------
    path
        The file; one that exists is replaced. A device or a pipe is written to as it is.
    data
        All of it; text is encoded as UTF-8.

    Raises
    ------
    OSError
        The disk is full, the folder is missing or not writable; the file is what it was.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "note.txt")
    >>> write_whole(path, "ten high\n")
    >>> path.read_text("utf-8"), [each.name for each in path.parent.iterdir()]
    ('ten high\n', ['note.txt'])
    """
    path, content = Path(path), data.encode() if isinstance(data, str) else data
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    part = part_of(path)
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


@contextmanager
def written_together(folder: Path | str, last: str) -> Iterator[Path]:
    """A new folder; when the block ends, its files replace those of the same names in another one.

    Parameters
    ----------
    folder
        The files go there; it is made if it is missing. After an error in the block, also one of the disk, it
        is as it was.
    last
        The file that is replaced last: it makes the others valid.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp(), "model")
    >>> with written_together(folder, last="manifest") as new:
    ...     write_whole(new / "cases", "two")
    ...     write_whole(new / "manifest", "two cases")
    >>> sorted(path.name for path in folder.iterdir())
    ['cases', 'manifest']
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(".part", f"{part_of(folder).stem}-", folder.parent))
    try:
        yield new
        folder.mkdir(exist_ok=True)
        for path in sorted(new.iterdir(), key=lambda path: path.name == last):
            path.replace(folder / path.name)
        sync_folder(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def as_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Records as CSV: the columns of all of them, empty where a record has none.

    Examples
    --------
    >>> print(as_csv([{"a": 1}, {"b": 2}]), end="")
    a,b
    1,
    ,2
    """
    rows, file = list(records), io.StringIO()
    columns = dict.fromkeys(column for record in rows for column in record)
    writer = csv.DictWriter(file, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def write_arrays(path: Path | str, arrays: Mapping[str, ArrayLike]) -> None:
    """Write ``packed`` arrays, as ``write_whole`` does."""
    write_whole(path, packed(arrays))


def packed(arrays: Mapping[str, ArrayLike]) -> bytes:
    """Arrays as a compressed ``.npz``, without pickle.

    Raises
    ------
    ValueError
        An array of Python objects.
    """
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    return data.getvalue()


def sync_folder(folder: Path) -> None:
    """Make the names of new files last, where folders can be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
