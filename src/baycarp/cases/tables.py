"""The tables of a case store, and how those of an older version become them.

An older file is migrated where it is opened: within the write lock a copy of it is put beside it, then every
step is made in the one transaction that opening is. So it is whole at any moment, of one version or of the
other. A newer one is refused, and left as it is.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from baycarp.cases.schema import Schema
from baycarp.errors import StoreError

__all__ = ["VERSION", "prepare", "recognise"]

APPLICATION = 0x62634353
"""SQLite's application id of our files ("bcCS")."""
VERSION = 3
"""Of the tables below."""

_TABLES = (
    "CREATE TABLE bases (name TEXT PRIMARY KEY, layout TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE cases (
        base TEXT NOT NULL REFERENCES bases, id INTEGER NOT NULL,
        numbers BLOB NOT NULL, codes BLOB NOT NULL, symbols BLOB NOT NULL,
        solution INTEGER NOT NULL, outcome REAL NOT NULL,
        provenance BLOB NOT NULL, merged INTEGER NOT NULL, PRIMARY KEY (base, id)
    ) WITHOUT ROWID""",
    "CREATE INDEX situations ON cases (base, numbers, codes, symbols) WHERE merged = 1",
    """CREATE TABLE symbols (
        base TEXT NOT NULL REFERENCES bases, feature INTEGER NOT NULL, code INTEGER NOT NULL,
        symbol TEXT NOT NULL, PRIMARY KEY (base, feature, code), UNIQUE (base, feature, symbol)
    ) WITHOUT ROWID""",
    """CREATE TABLE tried (
        base TEXT NOT NULL, id INTEGER NOT NULL, solution INTEGER NOT NULL,
        count INTEGER NOT NULL, outcomes REAL NOT NULL, PRIMARY KEY (base, id, solution)
    ) WITHOUT ROWID""",
)
"""``cases.symbols`` holds a code, little-endian uint32, for each symbol of the schema; ``symbols`` the
vocabulary of each. ``tried`` holds what merged cases count: of each case, how often a solution was tried, and
the sum of its outcomes."""
_STEPS = {
    1: ("ALTER TABLE cases ADD COLUMN propensity REAL",),
    # The propensity goes, since nothing has ever read it.
    2: (
        "ALTER TABLE cases RENAME TO older",
        *_TABLES[1:],
        """INSERT INTO cases SELECT base, id, numbers, codes, x'', solution, outcome, provenance, 0 FROM older
            ORDER BY base, id""",
        "DROP TABLE older",
    ),
}
"""What makes the next version of a version."""


def recognise(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the file's tables, 0 of an empty file.

    Raises
    ------
    StoreError
        It has other tables, or those of a newer version.
    """
    # The tables first: where they are visible, so is the rest of their transaction, even if another program
    # makes the file between two of these queries.
    tables = connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if not application and not tables:
        return 0
    if application != APPLICATION or version < 1:
        raise StoreError(
            f"{path}: application {application:#x}, version {version}: "
            f"expected a case store ({APPLICATION:#x}, version 1 to {VERSION})"
        )
    if version > VERSION:
        raise StoreError(f"{path}: a case store of version {version}, newer: expected 1 to {VERSION}")
    return version


def prepare(connection: sqlite3.Connection, path: Path, schemas: Mapping[str, Schema]) -> None:
    """Within a transaction, see to it that the tables are there, of this version, and fit the schemas.

    Raises
    ------
    StoreError
        As ``recognise``, or a case-base of another layout.
    """
    version = recognise(connection, path)
    if version == 0:
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    elif version < VERSION:
        _copy(path, path.with_name(f"{path.name}.version-{version}"))
        for step in range(version, VERSION):
            for statement in _STEPS[step]:
                connection.execute(statement)
    if version != VERSION:
        connection.execute(f"PRAGMA user_version = {VERSION}")
    _admit(connection, path, schemas)


def _admit(connection: sqlite3.Connection, path: Path, schemas: Mapping[str, Schema]) -> None:
    kept = dict(connection.execute("SELECT name, layout FROM bases"))
    for name, schema in schemas.items():
        if kept.get(name, schema.layout) != schema.layout:
            raise StoreError(
                f"{path}: case-base {name!r} of layout {kept[name][:12]}: expected {schema.layout[:12]}"
            )
        if name not in kept:
            connection.execute("INSERT INTO bases VALUES (?, ?)", (name, schema.layout))


def _copy(path: Path, to: Path) -> None:
    """Copy what is committed; ``to`` is there whole, or not at all."""
    part = to.with_name(f"{to.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
    part.replace(to)
