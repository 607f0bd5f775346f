"""A published table or figure: its numbers as they are printed, and its source."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Column", "Entry", "Source", "read_entries"]


@dataclass(frozen=True, slots=True)
class Source:
    """The place of publication: ``lines`` of the source's text, first and last, from 1."""

    seed: str
    author: str
    year: int
    lines: tuple[int, int]

    def __str__(self) -> str:
        first, last = self.lines
        return f"seed {self.seed}, lines {first}-{last}: {self.author} {self.year}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an entry.

    Parameters
    ----------
    name, unit
        The heading.
    telling
        The widest half of a 95 % interval, in the unit, at which agreement counts; 0 = our result is exact.
    argues
        The difference that the source argues from, in the unit: a third of it is the widest half as well.
        0 = none, so that the third is of the printed number.
    """

    name: str
    unit: str = ""
    telling: float = 0.0
    argues: float = 0.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A table or figure with numbers.

    Parameters
    ----------
    id
        Source and number: ``000-7.1`` is table 7.1 of Unger (2011), ``000-fig7.4`` a figure, ``000-sec5.4.3``
        an example in the text.
    title, source
        Its content, and its place in the source.
    columns, rows
        Headings, and by row its name and cells as printed, "" where nothing is.
    of
        Number of hands of the printed measurement; 0 = not stated, or exact.
    of_row
        The same for single rows with other numbers of hands.
    hands, minutes, full
        Hands of our result by default, their time on two cores, and the number for a definite result;
        0 = no hand is played.
    stand_ins
        Rows of players that are not public, whose seats our players take.
    ordered
        Whether the order of the rows by their numbers is meaningful.
    tolerance
        Greatest difference of exact numbers, of all rows or by row; None, and of a row that is not named: the
        rounding of the last printed digit.
    caveat
        Differences from the original.
    gap
        Why cells that our result leaves empty are empty.
    why
        Why nothing can be compared; "" = it can.
    """

    id: str
    title: str
    source: Source
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()
    of: int = 0
    of_row: Mapping[str, int] = field(default_factory=dict, hash=False)
    hands: int = 0
    minutes: float = 0.0
    full: int = 0
    stand_ins: tuple[str, ...] = ()
    ordered: bool = True
    tolerance: float | Mapping[str, float] | None = field(default=None, hash=False)
    caveat: str = ""
    gap: str = ""
    why: str = ""

    def tolerance_of(self, row: str) -> float | None:
        """The tolerance of a row."""
        return self.tolerance.get(row) if isinstance(self.tolerance, Mapping) else self.tolerance

    @property
    def takes(self) -> str:
        """The hands and the time that our result takes."""
        if self.why:
            return "-"
        return f"{self.hands:,} hands, about {self.minutes:g} min" if self.hands else "instant"


def read_entries() -> tuple[Entry, ...]:
    """Every entry of ``data``, seed by seed, in the order of its file."""
    folder = Path(__file__).parent / "data"
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        record = tomllib.loads(path.read_text("utf-8"))
        seed = path.name.removesuffix(".toml")
        found += [_entry(seed, record["author"], record["year"], dict(entry)) for entry in record["entry"]]
    return tuple(found)


def _entry(seed: str, author: str, year: int, record: dict[str, Any]) -> Entry:
    first, last = record.pop("lines")
    common = {name: record.pop(name) for name in ("unit", "telling", "argues") if name in record}
    special: Mapping[str, Mapping[str, Any]] = record.pop("column", {})
    columns = tuple(
        Column(name, **common | dict(special.get(name, {}))) for name in record.pop("columns", ())
    )
    rows = tuple((name, tuple(cells)) for name, *cells in record.pop("rows", ()))
    return Entry(source=Source(seed, author, year, (first, last)), columns=columns, rows=rows, **record)
