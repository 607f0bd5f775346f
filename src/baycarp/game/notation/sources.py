"""The texts of a file, a folder, an archive or standard input, decoded line by line.

Archives may come from strangers: links and names outside the archive are refused, and depth and unpacked
bytes are bounded. No text is kept whole; only ``.7z`` is unpacked, to a temporary folder.
"""

import codecs
import gzip
import io
import os
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Any, cast

from baycarp.errors import NotationError
from baycarp.files import open_regular
from baycarp.game.notation.hand import LONGEST_HAND, Refusal, Refused

__all__ = ["Text", "text_files", "texts"]

LEAST, RATIO = 1 << 28, 200
"""An archive may have this number of bytes unpacked, or this multiple of its own if that is more."""

DEPTH = 3
"""Archives within archives."""

SPOOLED = 1 << 24
"""Bytes that are kept in memory of an archive within another one or of standard input, before a file is."""

DAMAGED = (OSError, EOFError, ValueError, RuntimeError, zlib.error, tarfile.TarError, zipfile.BadZipFile)
"""What the readers of archives raise for damaged bytes."""

SNIFFED = 1024

_CONTROL = bytes({*range(32)} - {9, 10, 12, 13, 27})


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, as the code page 1252 that rooms' programs for Windows wrote."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("baycarp-windows", _as_windows)


@dataclass(slots=True)
class Text:
    """A text: its place, and its lines, which are read once and before the next text.

    Parameters
    ----------
    where
        A file, and the place in the archive behind it: ``hands.zip/2024/a.txt``.
    data
        Its bytes.
    fault
        Set when the lines end because the rest cannot be read.
    """

    where: str
    data: io.BufferedReader
    fault: Refused | None = None

    def lines(self) -> Iterator[str]:
        """The lines, ends included; of one that is longer than any reader accepts only the beginning."""
        text = None
        try:
            text = io.TextIOWrapper(self.data, _encoding(self.data.peek(SNIFFED)), "baycarp-windows")
            while line := text.readline(LONGEST_HAND + 1):
                part = line
                while part and not part.endswith("\n"):
                    part = text.readline(LONGEST_HAND + 1)
                end = "" if line.endswith("\n") or not part else "\n"
                yield line.replace("\0", "") + end
        except DAMAGED as error:
            self.fault = Refused("file is cut short", str(error)[:200], self.where)
        finally:
            if text is not None:
                text.detach()


def _encoding(beginning: bytes) -> str:
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = beginning[::2].count(0), beginning[1::2].count(0)
    if max(even, odd) > len(beginning) // 4:
        return "utf-16-be" if even > odd else "utf-16-le"
    return "utf-8-sig"


def _is_binary(beginning: bytes) -> bool:
    """Whether it is no text: rooms' programs wrote a few control characters, other files have many."""
    controls = len(beginning) - len(beginning.translate(None, _CONTROL))
    return _encoding(beginning) == "utf-8-sig" and 20 * controls > len(beginning)


def text_files(path: Path) -> list[Path]:
    """The file, or all regular files of a folder by name, without hidden ones and links out of it.

    Raises
    ------
    NotationError
        No such file or folder.
    """
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError):  # a name that no file can have
        is_folder = exists = False
    if not exists:
        raise NotationError(f"{str(path)[:200]}: no such file or folder")
    if not is_folder:
        return [path]
    root = path.resolve()
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = [Path(folder, name) for name in names if not name.startswith(".")]
        found += [file for file in files if file.is_file() and file.resolve().is_relative_to(root)]
    return sorted(found)


def texts(path: Path, refusal: Refusal) -> Iterator[Text]:
    """The texts of a path, ``-`` for standard input; folders and archives are opened.

    Parameters
    ----------
    path
        A file, packed or not, or a folder.
    refusal
        Called with each file or part of an archive that is not opened.

    Raises
    ------
    NotationError
        No such file or folder.
    """
    if str(path) == "-":
        yield from _opened(cast(io.BufferedReader, sys.stdin.buffer), _Place("-", refusal, _Bytes(LEAST * 4)))
        return
    for file in text_files(path):
        try:
            with open_regular(file) as data:
                size = os.fstat(data.fileno()).st_size
                yield from _opened(data, _Place(str(file), refusal, _Bytes(max(LEAST, RATIO * size))))
        except DAMAGED as error:
            refusal(Refused("cannot be read", str(error)[:200], str(file)))


@dataclass(slots=True)
class _Bytes:
    """The unpacked bytes that are left."""

    left: int


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a file, and what is allowed there."""

    where: str
    refusal: Refusal
    budget: _Bytes
    depth: int = 0

    def within(self, name: str = "") -> "_Place":
        """A part of the archive at this place."""
        where = f"{self.where}/{name}" if name else self.where
        return _Place(where, self.refusal, self.budget, self.depth + 1)

    def refuse(self, reason: str, detail: str) -> None:
        """A part that is not opened."""
        self.refusal(Refused(reason, detail, self.where))


class _Bounded(io.RawIOBase):
    """Bytes of a part of an archive, charged to its budget."""

    def __init__(self, data: Any, budget: _Bytes) -> None:
        self._data, self._budget = data, budget

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes; too many are an error."""
        view = memoryview(buffer).cast("B")
        got = self._data.read1(min(len(view), self._budget.left + 1))  # what comes before damage is not lost
        self._budget.left -= len(got)
        if self._budget.left < 0:
            raise ValueError("more bytes unpacked than an archive of this size may have")
        view[: len(got)] = got
        return len(got)


def _bounded(data: IO[bytes], place: _Place) -> io.BufferedReader:
    return io.BufferedReader(_Bounded(data, place.budget), 1 << 16)


def _opened(data: io.BufferedReader, place: _Place) -> Iterator[Text]:
    """The texts of a stream: itself, or those in it where it is an archive."""
    beginning = data.peek(SNIFFED)[:SNIFFED]
    archive = _archive(beginning)
    if archive is not None:
        if place.depth == DEPTH:
            place.refuse("archive too deep", f"expected at most {DEPTH} within one another")
            return
        try:
            yield from archive(data, place)
        except DAMAGED as error:
            place.refuse("file is cut short", str(error)[:200])
    elif _is_binary(beginning):
        place.refuse("no text", f"bytes {beginning[:8]!r}")
    elif beginning:
        text = Text(place.where, data)
        yield text
        if text.fault:
            place.refusal(text.fault)


def _archive(beginning: bytes) -> Any:
    """What opens an archive that begins so; None = it is none."""
    if beginning.startswith(b"\x1f\x8b"):
        return _gzip
    if beginning.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip
    if beginning.startswith(b"7z\xbc\xaf\x27\x1c"):
        return _seven_zip
    return _tar if beginning[257:262] == b"ustar" else None


def _gzip(data: io.BufferedReader, place: _Place) -> Iterator[Text]:
    with gzip.open(data) as packed:
        yield from _opened(_bounded(cast(IO[bytes], packed), place), place.within())


def _tar(data: io.BufferedReader, place: _Place) -> Iterator[Text]:
    with tarfile.open(fileobj=data, mode="r|") as archive:
        for member in archive:
            part = place.within(member.name)
            if member.isdir():
                continue
            if not member.isreg():
                part.refuse("link in an archive", f"expected a regular file, got type {member.type!r}")
            elif _is_inside(member.name, part) and (file := archive.extractfile(member)):
                yield from _opened(_bounded(file, part), part)


def _zip(data: io.BufferedReader, place: _Place) -> Iterator[Text]:
    with _seekable(data, place) as file, zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            part = place.within(member.filename)
            if member.is_dir():
                continue
            if stat.S_ISLNK(member.external_attr >> 16):
                part.refuse("link in an archive", "expected a regular file")
            elif member.flag_bits & 1:
                part.refuse("encrypted", "expected an archive without a password")
            elif _is_inside(member.filename, part):
                with archive.open(member) as content:
                    yield from _opened(_bounded(content, part), part)


def _seven_zip(data: io.BufferedReader, place: _Place) -> Iterator[Text]:
    """Unpacked whole to a folder of its own that is removed again, since its parts cannot be read in turn."""
    try:
        import py7zr
    except ImportError:
        place.refuse("7z", "py7zr is missing: pip install 'baycarp[archives]', or unpack it")
        return
    with _seekable(data, place) as file, TemporaryDirectory() as folder:
        try:
            with py7zr.SevenZipFile(file) as archive:
                parts = [each for each in archive.list() if not each.is_directory]
                place.budget.left -= sum(each.uncompressed for each in parts)
                if place.budget.left < 0:
                    raise ValueError("more bytes unpacked than an archive of this size may have")
                archive.extract(folder, [each.filename for each in parts if _is_file(each, place)])
        except Exception as error:  # py7zr and its decompressors raise errors of many types for damaged bytes
            raise ValueError(str(error)) from error
        for unpacked in text_files(Path(folder)):
            part = place.within(unpacked.relative_to(folder).as_posix())
            with open_regular(unpacked) as content:
                yield from _opened(content, part)


def _is_file(member: Any, place: _Place) -> bool:
    part = place.within(member.filename)
    if member.is_symlink:
        part.refuse("link in an archive", "expected a regular file")
    return not member.is_symlink and _is_inside(member.filename, part)


def _is_inside(name: str, part: _Place) -> bool:
    """Whether a name stays in its archive; the names of no other parts are opened."""
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or ":" in pure.parts[0]:
        part.refuse("path outside the archive", f"{name[:80]!r}")
        return False
    return not pure.name.startswith(".") and "__MACOSX" not in pure.parts


@contextmanager
def _seekable(data: io.BufferedReader, place: _Place) -> Iterator[IO[bytes]]:
    """The stream, or a temporary copy of it where one cannot go back in it."""
    if data.seekable():
        yield data
        return
    with SpooledTemporaryFile(SPOOLED) as copy:
        while part := data.read(1 << 16):
            place.budget.left -= len(part)
            if place.budget.left < 0:
                raise ValueError("more bytes than are read of such a source")
            copy.write(part)
        copy.seek(0)
        yield copy
