"""A case-base: columns that only grow, and an index over most of them.

Readers take a ``Snapshot`` and never wait: rows beyond its count are invisible to it, and a new index is put
in place only when it is done. Writers take turns.
"""

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.columns import Columns, checked, room, stack
from baycarp.cases.index import LEAST, partition
from baycarp.cases.schema import Case, Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import ModelError, SchemaError
from baycarp.files import write_arrays
from baycarp.kernels.similarity import Cells

__all__ = ["CaseBase", "Snapshot"]

_TAIL = 32
"""The unsorted tail may grow to one part in so many before it is worth folding in."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The cases as they stood at one moment.

    The arrays may have room behind ``count``; what lies there is not part of the snapshot.
    """

    count: int
    ids: NDArray[np.int64]
    numbers: NDArray[np.float32]
    codes: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    outcomes: NDArray[np.float64]
    provenance: NDArray[np.void]
    propensities: NDArray[np.float64]
    cells: Cells | None = None

    @property
    def tail(self) -> int:
        """Cases that no cell holds yet; they are scanned."""
        return self.count - (0 if self.cells is None else self.cells.stored)

    @property
    def nbytes(self) -> int:
        """Bytes of the cases and of their index; the room behind ``count`` apart."""
        cases = (self.ids, self.numbers, self.codes, self.solutions, self.outcomes)
        arrays = (*cases, self.provenance, self.propensities)
        held = sum(array[..., : self.count].nbytes for array in arrays)
        return held + (0 if self.cells is None else self.cells.nbytes)

    def rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the cases of these ids lie.

        Raises
        ------
        SchemaError
            An id that is not stored.
        """
        stored = self.ids[: self.count]
        rows = np.searchsorted(stored, ids)
        if np.any(rows == self.count) or np.any(stored[rows] != ids):
            lost = next(
                int(i) for i, row in zip(ids, rows, strict=True) if row == self.count or stored[row] != i
            )
            raise SchemaError(f"case {lost}: expected the id of a stored case")
        return rows.astype(np.int64)

    def named(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ids of some rows."""
        first = int(self.ids[0]) if self.count else 0
        if self.count and int(self.ids[self.count - 1]) - first == self.count - 1:  # rising: without a gap
            return rows + first
        return self.ids[rows]


class CaseBase:
    """The cases of one schema.

    Examples
    --------
    >>> from baycarp.cases import Case, Feature, Linear, Schema, retrieve
    >>> schema = Schema("toy", (Feature("strength", 1, Linear(max=1)),), ("fold", "call"), threshold=0.9)
    >>> casebase = CaseBase(schema)
    >>> casebase.append(Case(schema.situation({"strength": 0.4}), "fold"))
    0
    >>> casebase.append(Case(schema.situation({"strength": 0.8}), "call", outcome=2.0))
    1
    >>> retrieve(casebase, {"strength": 0.75}).ids
    array([1])
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._writing = threading.Lock()
        self._now = Snapshot(0, **room(schema, 0), cells=None)

    def __len__(self) -> int:
        return self._now.count

    def snapshot(self) -> Snapshot:
        """The cases as they stand."""
        return self._now

    def fork(self) -> "CaseBase":
        """A case-base that begins with these cases and goes its own way; nothing is copied until it grows."""
        other = CaseBase(self.schema)
        now = self._now
        # Of a small case-base, whose arrays have room to spare, the kernel wants them in one piece.
        own: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(now, name)[..., : now.count]) for name in room(self.schema, 0)
        }
        other._now = replace(now, **own)
        return other

    def under(self, schema: Schema) -> "CaseBase":
        """The same cases compared by other weights, constants and threshold; a fork, which goes its own way.

        Raises
        ------
        SchemaError
            A schema of other columns, states, solutions or provenance.
        """
        if schema.layout != self.schema.layout:
            raise SchemaError(f"cases of {self.schema.name}: expected a schema of the same layout")
        other = self.fork()
        other.schema = schema
        return other

    def append(self, case: Case) -> int:
        """Store a case, found by every retrieval from now on; returns its id."""
        return int(self.extend((case,))[0])

    def extend(self, cases: Iterable[Case]) -> NDArray[np.int64]:
        """Store cases in order; returns their ids."""
        return self.extend_columns(stack(self.schema, cases))

    def extend_columns(self, columns: Columns) -> NDArray[np.int64]:
        """Store cases given as columns; ids that are not given are counted on.

        Raises
        ------
        SchemaError
            Columns that do not fit the schema. Nothing is stored then.
        """
        with self._writing:
            new = checked(self.schema, columns, int(self._now.ids[len(self) - 1]) + 1 if len(self) else 0)
            start, stop = len(self), len(self) + len(new["ids"])
            held = {name: getattr(self._now, name) for name in new}
            if stop > len(self._now.ids):
                wider = room(self.schema, max(stop, 2 * start, 64))
                for name, array in held.items():
                    wider[name][..., :start] = array[..., :start]
                held = wider
            for name, array in new.items():
                held[name][..., start:stop] = array
            self._now = Snapshot(stop, **held, cells=self._now.cells)
        return new["ids"].copy()

    def fold_in(self) -> bool:
        """Rebuild the index if the tail has grown long; returns whether it was.

        Answers do not depend on it, only their speed: call it where nobody waits, from any thread.
        """
        seen = self._now
        if seen.tail < max(LEAST, seen.count // _TAIL):
            return False
        cells = partition(self.schema, seen.numbers[:, : seen.count], seen.codes[:, : seen.count])
        with self._writing:
            if cells is not None and (self._now.cells is None or self._now.cells.stored < cells.stored):
                self._now = replace(self._now, cells=cells)
        return cells is not None

    def sums(
        self, ids: NDArray[np.int64], similarities: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """What some of the cases hold, by place of the solution: their number, outcomes and similarities."""
        now, solutions = self._now, len(self.schema.solutions)
        rows = now.rows(ids)
        held = now.solutions[rows]
        votes: NDArray[np.int64] = np.bincount(held, minlength=solutions)
        weights = now.outcomes[rows], similarities
        outcomes, alike = (np.bincount(held, each, solutions).astype(np.float64) for each in weights)
        return votes, outcomes, alike

    def columns(self) -> dict[str, NDArray[Any]]:
        """All cases, column by column; read-only views."""
        now = self._now
        views = {name: getattr(now, name)[..., : now.count] for name in room(self.schema, 0)}
        for view in views.values():
            view.flags.writeable = False
        return views

    def case(self, id: int) -> dict[str, Any]:
        """A stored case in words: situation by column, solution, outcome, provenance."""
        now, schema = self._now, self.schema
        row = int(now.rows(np.array([id], np.int64))[0])
        held = [
            None if code == NONE else names[code]
            for code, names in zip(now.codes[:, row].tolist(), schema.states, strict=True)
        ]
        return {
            "id": id,
            "situation": dict(zip(schema.columns, [*now.numbers[:, row].tolist(), *held], strict=True)),
            "solution": schema.solutions[now.solutions[row]],
            "outcome": float(now.outcomes[row]),
            "provenance": {name: now.provenance[name][row].tolist() for name, _, _ in schema.provenance},
        }

    def save(self, path: Path | str) -> None:
        """Write the cases, without the index, as one npz file; the same cases give the same bytes.

        Propensities stand in it where any is known.
        """
        schema = np.array(json.dumps(self.schema.to_dict(), sort_keys=True))
        columns = self.columns()
        if np.isnan(columns["propensities"]).all():
            del columns["propensities"]
        write_arrays(path, {"schema": schema, **columns})

    @classmethod
    def load(cls, path: Path | str, schema: Schema | None = None) -> "CaseBase":
        """Read what ``save`` wrote, and index it.

        Parameters
        ----------
        path
            An npz file.
        schema
            The one that is expected; None takes the file's own. Weights, constants and thresholds may differ.

        Raises
        ------
        ModelError
            The file is missing, corrupt, or holds cases of another schema.
        """
        try:
            with open(path, "rb") as data, np.load(data, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            stored = Schema.from_dict(json.loads(str(arrays.pop("schema"))))
            if schema is not None and schema.layout != stored.layout:
                raise SchemaError(f"cases of another schema ({stored.name}): expected {schema.name}")
            casebase = cls(schema or stored)
            casebase.extend_columns(arrays)
        except Exception as error:  # zip, zlib, numpy and json each have their own for bytes gone wrong
            raise ModelError(f"{path}: not a readable case-base: {error}") from error
        casebase.fold_in()
        return casebase
