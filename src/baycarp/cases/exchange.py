"""Cases as CSV, for other programs: exported and imported without loss.

One row a case: its id, a column for every number, slot and symbol of the schema, solution, outcome, and the
provenance, whose wider columns are numbered. Numbers are written as the shortest text that gives the same
float back; a slot is the name of its state, empty where there is none; a symbol is its text. A merged case
goes on with two columns for each solution: how often it was tried, and the sum of its outcomes.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import Columns, room
from baycarp.cases.schema import Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError, brief
from baycarp.files import decimal_text, inert, read_csv, write_whole

__all__ = ["export_csv", "import_csv", "lacking"]


def export_csv(casebase: CaseBase, path: Path | str, spreadsheet: bool = False) -> int:
    """Write the cases of a case-base; returns how many.

    ``spreadsheet``: whether texts that a spreadsheet would run as a formula begin with an apostrophe, which
    ``import_csv`` takes away where it is given the same.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from baycarp.cases import Case, Feature, Linear
    >>> schema = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> _ = casebase.append(Case(schema.situation({"x": 0.1}), "call", outcome=2.0))
    >>> with TemporaryDirectory() as folder:
    ...     _ = export_csv(casebase, Path(folder, "toy.csv"))
    ...     print(Path(folder, "toy.csv").read_text())
    id,x,solution,outcome
    0,0.1,call,2.0
    <BLANKLINE>
    """
    schema, columns = casebase.schema, casebase.columns()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    numbers = 1 + len(schema.numbers)  # with the id; all other texts are names
    for row in (_header(schema), *_rows(schema, columns)):
        rows.writerow([*row[:numbers], *map(inert, row[numbers:])] if spreadsheet else row)
    write_whole(path, text.getvalue())
    return len(columns["ids"])


def import_csv(path: Path | str, schema: Schema, spreadsheet: bool = False) -> CaseBase:
    """Read a file of ``export_csv``, or one of the same form; ids may be any rising numbers.

    A last column, the propensity, which older versions wrote, is left out.

    Raises
    ------
    SchemaError
        A file that is not CSV, a header that is not the schema's, or a value that does not fit, by its line.
    """
    expected = _header(schema)
    try:
        header, *rows = read_csv(path, spreadsheet) or [[]]
    except ValueError as error:
        raise SchemaError(f"{path}: {error}: expected CSV in UTF-8, its first line {expected}") from None
    if header not in (expected, [*expected, "propensity"]):
        raise SchemaError(f"{path}: columns {header}: expected {expected}")
    columns = room(schema, len(rows))
    symbols: list[list[str]] = [[] for _ in schema.symbols]
    codes = [{name: code for code, name in enumerate(states)} | {"": NONE} for states in schema.states]
    for i, row in enumerate(rows):
        try:
            if len(row) != len(header):
                raise ValueError(f"{len(row)} values, not {len(header)}")
            place = len(schema.numbers) + len(schema.states) + 1
            for texts, text in zip(symbols, row[place:], strict=False):
                texts.append(text)
            _read(schema, codes, row, columns, i)
        except (ValueError, LookupError, OverflowError) as error:
            raise SchemaError(f"{path}, line {i + 2}: {error}: expected a case of {schema.name}") from None
    if schema.symbols:
        columns["symbols"] = np.array(symbols, np.str_).reshape(len(symbols), -1)
    casebase = CaseBase(schema)
    try:
        casebase.extend_columns(columns)
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from None
    casebase.fold_in()
    return casebase


def lacking(casebase: CaseBase, known: CaseBase) -> CaseBase:
    """The cases of a case-base that another one of the schema lacks, in their order, numbered anew.

    Two cases are the same if all but their ids is equal: situation, solution, outcome, provenance. Of a case
    that is in the first one more often than in the other, the difference remains.
    """
    there = Counter(tuple(row[1:]) for row in _rows(casebase.schema, known.columns()))
    columns, kept = casebase.columns(), []
    for place, row in enumerate(_rows(casebase.schema, columns)):
        if there[tuple(row[1:])]:
            there[tuple(row[1:])] -= 1
        else:
            kept.append(place)
    left = CaseBase(casebase.schema)
    if kept:
        left.extend_columns({name: each[..., kept] for name, each in columns.items() if name != "ids"})
    return left


def _header(schema: Schema) -> list[str]:
    origin = [
        name if width == 1 else f"{name} {place}"
        for name, _, width in schema.provenance
        for place in range(1, width + 1)
    ]
    merged = (f"{name} {what}" for name in schema.solutions for what in ("cases", "outcomes"))
    return ["id", *schema.columns, "solution", "outcome", *origin, *(merged if schema.merged else ())]


def _rows(schema: Schema, columns: Columns) -> Iterator[list[Any]]:
    numbers, codes = columns["numbers"].T, columns["codes"].T.tolist()
    for i, id in enumerate(columns["ids"].tolist()):
        slots = (
            "" if code == NONE else names[code] for code, names in zip(codes[i], schema.states, strict=True)
        )
        origin = columns["provenance"][i].item() if schema.provenance else ()
        tried = [columns[name][:, i].tolist() for name in ("counts", "sums") if schema.merged]
        yield [
            id,
            *map(str, numbers[i]),
            *slots,
            *(columns["symbols"][:, i].tolist() if schema.symbols else ()),
            schema.solutions[columns["solutions"][i]],
            float(columns["outcomes"][i]),
            *(value for part in origin for value in np.atleast_1d(part).tolist()),
            *(each for pair in zip(*tried, strict=True) for each in pair),
        ]


@np.errstate(over="ignore", invalid="ignore")  # what is too large is refused
def _read(
    schema: Schema,
    codes: Sequence[dict[str, int]],
    row: Sequence[str],
    columns: dict[str, NDArray[Any]],
    i: int,
) -> None:
    """Put one line into the columns at place i."""
    values = iter(row)
    columns["ids"][i] = int(decimal_text(next(values)))
    for column in columns["numbers"]:
        column[i] = np.float32(decimal_text(next(values)))
    schema.bounded(columns["numbers"][:, i : i + 1])
    for column, known in zip(columns["codes"], codes, strict=True):
        column[i] = known[next(values)]
    for feature in schema.symbols:
        if "\0" in (text := next(values)):  # NumPy drops it at the end of a text
            raise ValueError(f"{feature.name} {brief(text)} holds a NUL")
    columns["solutions"][i] = schema.solutions.index(next(values))
    columns["outcomes"][i] = float(decimal_text(next(values)))
    for name, kind, width in schema.provenance:
        numbers = np.array([int(decimal_text(next(values))) for _ in range(width)])
        if not np.array_equal(numbers.astype(kind), numbers):
            raise OverflowError(f"{name} {numbers.tolist()} is too large")
        columns["provenance"][name][i] = numbers if width > 1 else numbers[0]
    if schema.merged:
        for code in range(len(schema.solutions)):
            columns["counts"][code, i] = int(decimal_text(next(values)))
            columns["sums"][code, i] = float(decimal_text(next(values)))
