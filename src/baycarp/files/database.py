"""SQLite: a file that is there is opened as it is, or refused; a new one appears whole.

SQLite itself takes an empty file for a new database, so that a file that was cut would be begun anew without
a word. Here a file without SQLite's header is refused, and ``new_database`` makes a new one under another
name first.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection, DatabaseError, Error, OperationalError
from threading import get_ident

from baycarp.files.regular import open_regular
from baycarp.files.written import part_of, sync_folder

__all__ = [
    "Connection",
    "DatabaseError",
    "Error",
    "OperationalError",
    "copy_database",
    "in_memory",
    "new_database",
    "open_database",
]

MAGIC = b"SQLite format 3\0"
HEADER = 100
"""Bytes of the header of a database."""

LONGEST = 1 << 24
"""Bytes of a text or of other bytes in a row, at most."""


def open_database(path: Path, patience: float = 5.0, changes: bool = True) -> Connection:
    """A connection to a database that is there; transactions are begun by ``BEGIN`` alone.

    Parameters
    ----------
    path
        The file.
    patience
        Seconds to wait for another process that holds it.
    changes
        Whether it may be changed.

    Raises
    ------
    OSError
        As ``open_regular``.
    ValueError
        Not a regular file, an empty one, or one without the header of a database.
    """
    with open_regular(path) as file:
        header = file.read(HEADER)
    if len(header) < HEADER or not header.startswith(MAGIC):
        size = f"{len(header)} bytes" if len(header) < HEADER else f"{header[:16]!r}"
        raise ValueError(f"{size}: expected a database of SQLite; a file that is cut is not begun anew")
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={'rw' if changes else 'ro'}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")  # no function is called by a file's own definitions
    return connection


def new_database(path: Path, make: Callable[[Connection], None]) -> bool:
    """Make a database with a write-ahead log; it appears whole, or not at all.

    Parameters
    ----------
    path
        The file; its folder must exist.
    make
        Makes its tables, in one transaction.

    Returns
    -------
    Whether it was made: not where there is a file already, or another process makes one in this moment.
    """
    if path.exists():
        return False
    part = part_of(path)
    part = part.with_name(f"{part.stem}-{get_ident()}.part")  # of one of several threads
    part.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                make(connection)
            # Only now: what a log beside the file held would be lost with its name.
            connection.execute("PRAGMA journal_mode = WAL")
        return _appear(part, path)
    finally:
        part.unlink(missing_ok=True)


def _appear(part: Path, path: Path) -> bool:
    """Give a file its name, unless another has it."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        part.replace(path)
    sync_folder(path.parent)
    return True


def copy_database(path: Path, to: Path) -> None:
    """Copy what is committed; ``to`` is there whole, or not at all."""
    part = part_of(to)
    part.unlink(missing_ok=True)
    with closing(open_database(path)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
    part.replace(to)


def in_memory() -> Connection:
    """A new database without a file."""
    return sqlite3.connect(":memory:")
