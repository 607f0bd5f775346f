"""The case store: one SQLite file of learned cases, from which arrays and index are derived.

Write-ahead log, synchronous FULL: a ticket is done only after COMMIT, so an acknowledged case survives a
kill. One thread writes; ``retain`` puts a case into its queue and returns at once, so no decision waits for a
disk. Two processes may share a file: SQLite serialises their transactions, and an id is given inside the
transaction; it is the id in memory too as long as one process learns. A damaged file is refused: SQLite
verifies its pages when it is opened, and every row that is read has a digest (``baycarp.cases.tables``).
"""

import os
import queue
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from baycarp.cases import rows
from baycarp.cases.casebase import CaseBase
from baycarp.cases.columns import checked, stack
from baycarp.cases.rows import CaseRow, Rows
from baycarp.cases.schema import Case, Schema
from baycarp.cases.tables import damaged, make_tables, prepare, recognise, verify_bases, verify_pages
from baycarp.errors import BaycarpError, SchemaError, StoreError, brief, reason
from baycarp.files.database import Connection, OperationalError, new_database, open_database

__all__ = ["CaseStore", "Ticket"]

Ticket: TypeAlias = "Future[int]"
"""Done when the request is durable; its result is the case's id, or StoreError is raised.

A request that is cancelled before its transaction begins is not written; later it cannot be cancelled."""

_LONGEST = 1000
"""No name and value in the table ``about`` are longer together, in characters."""

_BATCH = 1000
"""Most requests in one transaction."""


@dataclass(frozen=True, slots=True)
class _Write:
    base: str
    case: CaseRow | None  # to insert
    forgotten: tuple[int, ...]  # ids to delete; neither: only report when all before are done
    ticket: Ticket

    def do(self, tables: Rows) -> int:
        """Change the tables; returns the result of the ticket."""
        if self.case is None:
            return tables.delete(self.base, self.forgotten)
        return tables.insert(self.base, self.case)


_Queue: TypeAlias = "queue.SimpleQueue[_Write | None]"

Begin: TypeAlias = Callable[[Mapping[str, str]], Iterable[CaseBase]]
"""From the records of a file to the cases that lacking case-bases begin with."""


class CaseStore:
    """The cases of several schemas in one file.

    Parameters
    ----------
    path
        Made if it does not exist; its folder must.
    schemas
        One a case-base. Their layout (columns, states, solutions, provenance) must be the file's.
    patience
        Seconds to wait for another process that holds the file.
    begin
        From the records of the file to the cases that a case-base begins with where the file, of an
        older model, lacks it. They are stored in the transaction that opens the file.

    Raises
    ------
    StoreError
        The file is damaged, foreign, of another schema or version, or cannot be written.
    """

    def __init__(
        self,
        path: Path | str,
        schemas: Iterable[Schema],
        patience: float = 10.0,
        begin: Begin = lambda about: (),
    ) -> None:
        if "\0" in str(path):
            raise StoreError(f"{str(path)!r}: expected a path without a null byte")
        self.path = Path(path)
        self.schemas = {schema.name: schema for schema in schemas}
        self._patience = patience
        self._process = os.getpid()
        _create(self.path, {}, (), {})
        connection = _open(self.path, self.schemas, patience, begin)
        with _named(self.path):
            self.about = _recorded(connection, self.path)
        self._queue: _Queue = queue.SimpleQueue()
        self._door = threading.Lock()
        self._is_open = True
        writer = threading.Thread(
            target=_write_all, args=(connection, self.path, self._queue), name="case store", daemon=True
        )
        writer.start()
        # Also runs when the store is dropped or the interpreter ends: queued writes are done first.
        self._stop = weakref.finalize(self, _stop, self._queue, writer)

    @classmethod
    def create(
        cls,
        path: Path | str,
        casebases: Iterable[CaseBase],
        patience: float = 10.0,
        about: Mapping[str, str] | None = None,
    ) -> "CaseStore":
        """Make a new store that begins with the cases of a (read-only) model: all of them, or none.

        Parameters
        ----------
        path
            See above.
        casebases
            The cases.
        patience
            See above.
        about
            What is recorded of all cases, by name; ``about`` of the store.

        Raises
        ------
        StoreError
            The file holds cases already, or cannot be written.
        """
        casebases = list(casebases)
        schemas = {casebase.schema.name: casebase.schema for casebase in casebases}
        if not _create(Path(path), schemas, casebases, about or {}):
            raise StoreError(f"{path}: holds cases already, or was begun without; expected a new file")
        return cls(path, [casebase.schema for casebase in casebases], patience)

    def __enter__(self) -> "CaseStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def retain(self, base: str, case: Case) -> Ticket:
        """Queue a case of one case-base; never waits.

        Raises
        ------
        SchemaError
            A case that does not fit, or an unknown case-base.
        StoreError
            The store is closed, or was opened by the parent of this process.
        """
        schema = self._schema(base)
        columns = checked(schema, stack(schema, (case,)), 0)
        return self._put(base, next(rows.rows_of(schema, columns)))

    def retain_all(self, casebase: CaseBase) -> list[Ticket]:
        """Queue every case of a case-base, in order, under new ids; never waits.

        Raises
        ------
        SchemaError
            Its schema lays cases out differently, or is unknown, or a case does not fit the store's.
        StoreError
            As ``retain``.
        """
        schema = self._schema(casebase.schema.name)
        if casebase.schema.layout != schema.layout:
            raise SchemaError(f"cases of another schema ({schema.name}): expected the store's")
        columns = checked(schema, casebase.columns(), 0)  # the bounds of its schema may be others
        return [self._put(schema.name, row) for row in rows.rows_of(schema, columns)]

    def forget(self, base: str, ids: Iterable[int]) -> Ticket:
        """Queue the removal of cases; never waits. The ticket's result is how many are gone.

        The newest case stays: the next one's id follows its.

        Raises
        ------
        SchemaError
            An unknown case-base.
        StoreError
            As ``retain``.
        """
        self._schema(base)
        return self._put(base, None, tuple(map(int, ids)))

    def flush(self, timeout: float | None = None) -> None:
        """Wait until everything queued so far is durable, or has failed (its ticket raises the error)."""
        self._put("", None).result(timeout)

    def close(self) -> None:
        """Do the queued writes, then stop. Closing twice has no effect."""
        with self._door:
            self._is_open = False
        self._stop()

    def load(self, base: str) -> CaseBase:
        """Read the durable cases of one case-base, and index them.

        Raises
        ------
        StoreError
            The file cannot be read, is damaged, or a case in it does not fit the schema.
        """
        casebase = CaseBase(self._schema(base))
        try:
            with _named(self.path), closing(_connect(self.path, self._patience)) as connection:
                connection.execute("BEGIN")  # all tables of the same moment
                stored = rows.select(connection, base)
            if stored.cases:
                casebase.extend_columns(rows.columns_of(casebase.schema, stored))
        except StoreError:
            raise
        except Exception as error:  # rows of any content
            raise damaged(self.path, f"case-base {base!r}: {error}") from error
        casebase.fold_in()
        return casebase

    def _schema(self, base: str) -> Schema:
        if base not in self.schemas:
            raise SchemaError(f"case-base {brief(base)}: expected one of {', '.join(self.schemas)}")
        return self.schemas[base]

    def _put(self, base: str, case: CaseRow | None, forgotten: tuple[int, ...] = ()) -> Ticket:
        ticket: Ticket = Future()
        with self._door:
            if not self._is_open or os.getpid() != self._process:
                raise StoreError(f"{self.path}: closed, or opened by another process; expected an open store")
            self._queue.put(_Write(base, case, forgotten, ticket))
        return ticket


def _create(
    path: Path, schemas: Mapping[str, Schema], casebases: Iterable[CaseBase], about: Mapping[str, str]
) -> bool:
    """Make a new file with these cases and records; returns whether there was none before."""

    def fill(connection: Connection) -> None:
        make_tables(connection)
        prepare(connection, path, schemas)
        tables = Rows(connection)
        _insert(tables, schemas, casebases)
        tables.close()
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())

    with _named(path):
        return new_database(path, fill)


def _open(path: Path, schemas: Mapping[str, Schema], patience: float, begin: Begin) -> Connection:
    """A connection to a file whose tables fit; case-bases that it lacks are filled by ``begin``."""
    with _named(path):
        # Without changes first: whoever closes a file puts its log into it, be it another database's.
        with closing(open_database(path, patience, changes=False)) as connection:
            recognise(connection, path)
            verify_pages(connection, path)
            verify_bases(connection, path, schemas)
        connection = _connect(path, patience)
        try:
            with _transaction(connection) as tables:
                added = prepare(connection, path, schemas)
                cases = begin(_recorded(connection, path)) if added else ()
                _insert(tables, schemas, (each for each in cases if each.schema.name in added))
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(path: Path, patience: float) -> Connection:
    connection = open_database(path, patience)
    try:
        recognise(connection, path)
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
        if (journal, synchronous) != ("wal", 2):
            raise StoreError(
                f"{path}: journal {journal!r}, synchronous {synchronous}: expected a file system "
                "that lets SQLite keep a write-ahead log, synchronous FULL"
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _recorded(connection: Connection, path: Path) -> dict[str, str]:
    """What is recorded of all cases: a few short texts."""
    (number,) = connection.execute("SELECT count(*) FROM about").fetchone()
    texts = "typeof(name) = 'text' AND typeof(value) = 'text' AND length(name) + length(value) <= ?"
    found = dict(connection.execute(f"SELECT name, value FROM about WHERE {texts} LIMIT 100", (_LONGEST,)))
    if len(found) != number:
        raise damaged(
            path, f"the table about: expected at most 100 texts of {_LONGEST} characters in all each"
        )
    return found


@contextmanager
def _transaction(connection: Connection) -> Iterator[Rows]:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        tables = Rows(connection)
        yield tables
        tables.close()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn errors of SQLite, of the disk and of damaged rows into this package's, with the file's name."""
    try:
        yield
    except BaycarpError:
        raise
    except (OperationalError, OSError) as error:
        raise StoreError(f"{path}: {reason(error)}; expected a store that can be read and written") from error
    except Exception as error:  # a damaged file has rows of any content
        raise damaged(path, str(error)) from error


def _insert(tables: Rows, schemas: Mapping[str, Schema], casebases: Iterable[CaseBase]) -> None:
    for casebase in casebases:
        schema = schemas[casebase.schema.name]
        if casebase.schema.layout != schema.layout:
            raise SchemaError(f"cases of another schema ({schema.name}): expected the store's")
        columns = checked(schema, casebase.columns(), 0)
        cases = zip(columns["ids"].tolist(), rows.rows_of(schema, columns), strict=True)
        tables.insert_all(schema.name, cases)


# ---- The writer thread. It holds no reference to the store, so that a store that is dropped is closed.


def _stop(waiting: _Queue, writer: threading.Thread) -> None:
    waiting.put(None)
    writer.join()


def _write_all(connection: Connection, path: Path, waiting: _Queue) -> None:
    last = False
    while not last:
        batch = [waiting.get()]
        while batch[-1] is not None and len(batch) < _BATCH and not waiting.empty():
            batch.append(waiting.get())
        last = batch[-1] is None
        _acknowledge(connection, path, [write for write in batch if write is not None])
    connection.close()


def _acknowledge(connection: Connection, path: Path, writes: list[_Write]) -> None:
    """Write a batch in one transaction; only then complete its tickets. A begun one cannot be cancelled."""
    writes = [write for write in writes if write.ticket.set_running_or_notify_cancel()]
    changes = [write for write in writes if write.case is not None or write.forgotten]
    try:
        with _named(path):
            results = iter(_commit(connection, changes) if changes else ())
    except BaseException as error:  # any error must reach the waiting caller
        for write in changes:
            write.ticket.set_exception(error)
    else:
        for write in changes:
            write.ticket.set_result(next(results))
    for write in writes:
        if write.case is None and not write.forgotten:
            write.ticket.set_result(0)


def _commit(connection: Connection, changes: list[_Write]) -> list[int]:
    with _transaction(connection) as tables:
        return [change.do(tables) for change in changes]
