"""Members of zip archives: stored or deflated alone, of the size that they declare, apart from one another.

``zipfile`` inflates members of bzip2 and LZMA without a bound, and cuts what is longer than declared in
silence. Nothing else in ``baycarp`` reads a member.
"""

import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import IO

from baycarp.errors import brief

__all__ = ["Member", "apart", "method_fault", "open_member"]

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those whose output is bounded piece by piece."""

NAMES = {9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd"}
"""Of other methods."""

LENGTHS = 26
"""Where a local header has the lengths of its name and of its extra field, which end it."""


class Member:
    """What a member holds; more or fewer bytes than it declares are an error.

    Parameters
    ----------
    content
        Its bytes; one more than it declares are given where there are more.
    size
        Bytes that it declares.
    """

    def __init__(self, content: IO[bytes], size: int) -> None:
        self._content, self._left, self._size = content, size, size

    def read1(self, most: int) -> bytes:
        """Some bytes, at most so many; none at the end."""
        got: bytes = self._content.read1(most)  # type: ignore[attr-defined]
        self._charge(len(got), most > 0 and not got)
        return got

    def read(self) -> bytes:
        """All bytes; no more than it declares are inflated."""
        got = self._content.read(self._left + 1)
        self._charge(len(got), True)
        return got

    def _charge(self, got: int, ended: bool) -> None:
        self._left -= got
        if self._left < 0 or (ended and self._left):
            words = "more" if self._left < 0 else f"{self._left} fewer"
            raise ValueError(f"a member of {words} bytes than the {self._size} that it declares")


def method_fault(member: zipfile.ZipInfo) -> str:
    """What is wrong with the method by which a member is packed; empty = nothing."""
    method = member.compress_type
    known = NAMES.get(method, f"method {method}")
    return "" if method in METHODS else f"packed by {known}: expected stored or deflated"


@contextmanager
def open_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[Member]:
    """A member to be read.

    Raises
    ------
    ValueError
        It is packed by another method.
    """
    if fault := method_fault(member):
        raise ValueError(f"{brief(member.filename)}: {fault}")
    longer = copy(member)
    longer.file_size += 1  # zipfile cuts there
    with archive.open(longer) as content:
        yield Member(content, member.file_size)


def apart(archive: zipfile.ZipFile, file: IO[bytes]) -> list[zipfile.ZipInfo]:
    """The members of an archive that was opened from this file.

    Raises
    ------
    ValueError
        Two share bytes of the file, or one lies in the directory.
    """
    places = sorted(archive.infolist(), key=lambda each: each.header_offset)
    ends = []
    for each in places:
        file.seek(each.header_offset + LENGTHS)
        ends.append(file.tell() + 4 + sum(struct.unpack("<2H", file.read(4))) + each.compress_size)
    begins = [*(each.header_offset for each in places[1:]), archive.start_dir]
    for each, end, begin in zip(places, ends, begins, strict=True) if places else ():
        if end > begin:
            raise ValueError(f"{brief(each.filename)}: overlaps what follows it in the archive")
    return archive.infolist()
