"""Regular files: the one place where a file is opened to be read.

Only regular files are opened, so that no pipe or device is read for ever, and the size is verified before
memory is allocated.
"""

import io
import os
import stat
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

__all__ = ["decoded_lines", "open_regular", "packaged", "packaged_names", "read_bytes", "read_text"]

LARGEST_PACKAGED = 1 << 24
"""Bytes of a file of the package, at most."""


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


def read_text(
    path: Path | str,
    limit: int,
    encoding: str = "utf-8-sig",
    errors: Literal["strict", "replace"] = "strict",
) -> str:
    """Read a text of at most ``limit`` bytes; a byte-order mark is no part of it, and lines end as here.

    Raises
    ------
    OSError
        As ``open_regular``.
    ValueError
        As ``read_bytes``, or bytes that are no text in this encoding.
    """
    text = read_bytes(path, limit).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def packaged(*parts: str) -> bytes:
    """The content of a file that comes with the package, by its place under ``baycarp``."""
    return read_bytes(str(files("baycarp").joinpath(*parts)), LARGEST_PACKAGED)


def packaged_names(*parts: str) -> list[str]:
    """The files of a folder of the package and of the folders in it, by their paths there, in order."""
    found = list[str]()
    for each in files("baycarp").joinpath(*parts).iterdir():
        inner = packaged_names(*parts, each.name) if each.is_dir() else None
        found += [each.name] if inner is None else [f"{each.name}/{name}" for name in inner]
    return sorted(found)


def decoded_lines(text: io.TextIOWrapper, longest: int) -> Iterator[tuple[str, bool]]:
    """The lines of a text, ends included, and whether each is whole: of a longer one the beginning alone.

    Parameters
    ----------
    text
        Open to be read.
    longest
        The greatest length of a line, in characters; of a longer one, one more than that is given.
    """
    while line := text.readline(longest + 1):
        part = line
        while part and not part.endswith("\n"):
            part = text.readline(longest + 1)
        yield line, line.endswith("\n") or not part
