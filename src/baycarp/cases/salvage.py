"""The cases of a damaged store that are whole: those whose rows have their digest."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import checked
from baycarp.cases.rows import TABLES, Stored, Table, columns_of, whole
from baycarp.cases.schema import Schema
from baycarp.cases.tables import VERSION, recognise
from baycarp.errors import StoreError
from baycarp.files.database import Connection, Error, open_database

__all__ = ["salvage"]


def salvage(path: Path | str, schema: Schema) -> tuple[CaseBase, int | None]:
    """Read the cases of one case-base that are whole; the file is not changed.

    A table is read from both ends, up to the first page that cannot be read. A merged case whose symbols or
    counts are lost is left out, and so is a row of values that the schema does not allow; of a case that was
    tried with several solutions, some counts may be lost.

    Returns
    -------
    The cases, under their ids; and how many are lost, None where the number of cases is lost too.

    Raises
    ------
    StoreError
        The file cannot be read at all, or is of an older version, which has no digests.

    Examples
    --------
    >>> import tempfile
    >>> from baycarp.cases import Case, CaseStore, Feature, Linear
    >>> schema = Schema("toy", (Feature("x", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> path = Path(tempfile.mkdtemp(), "cases.sqlite")
    >>> with CaseStore(path, [schema]) as store:
    ...     _ = store.retain("toy", Case(schema.situation({"x": 0.1}), "call"))
    >>> casebase, lost = salvage(path, schema)
    >>> len(casebase), lost
    (1, 0)
    """
    path = Path(path)
    try:
        with closing(open_database(path, changes=False)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            if recognise(connection, path) != VERSION:
                raise StoreError(f"{path}: expected a case store of version {VERSION}")
            stored = Stored(*(list(_rows(connection, table, schema.name)) for table in TABLES))
            count = _count(connection, schema.name)
        casebase = _casebase(schema, stored)
    except StoreError:
        raise
    except Exception as error:  # a damaged file may hold anything
        raise StoreError(f"{path}: {error}: nothing of it can be read") from error
    return casebase, None if count is None else max(0, count - len(casebase))


def _rows(connection: Connection, table: Table, base: str) -> Iterator[tuple[Any, ...]]:
    """The whole rows of a table, by key."""
    query, key, *_ = table
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{column} {order}" for column in key.split(", "))
        try:
            for row in connection.execute(f"{query} ORDER BY {by}", (base,)):
                if whole(table, base, row):
                    found[row[: key.count(",") + 1]] = row
        except Error:
            continue  # up to the first page that cannot be read
        break
    yield from (found[key] for key in sorted(found))


def _count(connection: Connection, base: str) -> int | None:
    """The number of cases that the file states; None if it is lost."""
    try:
        (count,) = connection.execute("SELECT cases FROM bases WHERE name = ?", (base,)).fetchone()
    except (Error, TypeError):
        return None
    return count if isinstance(count, int) else None


def _casebase(schema: Schema, stored: Stored) -> CaseBase:
    known, tried = {row[:2] for row in stored.symbols}, {row[0] for row in stored.tried}
    symbols = len(schema.symbols)

    def is_complete(row: tuple[Any, ...]) -> bool:
        codes = np.frombuffer(row[3], "<u4").tolist() if len(row[3]) == 4 * symbols else [None]
        return known.issuperset(enumerate(codes)) and (not schema.merged or row[0] in tried)

    casebase = CaseBase(schema)
    if cases := _fitting(schema, stored, list(filter(is_complete, stored.cases))):
        casebase.extend_columns(_columns(schema, stored, cases))
    return casebase


def _fitting(schema: Schema, stored: Stored, cases: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Those that a case-base takes: a digest is no reason to believe a row, since anybody can compute it."""
    if not cases:
        return []
    try:
        _columns(schema, stored, cases)
    except Exception:  # rows of any content
        half = len(cases) // 2
        parts = (cases[:half], cases[half:]) if half else ()
        return [row for part in parts for row in _fitting(schema, stored, part)]
    return cases


def _columns(schema: Schema, stored: Stored, cases: list[tuple[Any, ...]]) -> dict[str, NDArray[Any]]:
    """The columns of some cases; errors where one does not fit."""
    ids = {row[0] for row in cases}
    counts = [row for row in stored.tried if row[0] in ids]
    return checked(schema, columns_of(schema, Stored(cases, stored.symbols, counts)), 0)
