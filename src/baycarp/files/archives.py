"""The texts of a file, a folder, an archive or standard input, decoded line by line.

Archives are not trusted: links and names outside the archive are refused, and depth, members and
unpacked bytes are bounded. No text is kept whole; only ``.7z`` is unpacked, to a temporary folder.
"""

import bz2
import codecs
import gzip
import io
import lzma
import os
import stat
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Any, Literal, NamedTuple, Self, TypeAlias, cast

from baycarp.errors import reason
from baycarp.files.escaped import plain_text
from baycarp.files.regular import decoded_lines, open_regular

__all__ = ["PartFault", "Text", "is_tar_of", "tar_members", "text_files", "text_lines", "texts"]

LEAST, RATIO = 1 << 28, 200
"""An archive may have this number of bytes unpacked, or this multiple of its own if that is more."""

DEPTH = 3
"""Archives within archives."""

MEMBERS = 1 << 20
"""Members of an archive, at most."""

SPOOLED = 1 << 24
"""Bytes that are kept in memory of an archive within another one or of standard input, before a file is."""

DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError, IndexError),
    *(zlib.error, lzma.LZMAError, struct.error, tarfile.TarError, zipfile.BadZipFile),
)
"""What the readers of archives raise for damaged bytes."""

PROBED = 1 << 20
"""Unpacked bytes in which the first member of a tar is looked for."""

HEADER = 1 << 16
"""Bytes of an extended header of a tar: a name, or what pax adds."""

EXTENDED = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)
"""The types of such headers."""

PACKED: Mapping[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
"""What unpacks a tar, by the bytes that it begins with."""

SNIFFED = 1024

_CONTROL = bytes({*range(32)} - {9, 10, 12, 13, 27})


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, as the code page 1252 that rooms' programs for Windows wrote."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("baycarp-windows", _as_windows)


class PartFault(NamedTuple):
    """A part that is not read: the fault in a few fixed words, its details, and its place."""

    reason: str
    detail: str
    where: str


Report: TypeAlias = Callable[[PartFault], None]


@dataclass(slots=True)
class Text:
    """A text: its place, and its lines, which are read once and before the next text.

    Parameters
    ----------
    where
        A file, and the place in the archive behind it: ``hands.zip/2024/a.txt``.
    data
        Its bytes.
    longest
        Characters of a line; of a longer one the beginning alone is given.
    fault
        Set when the lines end because the rest cannot be read.
    """

    where: str
    data: io.BufferedReader
    longest: int
    fault: PartFault | None = None

    def lines(self) -> Iterator[str]:
        """The lines, ends included."""
        text = None
        try:
            text = io.TextIOWrapper(self.data, _encoding(self.data.peek(SNIFFED)), "baycarp-windows")
            for line, is_whole in decoded_lines(text, self.longest):
                yield line.replace("\0", "") + ("" if is_whole else "\n")
        except DAMAGED as error:
            self.fault = PartFault("file is cut short", reason(error)[:200], self.where)
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
    FileNotFoundError
        No such file or folder.
    """
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError):  # a name that no file can have
        is_folder = exists = False
    if not exists:
        raise FileNotFoundError(f"{str(path)[:200]}: no such file or folder")
    if not is_folder:
        return [path]
    root = path.resolve()
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = [Path(folder, name) for name in names if not name.startswith(".")]
        found += [file for file in files if file.is_file() and file.resolve().is_relative_to(root)]
    return sorted(found)


def texts(path: Path, report: Report, longest: int) -> Iterator[Text]:
    """The texts of a path, ``-`` for standard input; folders and archives are opened.

    Parameters
    ----------
    path
        A file, packed or not, or a folder.
    report
        Called with each file or part of an archive that is not opened.
    longest
        Characters of a line.

    Raises
    ------
    FileNotFoundError
        No such file or folder.
    """
    if str(path) == "-":
        place = _Place("-", report, longest, _Budget(LEAST * 4))
        yield from _opened(cast(io.BufferedReader, sys.stdin.buffer), place)
        return
    for file in text_files(path):
        try:
            with open_regular(file) as data:
                yield from _opened(data, _Place(str(file), report, longest, _budget(data)))
        except DAMAGED as error:
            report(PartFault("cannot be read", reason(error)[:200], str(file)))


def text_lines(path: Path, longest: int, errors: Literal["strict", "replace"] = "strict") -> Iterator[str]:
    """The lines of a regular text file in UTF-8; ``.gz`` is unpacked on the way, within bounds.

    Parameters
    ----------
    path
        The file.
    longest
        Characters of a line; of a longer one, one character more is given.
    errors
        What is done with bytes that are no UTF-8: an error, or a replacement character.

    Raises
    ------
    OSError, ValueError
        A file that is missing, is cut, is a pipe or a device, or is no UTF-8 text.
    """
    try:
        with open_regular(path) as file:
            data: Any = file
            if path.name.endswith(".gz"):
                unpacked = gzip.GzipFile(fileobj=file)
                data = io.BufferedReader(_Bounded(unpacked, _budget(file)), 1 << 16)
            with io.TextIOWrapper(data, "utf-8", errors) as text:
                for line, _ in decoded_lines(text, longest):
                    yield line
    except (EOFError, zlib.error) as error:
        raise ValueError(reason(error)) from error


def is_tar_of(path: Path, is_wanted: Callable[[str], object]) -> bool:
    """Whether a file is a tar, packed or not, whose first regular member has a wanted name."""
    try:
        with open_regular(path) as file, _as_tar(_unpacked(file, PROBED)) as archive:
            first = next((member for member in archive if member.isreg()), None)
            return first is not None and bool(is_wanted(first.name))
    except Exception:  # tarfile and the decompressors raise errors of many types for other bytes
        return False


def tar_members(path: Path, is_wanted: Callable[[str], object], most: int) -> Iterator[tuple[str, bytes]]:
    """The wanted regular members of a tar, packed or not, by name; none is unpacked to disk.

    Parameters
    ----------
    path
        The archive.
    is_wanted
        Of a name.
    most
        Bytes that they may have together; the whole archive may have more, as any other.

    Raises
    ------
    OSError, ValueError
        The archive cannot be read, is damaged, or has more bytes or members.
    """
    try:
        with open_regular(path) as file:
            data = _unpacked(file, max(most, _budget(file).left))
            archive, left = _as_tar(data), most
            for number, member in enumerate(archive):
                left -= member.size if member.isreg() and is_wanted(member.name) else 0
                if left < 0 or number == MEMBERS:
                    raise ValueError(f"{member.name[:80]}: expected at most {most} in all, {MEMBERS} members")
                if member.isreg() and is_wanted(member.name) and (content := archive.extractfile(member)):
                    yield member.name, content.read()
            while data.read(1 << 16):  # the checksum is verified at the end, behind that of the tar
                pass
    except (OSError, ValueError):
        raise
    except Exception as error:  # tarfile and the decompressors raise errors of many types for damaged bytes
        raise ValueError(reason(error)) from error


class _Member(tarfile.TarInfo):
    """A member whose extended header, which is read at once, is no longer than names are."""

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> Self:
        """As the base."""
        found = super().frombuf(buf, encoding, errors)
        if found.type in EXTENDED and found.size > HEADER:
            raise tarfile.ReadError(f"an extended header of {found.size} bytes: expected at most {HEADER}")
        return found


def _as_tar(data: IO[bytes]) -> tarfile.TarFile:
    """A tar that is read in one go."""
    return tarfile.open(fileobj=data, mode="r|", tarinfo=_Member)


def _unpacked(file: io.BufferedReader, most: int) -> io.BufferedReader:
    """The bytes of a file, unpacked where they are packed; more than ``most`` are an error."""
    beginning = file.peek(6)
    opener = next((opener for magic, opener in PACKED.items() if beginning.startswith(magic)), None)
    return io.BufferedReader(_Bounded(opener(file) if opener else file, _Budget(most)), 1 << 16)


@dataclass(slots=True)
class _Budget:
    """The unpacked bytes and the members that are left."""

    left: int
    members: int = MEMBERS

    def count(self) -> None:
        """One more member; too many are an error."""
        self.members -= 1
        if self.members < 0:
            raise ValueError(f"more members than {MEMBERS}")


def _budget(file: io.BufferedReader) -> _Budget:
    return _Budget(max(LEAST, RATIO * os.fstat(file.fileno()).st_size))


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a file, and what is allowed there."""

    where: str
    report: Report
    longest: int
    budget: _Budget
    depth: int = 0

    def within(self, name: str = "") -> "_Place":
        """A part of the archive at this place."""
        where = f"{self.where}/{plain_text(name, '')}" if name else self.where
        return _Place(where, self.report, self.longest, self.budget, self.depth + 1)

    def refuse(self, reason: str, detail: str) -> None:
        """A part that is not opened."""
        self.report(PartFault(reason, detail, self.where))


class _Bounded(io.RawIOBase):
    """Bytes of a part of an archive, charged to its budget."""

    def __init__(self, data: Any, budget: _Budget) -> None:
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
            place.refuse("file is cut short", reason(error)[:200])
    elif _is_binary(beginning):
        place.refuse("no text", f"bytes {beginning[:8]!r}")
    elif beginning:
        text = Text(place.where, data, place.longest)
        yield text
        if text.fault:
            place.report(text.fault)


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
    with _as_tar(data) as archive:
        for member in archive:
            place.budget.count()
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
            place.budget.count()
            part = place.within(member.filename)
            if member.filename and member.is_dir():
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
                for each in parts:
                    place.budget.count()
                    place.budget.left -= each.uncompressed
                if place.budget.left < 0:
                    raise ValueError("more bytes unpacked than an archive of this size may have")
                archive.extract(folder, [each.filename for each in parts if _is_file(each, place)])
        except Exception as error:  # py7zr and its decompressors raise errors of many types for damaged bytes
            raise ValueError(reason(error)) from error
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
    if not pure.name or pure.is_absolute() or ".." in pure.parts or ":" in pure.parts[0]:
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
