"""Files that are written whole or not at all."""

import csv
import gzip
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

__all__ = [
    "as_csv",
    "claimed",
    "inert",
    "locked",
    "packed",
    "part_of",
    "sync_folder",
    "text_writer",
    "write_arrays",
    "write_whole",
    "written_together",
]


RUN = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Beginnings of a text that a spreadsheet runs, and of one that is escaped."""


def part_of(path: Path) -> Path:
    """The name of a file while this process writes it; what killed processes left of the file is removed."""
    for part in path.parent.glob(f"{escape(path.name)}.*.part"):
        process = re.fullmatch(r"\.([0-9]+)(-\w+)?\.part", part.name.removeprefix(path.name))
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
    except OSError as error:
        if error.filename:
            error.filename, error.filename2 = str(path), None  # of the part nobody has heard
        raise
    finally:
        with suppress(OSError):
            part.unlink()
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


def as_csv(records: Iterable[Mapping[str, Any]], spreadsheet: bool = False) -> str:
    """Records as CSV: the columns of all of them, empty where a record has none.

    Parameters
    ----------
    records
        By name.
    spreadsheet
        Whether texts that a spreadsheet would run as a formula begin with an apostrophe; ``parse_csv`` takes
        it away again.

    Examples
    --------
    >>> print(as_csv([{"a": 1}, {"b": 2}]), end="")
    a,b
    1,
    ,2
    """
    rows, file = list(records), _Lines()
    columns = list(dict.fromkeys(column for record in rows for column in record))
    writer = csv.writer(file)  # \r\n as the end of a row: a text with \r or \n is quoted
    lines: list[list[Any]] = [columns, *([record.get(name) for name in columns] for record in rows)]
    writer.writerows([[inert(value) for value in line] for line in lines] if spreadsheet else lines)
    return file.getvalue()


def inert(value: Any) -> Any:
    """A field of CSV that no spreadsheet runs: a text like a formula begins with an apostrophe.

    Examples
    --------
    >>> inert("=1+1"), inert("'"), inert("rule"), inert(-1.5)
    ("'=1+1", "''", 'rule', -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(RUN) else value


def text_writer(path: Path, is_packed: bool | None = None) -> TextIO:
    """Open a UTF-8 text to write, packed by gzip; by default where the name ends in ``.gz``."""
    if path.name.endswith(".gz") if is_packed is None else is_packed:
        return gzip.open(path, "wt", encoding="utf-8")
    return path.open("w", encoding="utf-8")


class _Lines(io.StringIO):
    """A text of rows, each of which ends in a line feed alone."""

    def write(self, row: str) -> int:
        return super().write(row.removesuffix("\r\n") + "\n")


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


def locked(handle: int) -> bool:
    """Lock an open file until it is closed, where the system can; False = another process has it."""
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


@contextmanager
def claimed(folder: Path | str) -> Iterator[bool]:
    """A folder for this process alone, where folders can be locked; False = another process works in it."""
    if os.name != "posix":
        yield True
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield locked(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Make the names of new files last, where folders can be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
