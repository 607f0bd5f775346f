"""Results of finished units, line by line, so that a kill at any moment loses none.

A journal is text: a header line that identifies its match, then one line for each unit, each after its
check-sum. Lines are only appended, and each is on the disk before the next unit counts as done. A kill can
tear the last line only; that one is dropped, and damage anywhere else is an error. A journal without units
fits any match.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Any, Self

from baycarp.errors import JournalError
from baycarp.files import as_plain, locked, open_regular, parse_json, sync_folder

__all__ = ["Journal", "Recorded", "Unit", "differences", "folder_for"]

Unit = tuple[int | str, ...]
"""Names a piece of work: (session, seating), or (arm, session, seating)."""

Record = dict[str, Any]

MOST, LONGEST = 3, 60
"""Differing entries of a header that are named, and characters of each."""

LINE = 1 << 26
"""Greatest length of a line, in bytes; a longer one is read in parts, whose check-sums fail."""

_TORN_HEADER = re.compile(rb"[0-9a-f]{0,16}|[0-9a-f]{16} (\{[^\n]*)?")


class Journal:
    """Append-only records of finished units, in one file, open to one process at a time.

    Parameters
    ----------
    path
        The file; it is made with its folder when missing.
    header
        Identity of the match: everything that the units depend on, as JSON values.

    Raises
    ------
    JournalError
        The file belongs to another match, is damaged before its last line, has other content, or is in use.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "match.journal"
    >>> with Journal(path, {"seed": 1}) as journal:
    ...     journal.append((0, 1), {"net": [[2, -2]]})
    >>> with Journal(path, {"seed": 1}) as journal:
    ...     journal.records
    {(0, 1): {'net': [[2, -2]]}}
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = as_plain(dict(header))
        self.records: dict[Unit, Record] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise JournalError(f"{path}: expected a regular file")
        self._file = path.open("ab", buffering=0)
        try:
            if not locked(self._file.fileno()):
                raise JournalError(f"{path}: in use by another process")
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def _begin(self) -> None:
        whole = _whole_lines(self.path)
        found, self.records = _parsed(self.path, whole)
        if self.records and found != self.header:
            raise JournalError(
                f"{self.path}: {_differing(found, self.header)}; go on with it, or name another folder"
            )
        claimed = found == self.header
        self._file.truncate(sum(map(len, whole)) if claimed else 0)
        if not claimed:
            self._write(self.header)
            sync_folder(self.path.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def append(self, unit: Unit, record: Record) -> None:
        """Record the result of a unit; it is on the disk when this returns.

        Raises
        ------
        JournalError
            The unit has a record already, and a different one.
        """
        line = as_plain(record)
        if unit in self.records:
            if self.records[unit] != line:
                raise JournalError(f"{self.path}: unit {unit} came out differently before")
            return
        self._write([list(unit), line])
        self.records[unit] = line

    def _write(self, value: Any) -> None:
        text = json.dumps(value, separators=(",", ":")).encode()
        line = _sum(text) + b" " + text + b"\n"
        written = self._file.write(line)
        if written != len(line):
            raise JournalError(f"{self.path}: wrote {written} of {len(line)} bytes; is the disk full?")
        os.fsync(self._file.fileno())
        if not os.fstat(self._file.fileno()).st_nlink:
            raise JournalError(f"{self.path}: removed while it was written; expected to be left there")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The records of a journal, read without its lock: another process may append to it meanwhile.

    Parameters
    ----------
    path
        The file.
    records
        By unit, up to the last whole line.
    """

    path: Path
    records: Mapping[Unit, Record]

    @classmethod
    def of(cls, path: Path, header: Mapping[str, Any]) -> Self:
        """Read a journal of a header; one without records fits any.

        Raises
        ------
        JournalError
            The file belongs to another match, is damaged before its last line, or has other content.
        OSError
            It cannot be opened.
        """
        found, records = _parsed(path, _whole_lines(path))
        if records and found != as_plain(dict(header)):
            raise JournalError(f"{path}: {_differing(found, dict(header))}")
        return cls(path, records)


def folder_for(usual: Path, header: Mapping[str, Any], journals: str = "*.journal") -> Path:
    """The folder of a match that names none: the first of usual, usual-2, ... without journals of others.

    Parameters
    ----------
    usual
        The first folder.
    header
        Identity of the match, as of ``Journal``.
    journals
        Names of the journals that count, as a pattern. A damaged one belongs to the match, so that it is
        refused when it is opened.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> usual = Path(mkdtemp()) / "match"
    >>> with Journal(folder_for(usual, {"seed": 1}) / "whole.journal", {"seed": 1}) as journal:
    ...     journal.append((0, 1), {"net": [[2, -2]]})
    >>> folder_for(usual, {"seed": 1}).name, folder_for(usual, {"seed": 2}).name
    ('match', 'match-2')
    """
    own = as_plain(dict(header))
    names = (usual.with_name(f"{usual.name}-{number}") for number in count(2))
    return next(
        folder
        for folder in chain([usual], names)
        if not any(_is_of_another(path, own) for path in folder.glob(journals))
    )


def _is_of_another(path: Path, header: Any) -> bool:
    """Whether a journal has records, and another header."""
    if not path.is_file():
        return False
    with open_regular(path) as file:
        first, second = file.readline(LINE), file.readline(LINE)
    if not _holds(first) or not second:
        return False
    return bool(_parsed(path, [first])[0] != header)


def _sum(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).hexdigest().encode()


def _whole_lines(path: Path) -> list[bytes]:
    """All lines, without a torn last one."""
    lines = []
    try:
        with open_regular(path) as file:
            while line := file.readline(LINE):
                lines.append(line)
    except ValueError as error:
        raise JournalError(str(error)) from error
    if lines and not _holds(lines[-1]):
        torn = lines.pop()
        if not lines and not _TORN_HEADER.fullmatch(torn):
            raise JournalError(f"{path}: expected a journal's header")
    for number, line in enumerate(lines, 1):
        if not _holds(line):
            raise JournalError(f"{path}, line {number}: damaged; expected a record behind its check-sum")
    return lines


def _holds(line: bytes) -> bool:
    claimed, _, text = line.partition(b" ")
    return line.endswith(b"\n") and claimed == _sum(text[:-1])


def _parsed(path: Path, lines: list[bytes]) -> tuple[Any, dict[Unit, Record]]:
    """The header and the records, each verified: a check-sum shows damage, not the writer."""
    records: dict[Unit, Record] = {}
    header: Any = None
    if not lines:
        return None, records
    for number, line in enumerate(lines, 1):
        try:
            entry = parse_json(line.partition(b" ")[2])
        except ValueError as error:
            raise JournalError(f"{path}, line {number}: {error}") from error
        if number == 1:
            header = entry
        elif not _is_record(entry):
            raise JournalError(f"{path}, line {number}: expected a unit and its record")
        elif records.setdefault(tuple(entry[0]), entry[1]) is not entry[1]:
            raise JournalError(f"{path}, line {number}: unit {tuple(entry[0])} has a record already")
    if not isinstance(header, dict):
        raise JournalError(f"{path}: expected a journal's header")
    return header, records


def _is_record(entry: Any) -> bool:
    """Whether a line is ``[unit, record]``."""
    match entry:
        case [[_, *_] as unit, dict()]:
            return all(type(part) in (int, str) for part in unit)
    return False


def _differing(found: Any, expected: Any) -> str:
    """The differing entries of two headers, in one line."""
    return f"journal of another match: {differences(found, expected)}"


def differences(found: Any, expected: Any) -> str:
    """The first differing entries of two JSON values, by their nested names, and the number of the others.

    Examples
    --------
    >>> differences({"seed": 1, "players": {"Ann": "call"}}, {"seed": 2, "players": {}})
    "seed is 1, not 2, players Ann is 'call', here none"
    """
    parts = list(_parts("", found, expected))
    more = f" and {len(parts) - MOST} more" if len(parts) > MOST else ""
    return f"{', '.join(parts[:MOST])}{more}"


def _parts(name: str, found: Any, expected: Any) -> Iterator[str]:
    """The differing entries, by their nested names."""
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        found, expected = (dict(enumerate(each, 1)) for each in (found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in {**found, **expected}:
            yield from _parts(f"{name} {key}".strip(), found.get(key), expected.get(key))
    elif expected is None and found is not None:
        yield f"{name} is {_short(found)}, here none"
    elif found is None and expected is not None:
        yield f"{name} is none, here {_short(expected)}"
    elif found != expected:
        yield f"{name} is {_short(found)}, not {_short(expected)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
