"""The tables of a case store, and the migration of older versions.

An older file is migrated where it is opened: within the write lock a copy of it is put beside it, then every
step is made in the one transaction that opening is. So it is whole at any moment, of one version or of the
other. A newer one is refused, and left as it is.

Version 4 has a digest in every row, and the sum of them for each case-base: damage that SQLite does not
notice is found when the cases are read. Version 5 has the table ``about``.
"""

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from baycarp.cases.columns import MOST
from baycarp.cases.digests import case_digest, symbol_digest, tried_digest
from baycarp.cases.schema import Schema
from baycarp.errors import StoreError, brief
from baycarp.files.database import Connection, copy_database, in_memory

__all__ = ["VERSION", "damaged", "make_tables", "prepare", "recognise", "verify_bases", "verify_pages"]

APPLICATION = 0x62634353
"""SQLite's application id of our files ("bcCS")."""
VERSION = 5
"""Of the tables below."""

_CASES = (
    """CREATE TABLE bases (
        name TEXT PRIMARY KEY, layout TEXT NOT NULL, cases INTEGER NOT NULL, digests INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE cases (
        base TEXT NOT NULL REFERENCES bases, id INTEGER NOT NULL,
        numbers BLOB NOT NULL, codes BLOB NOT NULL, symbols BLOB NOT NULL,
        solution INTEGER NOT NULL, outcome REAL NOT NULL, provenance BLOB NOT NULL,
        merged INTEGER NOT NULL, digest INTEGER NOT NULL, PRIMARY KEY (base, id)
    ) WITHOUT ROWID""",
    "CREATE INDEX situations ON cases (base, numbers, codes, symbols) WHERE merged = 1",
    """CREATE TABLE symbols (
        base TEXT NOT NULL REFERENCES bases, feature INTEGER NOT NULL, code INTEGER NOT NULL,
        symbol TEXT NOT NULL, digest INTEGER NOT NULL,
        PRIMARY KEY (base, feature, code), UNIQUE (base, feature, symbol)
    ) WITHOUT ROWID""",
    """CREATE TABLE tried (
        base TEXT NOT NULL, id INTEGER NOT NULL, solution INTEGER NOT NULL,
        count INTEGER NOT NULL, outcomes REAL NOT NULL, digest INTEGER NOT NULL,
        PRIMARY KEY (base, id, solution)
    ) WITHOUT ROWID""",
)
_ABOUT = "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_TABLES = (*_CASES, _ABOUT)
"""``cases.symbols`` holds a code, little-endian uint32, for each symbol of the schema; ``symbols`` the
vocabulary of each. ``tried`` holds what merged cases count: of each case, how often a solution was tried, and
the sum of its outcomes. ``bases.cases`` is the number of cases, ``bases.digests`` the sum of the digests of
all rows of the case-base. ``about`` holds what its maker recorded of all cases, by name."""
_HELD = """SELECT count(*), coalesce(sum(typeof(id) <> 'integer' OR id NOT BETWEEN 0 AND ?), 0)
    FROM cases WHERE base = ?"""
_SUM = "SELECT coalesce(sum(digest), 0) FROM {} WHERE base = ? AND digest BETWEEN 0 AND 4294967295"
_STEPS = {
    1: ("ALTER TABLE cases ADD COLUMN propensity REAL",),
    # The propensity, which nothing has ever read, is lost in the next step.
    2: (
        "ALTER TABLE cases ADD COLUMN symbols BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE cases ADD COLUMN merged INTEGER NOT NULL DEFAULT 0",
        "CREATE TABLE symbols (base, feature, code, symbol)",
        "CREATE TABLE tried (base, id, solution, count, outcomes)",
    ),
    3: (
        "DROP INDEX IF EXISTS situations",
        *(f"ALTER TABLE {name} RENAME TO older_{name}" for name in ("cases", "symbols", "tried", "bases")),
        *_CASES,
        """INSERT INTO cases SELECT base, id, numbers, codes, symbols, solution, outcome, provenance, merged,
            case_digest(base, id, numbers, codes, symbols, solution, outcome, provenance, merged)
            FROM older_cases ORDER BY base, id""",
        """INSERT INTO symbols SELECT base, feature, code, symbol, symbol_digest(base, feature, code, symbol)
            FROM older_symbols ORDER BY base, feature, code""",
        """INSERT INTO tried SELECT base, id, solution, count, outcomes,
            tried_digest(base, id, solution, count, outcomes) FROM older_tried ORDER BY base, id, solution""",
        """INSERT INTO bases SELECT name, layout, (SELECT count(*) FROM cases WHERE base = name),
            (SELECT coalesce(sum(digest), 0) FROM cases WHERE base = name)
            + (SELECT coalesce(sum(digest), 0) FROM symbols WHERE base = name)
            + (SELECT coalesce(sum(digest), 0) FROM tried WHERE base = name) FROM older_bases""",
        *(f"DROP TABLE older_{name}" for name in ("cases", "symbols", "tried", "bases")),
    ),
    4: (_ABOUT,),
}
"""What makes the next version of a version."""


def damaged(path: Path, fault: str) -> StoreError:
    """The error of a file that is not whole, with the way out."""
    return StoreError(
        f"{path}: damaged: {fault}; expected a whole case store. The cases that are whole are exported by "
        f"'baycarp memory export {path.stem} FOLDER --salvage'"
    )


def recognise(connection: Connection, path: Path) -> int:
    """The version of the file's tables.

    Raises
    ------
    StoreError
        It has other tables or none, those of a newer version, or triggers or views.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION or version < 1:
        raise StoreError(
            f"{path}: application {application:#x}, version {version}: "
            f"expected a case store ({APPLICATION:#x}, version 1 to {VERSION})"
        )
    if version > VERSION:
        raise StoreError(f"{path}: a case store of version {version}, newer: expected 1 to {VERSION}")
    foreign = "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
    if found := connection.execute(foreign).fetchone():  # a trigger or a view is code of the file
        raise StoreError(f"{path}: {' '.join(map(str, found))[:80]!r}: expected tables and indexes alone")
    return version


def verify_pages(connection: Connection, path: Path) -> None:
    """Let SQLite verify the pages, the order of the rows, and the index.

    Raises
    ------
    StoreError
        It found a fault.
    """
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    fault = " ".join(str(found).split())
    if found != "ok" and recognise(connection, path) < VERSION:
        raise StoreError(f"{path}: damaged: {fault}; of a version before {VERSION}, which has no digests")
    if found != "ok":
        raise damaged(path, fault)


def verify_bases(connection: Connection, path: Path, names: Iterable[str]) -> None:
    """Verify that the rows of case-bases add up, before a case is added that could not be read with them.

    Raises
    ------
    StoreError
        An id is out of range, or a case-base of a file of this version has other rows than are stated.
    """
    if recognise(connection, path) < VERSION:
        return
    for name in names:
        stated = connection.execute("SELECT cases, digests FROM bases WHERE name = ?", (name,)).fetchone()
        if stated is None:
            continue
        cases, strange = connection.execute(_HELD, (MOST, name)).fetchone()
        if strange:
            raise damaged(path, f"case-base {name!r}: {strange} ids that are not 0 to {MOST}")
        sums = (connection.execute(_SUM.format(table), (name,)) for table in ("cases", "symbols", "tried"))
        found = cases, sum(each.fetchone()[0] for each in sums)
        if tuple(map(type, stated)) != (int, int) or stated != found:
            fault = f"cases and sum of digests {brief(found)}: expected {brief(stated)}"
            raise damaged(path, f"case-base {name!r}: {fault}")


def make_tables(connection: Connection) -> None:
    """Make the tables of a new file."""
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def prepare(connection: Connection, path: Path, schemas: Mapping[str, Schema]) -> list[str]:
    """Within a transaction, see to it that the tables are of this version, and fit the schemas.

    Returns
    -------
    The names of the case-bases that the file did not have.

    Raises
    ------
    StoreError
        As ``recognise``, tables that are not those of the version, or a case-base of another layout.
    """
    version = recognise(connection, path)
    if (_definitions(connection) == _expected()) != (version == VERSION):
        raise damaged(path, f"its tables are not those of version {version}")
    if version < VERSION:
        copy_database(path, path.with_name(f"{path.name}.version-{version}"))
        _migrate(connection, version)
        if _definitions(connection) != _expected():
            raise damaged(path, f"its tables are not those of version {version}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        verify_bases(connection, path, schemas)
    return _admit(connection, path, schemas)


def _migrate(connection: Connection, version: int) -> None:
    for parameters, function in ((9, case_digest), (4, symbol_digest), (5, tried_digest)):
        connection.create_function(function.__name__, parameters, function, deterministic=True)
    for step in range(version, VERSION):
        for statement in _STEPS[step]:
            connection.execute(statement)


def _definitions(connection: Connection) -> set[tuple[str, str, str]]:
    """Type, name and statement of all tables and indexes."""
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _expected() -> set[tuple[str, str, str]]:
    with closing(in_memory()) as connection:
        for statement in _TABLES:
            connection.execute(statement)
        return _definitions(connection)


def _admit(connection: Connection, path: Path, schemas: Mapping[str, Schema]) -> list[str]:
    added: list[str] = []
    kept = dict(connection.execute("SELECT name, layout FROM bases"))
    for name, schema in schemas.items():
        if kept.get(name, schema.layout) != schema.layout:
            raise StoreError(
                f"{path}: case-base {name!r} of layout {kept[name][:12]}: expected {schema.layout[:12]}"
            )
        if name not in kept:
            if connection.execute("SELECT 1 FROM cases WHERE base = ?", (name,)).fetchone():
                raise damaged(path, f"case-base {name!r} has cases and no layout")
            connection.execute("INSERT INTO bases VALUES (?, ?, 0, 0)", (name, schema.layout))
            added.append(name)
    return added
