"""Cases as the rows of a case store's tables (``baycarp.cases.tables``), and back.

Within a transaction of the writer a case gets its id, and its symbols their codes; a merged case goes to the
stored case of its situation.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.columns import Columns
from baycarp.cases.schema import Schema
from baycarp.errors import SchemaError

__all__ = ["Row", "Stored", "columns_of", "delete", "insert", "insert_all", "rows_of", "select"]

_INSERT = "INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LAST = "SELECT max(id) FROM cases WHERE base = ?"
_EQUAL = """SELECT id FROM cases
    WHERE base = ? AND numbers = ? AND codes = ? AND symbols = ? AND merged = 1"""
_ADD = """INSERT INTO tried VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET count = count + excluded.count, outcomes = outcomes + excluded.outcomes"""
_CODE = "SELECT code FROM symbols WHERE base = ? AND feature = ? AND symbol = ?"
_NEXT = "SELECT coalesce(max(code) + 1, 0) FROM symbols WHERE base = ? AND feature = ?"


@dataclass(frozen=True, slots=True)
class Row:
    """One case as SQLite stores it: numbers little-endian, symbols as text until they are written.

    Parameters
    ----------
    numbers, codes, provenance
        Bytes.
    symbols
        Texts, one a symbol of the schema.
    solution, outcome
        The place of the solution; of merged cases the first case's.
    tried
        What a merged case counts: solution, count and sum of outcomes; empty where cases are not merged.
    """

    numbers: bytes
    codes: bytes
    symbols: tuple[str, ...]
    solution: int
    outcome: float
    provenance: bytes
    tried: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """The rows of one case-base: of cases by id, of each feature's symbols by code, of what was tried."""

    cases: list[tuple[Any, ...]]
    symbols: list[tuple[int, int, str]]
    tried: list[tuple[int, int, int, float]]


def rows_of(schema: Schema, columns: Columns) -> Iterator[Row]:
    """Cases as rows, in order."""
    numbers = np.ascontiguousarray(columns["numbers"].T, "<f4")
    codes = np.ascontiguousarray(columns["codes"].T)
    for i in range(len(columns["solutions"])):
        tried: list[tuple[int, int, float]] = []
        if schema.merged:
            counts, sums = columns["counts"][:, i], columns["sums"][:, i]
            held = np.flatnonzero(counts)
            tried = list(zip(held.tolist(), counts[held].tolist(), sums[held].tolist(), strict=True))
        yield Row(
            numbers[i].tobytes(),
            codes[i].tobytes(),
            tuple(columns["symbols"][:, i].tolist()) if schema.symbols else (),
            int(columns["solutions"][i]),
            float(columns["outcomes"][i]),
            columns["provenance"][i].tobytes(),
            tuple(tried),
        )


def insert(connection: sqlite3.Connection, base: str, case: Row) -> int:
    """Insert a case, or add a merged one to the case of its situation; returns the id."""
    symbols = _codes(connection, base, case.symbols)
    if case.tried:
        equal = connection.execute(_EQUAL, (base, case.numbers, case.codes, symbols)).fetchone()
        if equal is not None:
            _add(connection, base, equal[0], case)
            return int(equal[0])
    last = connection.execute(_LAST, (base,)).fetchone()[0]
    id = 0 if last is None else int(last) + 1
    _write(connection, base, id, case, symbols)
    return id


def insert_all(connection: sqlite3.Connection, base: str, cases: Iterable[tuple[int, Row]]) -> None:
    """Insert the cases of a case-base, of different situations where it merges them, under their ids."""
    for id, case in cases:
        _write(connection, base, id, case, _codes(connection, base, case.symbols))


def _write(connection: sqlite3.Connection, base: str, id: int, case: Row, symbols: bytes) -> None:
    situation = case.numbers, case.codes, symbols
    rest = case.solution, case.outcome, case.provenance, bool(case.tried)
    connection.execute(_INSERT, (base, id, *situation, *rest))
    _add(connection, base, id, case)


def _add(connection: sqlite3.Connection, base: str, id: int, case: Row) -> None:
    connection.executemany(_ADD, [(base, id, *each) for each in case.tried])


def _codes(connection: sqlite3.Connection, base: str, symbols: tuple[str, ...]) -> bytes:
    """The codes of symbols, which are added to the vocabularies where they are new."""
    codes = []
    for feature, symbol in enumerate(symbols):
        known = connection.execute(_CODE, (base, feature, symbol)).fetchone()
        if known is None:
            known = connection.execute(_NEXT, (base, feature)).fetchone()
            connection.execute("INSERT INTO symbols VALUES (?, ?, ?, ?)", (base, feature, known[0], symbol))
        codes.append(known[0])
    return np.array(codes, "<u4").tobytes()


def delete(connection: sqlite3.Connection, base: str, ids: Iterable[int]) -> int:
    """Delete cases, but for the newest; returns how many."""
    last = connection.execute(_LAST, (base,)).fetchone()[0]
    gone = [(base, id) for id in ids if last is not None and id < last]
    connection.executemany("DELETE FROM tried WHERE base = ? AND id = ?", gone)
    return connection.executemany("DELETE FROM cases WHERE base = ? AND id = ?", gone).rowcount if gone else 0


def select(connection: sqlite3.Connection, base: str) -> Stored:
    """The rows of a case-base."""
    columns = "id, numbers, codes, symbols, solution, outcome, provenance"
    return Stored(
        connection.execute(f"SELECT {columns} FROM cases WHERE base = ? ORDER BY id", (base,)).fetchall(),
        connection.execute(
            "SELECT feature, code, symbol FROM symbols WHERE base = ? ORDER BY feature, code", (base,)
        ).fetchall(),
        connection.execute(
            "SELECT id, solution, count, outcomes FROM tried WHERE base = ? ORDER BY id", (base,)
        ).fetchall(),
    )


def columns_of(schema: Schema, stored: Stored) -> dict[str, NDArray[Any]]:
    """Rows as columns.

    Raises
    ------
    SchemaError, LookupError, OverflowError, TypeError, ValueError
        A row that does not fit the schema, or has no counterpart in another table.
    """
    ids, numbers, codes, symbols, solutions, outcomes, provenance = zip(*stored.cases, strict=True)
    n = len(stored.cases)
    columns: dict[str, NDArray[Any]] = {
        "ids": np.array(ids, np.int64),
        "numbers": np.frombuffer(b"".join(numbers), "<f4")
        .reshape(n, len(schema.numbers))
        .T.astype(np.float32),
        "codes": np.frombuffer(b"".join(codes), np.uint8).reshape(n, len(schema.states)).T,
        "solutions": np.array(solutions, np.uint8),
        "outcomes": np.array(outcomes, np.float64),
        "provenance": np.frombuffer(b"".join(provenance), schema.origin)
        if schema.origin.itemsize
        else np.empty(n, schema.origin),
    }
    if schema.symbols:
        coded = np.frombuffer(b"".join(symbols), "<u4").reshape(n, len(schema.symbols)).T
        vocabularies = ([s for f, _, s in stored.symbols if f == place] for place in range(len(coded)))
        columns["symbols"] = np.stack(
            [np.array(words, np.str_)[row] for words, row in zip(vocabularies, coded, strict=True)]
        )
    if schema.merged:
        columns |= _tried(schema, columns["ids"], stored)
    return columns


def _tried(schema: Schema, ids: NDArray[np.int64], stored: Stored) -> dict[str, NDArray[Any]]:
    counts = np.zeros((len(schema.solutions), len(ids)), np.int64)
    sums = np.zeros(counts.shape)
    if stored.tried:
        of, solution, count, outcomes = (np.array(column) for column in zip(*stored.tried, strict=True))
        rows = np.searchsorted(ids, of)
        if np.any(rows == len(ids)) or np.any(ids[rows] != of):
            raise SchemaError("solutions that were tried in no stored case")
        counts[solution, rows], sums[solution, rows] = count, outcomes
    return {"counts": counts, "sums": sums}
