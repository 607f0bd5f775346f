"""Cases as CSV, for other programs: exported and imported without loss.

One row a case: its id, a column for every number and slot of the schema, solution, outcome, and the
provenance, whose wider columns are numbered; at last the propensity, empty where it is not known. Numbers are
written as the shortest text that gives the same float back; a slot is the name of its state, empty where
there is none.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import Columns, room
from baycarp.cases.schema import Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError
from baycarp.files import write_whole

__all__ = ["export_csv", "import_csv"]


def export_csv(casebase: CaseBase, path: Path | str) -> int:
    """Write the cases of a case-base; returns how many.

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
    id,x,solution,outcome,propensity
    0,0.1,call,2.0,
    <BLANKLINE>
    """
    schema, columns = casebase.schema, casebase.columns()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_header(schema))
    rows.writerows(_rows(schema, columns))
    write_whole(path, text.getvalue())
    return len(columns["ids"])


def import_csv(path: Path | str, schema: Schema) -> CaseBase:
    """Read what ``export_csv`` wrote, or what another program wrote alike; ids may be any that rise.

    The last column, the propensity, may be missing.

    Raises
    ------
    SchemaError
        A file that is not CSV, a header that is not the schema's, or a value that does not fit, by its line.
    """
    expected = _header(schema)
    try:
        with open(path, encoding="utf-8", newline="") as file:
            header, *told = list(csv.reader(file)) or [[]]
    except (ValueError, csv.Error) as error:
        raise SchemaError(f"{path}: {error}: expected CSV in UTF-8, its first line {expected}") from None
    if header not in (expected, expected[:-1]):
        raise SchemaError(f"{path}: columns {header}: expected {expected}, the last or not")
    columns = room(schema, len(told))
    codes = [{name: code for code, name in enumerate(states)} | {"": NONE} for states in schema.states]
    for i, row in enumerate(told):
        try:
            if len(row) != len(header):
                raise ValueError(f"{len(row)} values, not {len(header)}")
            _read(schema, codes, row, columns, i)
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            raise SchemaError(f"{path}, line {i + 2}: {error}: expected a case of {schema.name}") from None
    casebase = CaseBase(schema)
    casebase.extend_columns(columns)
    casebase.fold_in()
    return casebase


def _header(schema: Schema) -> list[str]:
    origin = [
        name if width == 1 else f"{name} {place}"
        for name, _, width in schema.provenance
        for place in range(1, width + 1)
    ]
    return ["id", *schema.columns, "solution", "outcome", *origin, "propensity"]


def _rows(schema: Schema, columns: Columns) -> Iterator[list[Any]]:
    numbers, codes = columns["numbers"].T, columns["codes"].T.tolist()
    for i, id in enumerate(columns["ids"].tolist()):
        slots = (
            "" if code == NONE else names[code] for code, names in zip(codes[i], schema.states, strict=True)
        )
        origin = columns["provenance"][i].item() if schema.provenance else ()
        yield [
            id,
            *map(str, numbers[i]),
            *slots,
            schema.solutions[columns["solutions"][i]],
            float(columns["outcomes"][i]),
            *(value for part in origin for value in np.atleast_1d(part).tolist()),
            "" if np.isnan(propensity := columns["propensities"][i]) else float(propensity),
        ]


def _read(
    schema: Schema,
    codes: Sequence[dict[str, int]],
    row: Sequence[str],
    columns: dict[str, NDArray[Any]],
    i: int,
) -> None:
    """Put one line into the columns at place i."""
    values = iter(row)
    columns["ids"][i] = int(next(values))
    for column in columns["numbers"]:
        column[i] = np.float32(next(values))
    for column, known in zip(columns["codes"], codes, strict=True):
        column[i] = known[next(values)]
    columns["solutions"][i] = schema.solutions.index(next(values))
    columns["outcomes"][i] = float(next(values))
    for name, kind, width in schema.provenance:
        told = np.array([int(next(values)) for _ in range(width)])
        if not np.array_equal(told.astype(kind), told):
            raise OverflowError(f"{name} {told.tolist()} is too large")
        columns["provenance"][name][i] = told if width > 1 else told[0]
    columns["propensities"][i] = float(next(values, "") or "nan")
