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
from typing import IO, Any, BinaryIO, Literal, NamedTuple, Self, TypeAlias, cast

from baycarp.errors import reason
from baycarp.files.escaped import plain_text
from baycarp.files.regular import decoded_lines, open_regular
from baycarp.files.zips import Member, apart, method_fault, open_member

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

MEMORY = 1 << 28
"""Bytes that a decompressor may ask for: the greatest dictionary that 7-Zip takes by itself."""


HEADER_7Z = 1 << 23
"""Bytes of the directory of a 7z, packed or not: a hundred thousand names of files."""

ENCODED = b"\x17"
"""What a packed directory begins with."""

CODERS = {
    b"\0": "none",
    b"\3\1\1": "LZMA",
    b"\x21": "LZMA2",
    b"\3\4\1": "PPMd",
    b"\4\2\2": "bzip2",
    b"\3": "Delta",
    b"\3\3\1\3": "x86",
}
"""Methods of a 7z whose output is bounded, by their numbers."""


class _Xz:
    """Streams of xz, one after the other, in pieces; ``lzma.open`` would allow a dictionary of 4 GiB."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._stream = file, lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY)

    def read1(self, most: int) -> bytes:
        """Some bytes, at most so many; none at the end."""
        while True:
            packed = b""
            if self._stream.eof:
                packed = self._stream.unused_data.lstrip(b"\0")
                while not packed:
                    if not (packed := self._file.read(1 << 16)):
                        return b""
                    packed = packed.lstrip(b"\0")  # streams are padded
                self._stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY)
            elif self._stream.needs_input and not (packed := self._file.read(1 << 16)):
                raise EOFError("the stream of xz has no end")
            if got := self._stream.decompress(packed, most):
                return got


PACKED: Mapping[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": _Xz,
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
            first = next((member for member in _members(archive) if member.isreg()), None)
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
            for number, member in enumerate(_members(archive)):
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


SPARSE = "a file with holes: expected one that is stored whole"


class _Member(tarfile.TarInfo):
    """A member whose extended header, which is read at once, is no longer than names are."""

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> Self:
        """As the base."""
        found = super().frombuf(buf, encoding, errors)
        if found.type in EXTENDED and found.size > HEADER:
            raise tarfile.ReadError(f"an extended header of {found.size} bytes: expected at most {HEADER}")
        if found.type == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError(SPARSE)
        return found

    def _proc_gnusparse_10(self, *_: Any) -> None:
        """A map of holes in front of the content, which may be of any length."""
        raise tarfile.ReadError(SPARSE)


def _as_tar(data: IO[bytes]) -> tarfile.TarFile:
    """A tar that is read in one go."""
    return tarfile.open(fileobj=data, mode="r|", tarinfo=_Member)


def _members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members in turn; none is kept, since each has a copy of all headers that are global."""
    while member := archive.next():
        if sum(map(len, archive.pax_headers)) > HEADER:
            raise tarfile.ReadError(f"global headers of more than {HEADER} characters")
        archive.members.clear()  # type: ignore[attr-defined]
        yield member


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


def _bounded(data: IO[bytes] | Member, place: _Place) -> io.BufferedReader:
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
        for member in _members(archive):
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
        for member in apart(archive, file):
            place.budget.count()
            part = place.within(member.filename)
            if member.filename and member.is_dir():
                continue
            if stat.S_ISLNK(member.external_attr >> 16):
                part.refuse("link in an archive", "expected a regular file")
            elif member.flag_bits & 1:
                part.refuse("encrypted", "expected an archive without a password")
            elif fault := method_fault(member):
                part.refuse("packed by another method", fault)
            elif _is_inside(member.filename, part):
                with open_member(archive, member) as content:
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
            _verify_coders(_coders_of_header(file))
            with py7zr.SevenZipFile(file) as archive:
                _verify_coders(_coders(archive.header.main_streams))
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


def _coders_of_header(file: IO[bytes]) -> list[dict[str, Any]]:
    """What unpacks the header, before py7zr does."""
    from py7zr.archiveinfo import HeaderStreamsInfo, SignatureHeader

    start = SignatureHeader.retrieve(cast(BinaryIO, file))
    at = file.tell() + start.nextheaderofs
    if start.nextheadersize > HEADER_7Z or at + start.nextheadersize > file.seek(0, io.SEEK_END):
        raise ValueError(f"a header of {start.nextheadersize} bytes: expected at most {HEADER_7Z}")
    file.seek(at)
    header = io.BytesIO(file.read(start.nextheadersize))
    file.seek(0)
    if header.read(1) != ENCODED:
        return []
    streams = HeaderStreamsInfo.retrieve(header)
    size = sum(size for folder in streams.unpackinfo.folders for size in folder.unpacksizes)
    if size > HEADER_7Z:
        raise ValueError(f"a header of {size} bytes: expected at most {HEADER_7Z}")
    return _coders(streams)


def _coders(streams: Any) -> list[dict[str, Any]]:
    """Of each folder of streams; none where all files are empty."""
    folders = getattr(getattr(streams, "unpackinfo", None), "folders", ())
    return [coder for folder in folders for coder in folder.coders]


def _verify_coders(coders: list[dict[str, Any]]) -> None:
    """Refuse those that py7zr unpacks without a bound, and dictionaries that are too large."""
    for coder in coders:
        method, properties = coder["method"], coder.get("properties") or b""
        if method not in CODERS:
            raise ValueError(f"packed by {method.hex()}: expected {', '.join(CODERS.values())}")
        if (size := _dictionary(CODERS[method], properties)) > MEMORY:
            raise ValueError(f"a dictionary of {size} bytes: expected at most {MEMORY}")


def _dictionary(method: str, properties: bytes) -> int:
    """Bytes of memory that a coder asks for, by its properties."""
    if method in ("LZMA", "PPMd"):
        return int.from_bytes(properties[1:5], "little")
    if method == "LZMA2" and properties:
        bits = properties[0] & 63
        return (2 | bits & 1) << bits // 2 + 11
    return 0


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
