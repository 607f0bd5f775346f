"""Cases as the rows of a case store's tables (``baycarp.cases.tables``), and back.

Within a transaction of the writer a case gets its id, and its symbols their codes; a merged case goes to the
stored case of its situation.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.columns import MOST, Columns
from baycarp.cases.digests import case_digest, symbol_digest, tried_digest
from baycarp.cases.schema import FARTHEST, Schema
from baycarp.errors import SchemaError, StoreError, brief
from baycarp.files.database import Connection, DatabaseError

__all__ = ["TABLES", "CaseRow", "Rows", "Stored", "Table", "columns_of", "rows_of", "select", "whole"]

_INSERT = "INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LAST = "SELECT max(id) FROM cases WHERE base = ?"
_EQUAL = """SELECT id FROM cases
    WHERE base = ? AND numbers = ? AND codes = ? AND symbols = ? AND merged = 1"""
_TRIED = "SELECT count, outcomes, digest FROM tried WHERE base = ? AND id = ? AND solution = ?"
_GONE = "SELECT count(*), coalesce(sum(digest), 0) FROM {} WHERE base = ? AND id = ?"
_CHANGE = "UPDATE bases SET cases = cases + ?, digests = digests + ? WHERE name = ?"
_CODE = "SELECT code FROM symbols WHERE base = ? AND feature = ? AND symbol = ?"
_NEXT = "SELECT coalesce(max(code) + 1, 0) FROM symbols WHERE base = ? AND feature = ?"

Table: TypeAlias = tuple[str, str, Callable[..., int], tuple[type, ...]]
"""The query for the rows of a case-base, the key of their order, the digest of a row's values, its types."""
TABLES: tuple[Table, ...] = (
    (
        "SELECT id, numbers, codes, symbols, solution, outcome, provenance, merged, digest "
        "FROM cases WHERE base = ?",
        "id",
        case_digest,
        (int, bytes, bytes, bytes, int, float, bytes, int, int),
    ),
    (
        "SELECT feature, code, symbol, digest FROM symbols WHERE base = ?",
        "feature, code",
        symbol_digest,
        (int, int, str, int),
    ),
    (
        "SELECT id, solution, count, outcomes, digest FROM tried WHERE base = ?",
        "id, solution",
        tried_digest,
        (int, int, int, float, int),
    ),
)


@dataclass(frozen=True, slots=True)
class CaseRow:
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
    """The rows of one case-base: of cases by id, of each feature's symbols by code, of what was tried.

    Each row ends with its digest.
    """

    cases: list[tuple[Any, ...]]
    symbols: list[tuple[Any, ...]]
    tried: list[tuple[Any, ...]]


def rows_of(schema: Schema, columns: Columns) -> Iterator[CaseRow]:
    """Cases as rows, in order."""
    numbers = np.ascontiguousarray(columns["numbers"].T, "<f4")
    codes = np.ascontiguousarray(columns["codes"].T)
    for i in range(len(columns["solutions"])):
        tried: list[tuple[int, int, float]] = []
        if schema.merged:
            counts, sums = columns["counts"][:, i], columns["sums"][:, i]
            held = np.flatnonzero(counts)
            tried = list(zip(held.tolist(), counts[held].tolist(), sums[held].tolist(), strict=True))
        yield CaseRow(
            numbers[i].tobytes(),
            codes[i].tobytes(),
            tuple(columns["symbols"][:, i].tolist()) if schema.symbols else (),
            int(columns["solutions"][i]),
            float(columns["outcomes"][i]),
            columns["provenance"][i].tobytes(),
            tuple(tried),
        )


class Rows:
    """The tables within one transaction of the writer; ``close`` stores what its changes add up to."""

    def __init__(self, connection: Connection) -> None:
        self._execute = connection.execute
        self._changes: dict[str, tuple[int, int]] = {}  # by case-base: cases, and the sum of digests

    def insert(self, base: str, case: CaseRow) -> int:
        """Insert a case, or add a merged one to the case of its situation; returns the id."""
        symbols = self._codes(base, case.symbols)
        if case.tried:
            equal = self._execute(_EQUAL, (base, case.numbers, case.codes, symbols)).fetchone()
            if equal is not None:
                for each in case.tried:
                    self._add(base, (equal[0], *each))
                return int(equal[0])
        last = self._execute(_LAST, (base,)).fetchone()[0]
        id = 0 if last is None else int(last) + 1
        self._write(base, id, case, symbols)
        return id

    def insert_all(self, base: str, cases: Iterable[tuple[int, CaseRow]]) -> None:
        """Insert the cases of a case-base, of different situations where it merges them, under their ids."""
        for id, case in cases:
            self._write(base, id, case, self._codes(base, case.symbols))

    def delete(self, base: str, ids: Iterable[int]) -> int:
        """Delete cases, but for the newest; returns how many."""
        last = self._execute(_LAST, (base,)).fetchone()[0]
        deleted = 0
        for id in ids:
            if last is not None and id < last:
                for table in ("tried", "cases"):
                    gone, digests = self._execute(_GONE.format(table), (base, id)).fetchone()
                    self._execute(f"DELETE FROM {table} WHERE base = ? AND id = ?", (base, id))
                    self._change(base, -gone if table == "cases" else 0, -digests)
                deleted += gone
        return deleted

    def close(self) -> None:
        """Store the number of cases, and the sum of the digests, of each case-base that changed."""
        for base, change in self._changes.items():
            if self._execute(_CHANGE, (*change, base)).rowcount != 1:
                raise DatabaseError(f"case-base {base!r} is not in table bases")

    def _change(self, base: str, cases: int, digests: int) -> None:
        before = self._changes.get(base, (0, 0))
        self._changes[base] = before[0] + cases, before[1] + digests

    def _write(self, base: str, id: int, case: CaseRow, symbols: bytes) -> None:
        if not 0 <= id <= MOST:
            raise StoreError(
                f"case-base {brief(base)} is full: the next id would be {id}: expected at most {MOST}"
            )
        row = (
            id,
            case.numbers,
            case.codes,
            symbols,
            case.solution,
            case.outcome,
            case.provenance,
            bool(case.tried),
        )
        digest = case_digest(base, *row)
        self._execute(_INSERT, (base, *row, digest))
        self._change(base, 1, digest)
        for each in case.tried:
            self._try(base, (id, *each))

    def _add(self, base: str, tried: tuple[int, int, int, float]) -> None:
        """Add to what a stored case counts."""
        id, solution, count, outcomes = tried
        before = self._execute(_TRIED, (base, id, solution)).fetchone()
        if before is not None:
            if tried_digest(base, id, solution, *before[:2]) != before[2]:
                raise DatabaseError(f"what case {id} of {base!r} counts has another digest")
            self._change(base, 0, -before[2])
            count, outcomes = count + before[0], outcomes + before[1]
        self._try(base, (id, solution, count, outcomes))

    def _try(self, base: str, tried: tuple[int, int, int, float]) -> None:
        id, _, count, outcomes = tried
        if not (0 < count <= MOST and abs(outcomes) <= FARTHEST**2):
            raise StoreError(
                f"case {id} of {brief(base)} would count {count}, of outcomes {outcomes:g}: "
                f"expected at most {MOST}, within {FARTHEST**2:g}"
            )
        digest = tried_digest(base, *tried)
        self._execute("INSERT OR REPLACE INTO tried VALUES (?, ?, ?, ?, ?, ?)", (base, *tried, digest))
        self._change(base, 0, digest)

    def _codes(self, base: str, symbols: tuple[str, ...]) -> bytes:
        """The codes of symbols, which are added to the vocabularies where they are new."""
        codes = []
        for feature, symbol in enumerate(symbols):
            known = self._execute(_CODE, (base, feature, symbol)).fetchone()
            if known is None:
                known = self._execute(_NEXT, (base, feature)).fetchone()
                digest = symbol_digest(base, feature, known[0], symbol)
                row = base, feature, known[0], symbol, digest
                self._execute("INSERT INTO symbols VALUES (?, ?, ?, ?, ?)", row)
                self._change(base, 0, digest)
            codes.append(known[0])
        return np.array(codes, "<u4").tobytes()


def select(connection: Connection, base: str) -> Stored:
    """The rows of a case-base.

    Raises
    ------
    SchemaError
        A row whose digest is another, or not all of the rows.
    """
    read = [connection.execute(f"{query} ORDER BY {key}", (base,)).fetchall() for query, key, *_ in TABLES]
    lost = sum(not whole(table, base, row) for table, rows in zip(TABLES, read, strict=True) for row in rows)
    if lost:
        raise SchemaError(f"{lost} of {sum(map(len, read))} rows have another digest")
    found = len(read[0]), sum(row[-1] for rows in read for row in rows)
    expected = connection.execute("SELECT cases, digests FROM bases WHERE name = ?", (base,)).fetchone()
    if found != expected:
        raise SchemaError(f"cases and sum of digests {found}: expected {expected}")
    return Stored(*read)


def whole(table: Table, base: str, row: tuple[Any, ...]) -> bool:
    """Whether a row has the types of its table, and the digest of its values and of the case-base."""
    try:
        return tuple(map(type, row)) == table[3] and bool(table[2](base, *row[:-1]) == row[-1])
    except (AttributeError, TypeError, struct.error):
        return False


def columns_of(schema: Schema, stored: Stored) -> dict[str, NDArray[Any]]:
    """Rows as columns.

    Raises
    ------
    SchemaError, LookupError, OverflowError, TypeError, ValueError
        A row that does not fit the schema, or has no counterpart in another table.
    """
    ids, numbers, codes, symbols, solutions, outcomes, provenance, merged, _ = zip(*stored.cases, strict=True)
    n = len(stored.cases)
    if set(merged) != {int(schema.merged)}:
        raise SchemaError(f"cases that are{' not' * schema.merged} merged")
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
        texts = {row[:2]: row[2] for row in stored.symbols}
        columns["symbols"] = np.stack([_texts(texts, place, row) for place, row in enumerate(coded)])
    if schema.merged:
        columns |= _tried(schema, columns["ids"], stored)
    return columns


def _texts(texts: dict[tuple[int, int], str], feature: int, codes: NDArray[np.uint32]) -> NDArray[np.str_]:
    used, which = np.unique(codes, return_inverse=True)
    return np.array([texts[feature, code] for code in used.tolist()])[which.ravel()]


def _tried(schema: Schema, ids: NDArray[np.int64], stored: Stored) -> dict[str, NDArray[Any]]:
    counts = np.zeros((len(schema.solutions), len(ids)), np.int64)
    sums = np.zeros(counts.shape)
    if stored.tried:
        of, solution, count, outcomes, _ = map(np.array, zip(*stored.tried, strict=True))
        rows = np.searchsorted(ids, of)
        if np.any(rows == len(ids)) or np.any(ids[rows] != of):
            raise SchemaError("solutions that were tried in no stored case")
        if solution.min() < 0:
            raise SchemaError(f"solution {solution.min()}: expected a place among {len(schema.solutions)}")
        counts[solution, rows], sums[solution, rows] = count, outcomes
    return {"counts": counts, "sums": sums}
