"""A case-base: columns that only grow, and an index over most of them.

Readers take a ``Snapshot`` and never wait: rows beyond its count are invisible to it, and a new index is put
in place only when it is done. Writers take turns.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.columns import LONGEST, Columns, add_up, checked, keys, packed, room, same, stack, unpacked
from baycarp.cases.index import LEAST, partition
from baycarp.cases.schema import Case, Schema
from baycarp.cases.similarity import NONE
from baycarp.cases.vocabulary import Vocabulary
from baycarp.errors import ModelError, SchemaError, brief
from baycarp.files import (
    AnyForm,
    ArrayForm,
    FileForm,
    plain_text,
    read_headed_arrays,
    verify_as_written,
    write_arrays,
)
from baycarp.kernels import similarity as kernel
from baycarp.kernels.similarity import Cells

__all__ = ["CaseBase", "Snapshot"]


ROOM = 1 << 30
"""Bytes of the texts of all cases, where each takes as much room as the longest."""


def _are_vocabularies(arrays: Mapping[str, NDArray[Any]], head: Any) -> bool:
    texts = [array for name, array in arrays.items() if name.startswith("vocabulary ")]
    widest = max((each.dtype.itemsize for each in texts), default=0)
    return (
        widest <= 4 * LONGEST
        and widest * (arrays["symbols"].size if "symbols" in arrays else 0) <= ROOM
        and all(each.ndim == 1 and len(np.unique(each)) == len(each) for each in texts)
    )


FORM = FileForm(
    {
        "ids": ArrayForm("int64", ("cases",), 0, 1 << 53),
        "numbers": ArrayForm("float32", ("numbers", "cases")),
        "codes": ArrayForm("uint8", ("slots", "cases")),
        "solutions": ArrayForm("uint8", ("cases",)),
        "outcomes": ArrayForm("float64", ("cases",)),
        "provenance": ArrayForm("V", ("cases",)),
        "symbols": ArrayForm("uint32", ("symbols", "cases")),
        "counts": ArrayForm("int64", ("solutions", "cases"), 0),
        "sums": ArrayForm("float64", ("solutions", "cases")),
        "propensities": ArrayForm("float32 float64", ("cases",), gaps=True),
    },
    head=AnyForm(),
    head_in="schema",
    optional=frozenset({"symbols", "counts", "sums", "propensities"}),
    families={"vocabulary ": ArrayForm("U")},
    rules=(
        (
            f"vocabularies of different texts, at most {LONGEST} characters, {ROOM} bytes in all cases",
            _are_vocabularies,
        ),
    ),
)
"""Columns, as ``cases.columns`` describes them, which verifies them against the schema in the head."""

_TAIL = 32
"""The index is rebuilt when the unsorted tail is longer than this part of the cases."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The cases of one moment.

    The arrays may have room behind ``count``; values there are not part of the snapshot. A vocabulary may
    hold newer symbols.
    """

    count: int
    ids: NDArray[np.int64]
    numbers: NDArray[np.float32]
    codes: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    outcomes: NDArray[np.float64]
    provenance: NDArray[np.void]
    symbols: NDArray[np.uint32] | None = None
    counts: NDArray[np.int64] | None = None
    sums: NDArray[np.float64] | None = None
    vocabularies: tuple[Vocabulary, ...] = ()
    cells: Cells | None = None

    @property
    def tail(self) -> int:
        """Cases that no cell holds yet; they are scanned."""
        return self.count - (0 if self.cells is None else self.cells.stored)

    @property
    def nbytes(self) -> int:
        """Bytes of the cases and of their index, without the room behind ``count``."""
        cases = (self.ids, self.numbers, self.codes, self.solutions, self.outcomes, self.provenance)
        arrays = (*cases, self.symbols, self.counts, self.sums)
        held = sum(array[..., : self.count].nbytes for array in arrays if array is not None)
        held += sum(vocabulary.nbytes for vocabulary in self.vocabularies)
        return held + (0 if self.cells is None else self.cells.nbytes)

    @cached_property
    def without_gap(self) -> int | None:
        """The first id where ids, which rise, are consecutive; None = some are missing, or there is none."""
        first = int(self.ids[0]) if self.count else 0
        return first if self.count and int(self.ids[self.count - 1]) - first == self.count - 1 else None

    def row(self, id: int) -> int:
        """Where the case of an id lies; errors as for `rows`."""
        try:
            ids = np.array([index(id)], np.int64)
        except (TypeError, OverflowError):
            raise SchemaError(f"case {brief(id)}: expected the id of a stored case") from None
        return int(self.rows(ids)[0])

    def rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of the cases of these ids.

        Raises
        ------
        SchemaError
            An id that is not stored.
        """
        ids = np.atleast_1d(ids)
        first = self.without_gap if ids.dtype.kind in "iu" else None
        if first is not None and len(ids) and first <= ids.min() and ids.max() < first + self.count:
            return ids.astype(np.int64) - first
        stored = self.ids[: self.count]
        rows = np.searchsorted(stored, ids)
        if np.any(rows == self.count) or np.any(stored[rows] != ids):
            pairs = zip(ids.tolist(), rows, strict=True)
            lost = next(id for id, row in pairs if row == self.count or stored[row] != id)
            raise SchemaError(f"case {lost}: expected the id of a stored case")
        return rows.astype(np.int64)

    def symbols_of(self, row: int) -> tuple[str, ...]:
        """The text of each symbol of a case."""
        if self.symbols is None:
            return ()
        codes: list[int] = self.symbols[:, row].tolist()
        return tuple(v.symbol(code) for v, code in zip(self.vocabularies, codes, strict=True))

    def chosen(self, solutions: int) -> NDArray[np.int64]:
        """How often each of the schema's solutions was chosen, by case; int64, shape (solutions, count)."""
        if self.counts is not None:
            return self.counts[:, : self.count]
        return np.asarray(np.arange(solutions)[:, None] == self.solutions[: self.count], np.int64)

    def named(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ids of some rows."""
        first = self.without_gap
        return self.ids[rows] if first is None else rows + first


def _is_long(snapshot: Snapshot) -> bool:
    """Whether so many cases are scanned that the index is worth another."""
    return snapshot.tail >= max(LEAST, snapshot.count // _TAIL)


class CaseBase:
    """The cases of one schema; where it merges them, one case for each situation.

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
        self._folding: threading.Thread | None = None
        self._rows: dict[bytes, int] | None = None  # of merged cases, by situation; made when one is learned
        vocabularies = tuple(map(Vocabulary, schema.comparisons))
        empty: dict[str, Any] = room(schema, 0)
        self._now = Snapshot(0, **empty, vocabularies=vocabularies)

    def __len__(self) -> int:
        return self._now.count

    def __repr__(self) -> str:
        schema = self.schema
        return f"<CaseBase {schema.name}: {len(self)} cases of {len(schema.features)} features>"

    def _repr_html_(self) -> str:
        """The features with their weights and similarities, and the number of cases, in a notebook."""
        rows = "".join(
            f"<tr><td>{escape(each.name)}</td><td>{each.weight:g}</td><td>{escape(str(each.similarity))}</td></tr>"
            for each in self.schema.features
        )
        solutions = f"solutions: {escape(', '.join(self.schema.solutions))}"
        head = "<tr><th>feature</th><th>weight</th><th>similarity</th></tr>"
        return plain_text(f"<table><caption>{escape(repr(self))}; {solutions}</caption>{head}{rows}</table>")

    def snapshot(self) -> Snapshot:
        """The cases of this moment."""
        return self._now

    def fork(self) -> "CaseBase":
        """An independent case-base that begins with these cases; none is copied until it grows."""
        return self.under(self.schema)

    def under(self, schema: Schema) -> "CaseBase":
        """A fork with the same cases, compared by other weights, constants and threshold.

        Raises
        ------
        SchemaError
            A schema of other columns, states, symbols, solutions or provenance, or that merges otherwise.
        """
        if schema.layout != self.schema.layout:
            raise SchemaError(f"cases of {self.schema.name}: expected a schema of the same layout")
        other = CaseBase(schema)
        with self._writing:  # vocabularies grow with the cases
            now = self._now
            copies = (v.copy(how) for v, how in zip(now.vocabularies, schema.comparisons, strict=True))
            vocabularies = tuple(copies)
        # The arrays of a small case-base have room to spare; the kernel requires them in one piece.
        own: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(now, name)[..., : now.count]) for name in room(self.schema, 0)
        }
        other._now = replace(now, **own, vocabularies=vocabularies)
        return other

    def append(self, case: Case) -> int:
        """Store a case, found by every retrieval from now on; returns its id; merged, its situation's."""
        return int(self.extend((case,))[0])

    def extend(self, cases: Iterable[Case]) -> NDArray[np.int64]:
        """Store cases in order; returns their ids."""
        return self.extend_columns(stack(self.schema, cases))

    def extend_columns(self, columns: Columns) -> NDArray[np.int64]:
        """Store cases given as columns; without ids they are numbered from the last id on.

        Where cases are merged, those of a situation that is stored are added to it.

        Returns
        -------
        int64 array: the id of each; merged, of its situation.

        Raises
        ------
        SchemaError
            Columns that do not fit the schema. Nothing is stored then.
        """
        with self._writing:
            new = checked(self.schema, columns, int(self._now.ids[len(self) - 1]) + 1 if len(self) else 0)
            if self.schema.symbols:
                pairs = zip(self._now.vocabularies, new["symbols"], strict=True)
                new["symbols"] = np.stack([vocabulary.codes(texts) for vocabulary, texts in pairs])
            if self.schema.merged:
                return self._merge(new, named="ids" in columns)
            self._now = self._appended(new)
        return new["ids"].copy()

    def _appended(self, new: dict[str, NDArray[Any]]) -> Snapshot:
        """The cases with new ones behind them; earlier snapshots stay as they are."""
        start, stop = len(self), len(self) + len(new["ids"])
        held = {name: getattr(self._now, name) for name in new}
        if stop > len(self._now.ids):
            wider = room(self.schema, max(stop, 2 * start, 64))
            for name, array in held.items():
                wider[name][..., :start] = array[..., :start]
            held = wider
        for name, array in new.items():
            held[name][..., start:stop] = array
        return replace(self._now, count=stop, **held)

    def _merge(self, new: dict[str, NDArray[Any]], named: bool) -> NDArray[np.int64]:
        """Add cases to those of equal situations; returns the ids of these. ``named``: ids were given."""
        if self._rows is None:
            now = self._now
            rows = now.numbers[:, : now.count], now.codes[:, : now.count]
            stored = keys(*rows, None if now.symbols is None else now.symbols[:, : now.count])
            self._rows = {row.tobytes(): place for place, row in enumerate(stored)}
        situations = keys(new["numbers"], new["codes"], new.get("symbols"))
        first, which = same(situations)
        start = len(self)
        places = np.empty(len(first), np.int64)
        for i, row in enumerate(first.tolist()):
            places[i] = self._rows.setdefault(situations[row].tobytes(), len(self._rows))
        begins = first[places >= start]
        begun = {name: array[..., begins] for name, array in new.items()}
        begun |= {name: np.zeros_like(begun[name]) for name in ("counts", "sums")}
        if not named:
            begun["ids"] = new["ids"][: len(begins)]  # counted on without a gap
        after = self._appended(begun)
        totals: dict[str, Any] = {name: getattr(after, name) for name in ("counts", "sums")}
        if len(begins) < len(first):  # stored cases change: earlier snapshots keep theirs
            totals = {name: total.copy() for name, total in totals.items()}
        for name, total in totals.items():
            add_up(total, places[which], new[name])
        self._now = replace(after, **totals)
        ids: NDArray[np.int64] = after.ids[places[which]]
        return ids

    def fold_in(self) -> bool:
        """Rebuild the index if the tail has grown long; returns whether it was.

        Results do not depend on it, only their speed: call it in the background, from any thread.
        """
        before = self._now
        if not _is_long(before):
            return False
        symbols = None if before.symbols is None else before.symbols[:, : before.count]
        settled = (before.solutions, before.outcomes) if before.counts is None else None
        columns = before.numbers[:, : before.count], before.codes[:, : before.count]
        cells = partition(self.schema, *columns, symbols, settled)
        with self._writing:
            if cells is not None and (self._now.cells is None or self._now.cells.stored < cells.stored):
                self._now = replace(self._now, cells=cells)
        return cells is not None

    def fold_in_later(self) -> None:
        """Begin to rebuild the index on a thread of its own, where the tail has grown long; never waits."""
        idle = self._folding is None or not self._folding.is_alive()
        if idle and _is_long(self._now):
            self._folding = threading.Thread(target=self.fold_in, name=f"index of {self.schema.name}")
            self._folding.start()

    def sums(
        self, ids: NDArray[np.int64], similarities: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Sums over some cases by place of the solution: their number, outcomes and similarities."""
        now, solutions = self._now, len(self.schema.solutions)
        first = now.without_gap if now.counts is None else None
        if first is not None and ids.dtype == np.int64 and ids.flags.c_contiguous:
            return kernel.sums(ids, similarities, first, now.count, now.solutions, now.outcomes, solutions)
        rows = now.rows(ids)
        if now.counts is not None and now.sums is not None:
            counts = now.counts[:, rows]
            return counts.sum(axis=1), now.sums[:, rows].sum(axis=1), counts @ similarities
        held = now.solutions[rows]
        votes: NDArray[np.int64] = np.bincount(held, minlength=solutions)
        weights = now.outcomes[rows], similarities
        outcomes, alike = (np.bincount(held, each, solutions).astype(np.float64) for each in weights)
        return votes, outcomes, alike

    def tried(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Contents of the given cases: how often each solution was tried, and the sum of its outcomes.

        Returns
        -------
        int64 and float64 arrays, shape (solutions, ids)
        """
        now = self._now
        rows = now.rows(ids)
        if now.counts is not None and now.sums is not None:
            return now.counts[:, rows], now.sums[:, rows]
        counts = np.zeros((len(self.schema.solutions), len(rows)), np.int64)
        counts[now.solutions[rows], np.arange(len(rows))] = 1
        return counts, counts * now.outcomes[rows]

    def columns(self) -> dict[str, NDArray[Any]]:
        """All cases, column by column, read-only: views, but for the texts of symbols."""
        now = self._now
        views = {name: getattr(now, name)[..., : now.count] for name in room(self.schema, 0)}
        if now.vocabularies:
            pairs = zip(now.vocabularies, views["symbols"], strict=True)
            views["symbols"] = np.stack([vocabulary.symbols(codes) for vocabulary, codes in pairs])
        for view in views.values():
            view.flags.writeable = False
        return views

    def case(self, id: int) -> dict[str, Any]:
        """A stored case as plain data: situation by column, solution, outcome, provenance.

        A merged case records how often each solution was tried in its situation and the sum of its outcomes
        (``counts``, ``outcomes``); its solution is the one that was tried most, its outcome the mean of that.
        """
        now, schema = self._now, self.schema
        row = now.row(id)
        held = [
            None if code == NONE else names[code]
            for code, names in zip(now.codes[:, row].tolist(), schema.states, strict=True)
        ]
        values = [*now.numbers[:, row].tolist(), *held, *now.symbols_of(row)]
        words = {
            "id": id,
            "situation": dict(zip(schema.columns, values, strict=True)),
            "solution": schema.solutions[now.solutions[row]],
            "outcome": float(now.outcomes[row]),
            "provenance": {name: now.provenance[name][row].tolist() for name, _, _ in schema.provenance},
        }
        if now.counts is not None and now.sums is not None:
            counts = now.counts[:, row]
            sums = now.sums[:, row]
            most = int(counts.argmax())
            words |= {"solution": schema.solutions[most], "outcome": float(sums[most] / counts[most])}
            words["counts"] = dict(zip(schema.solutions, counts.tolist(), strict=True))
            words["outcomes"] = dict(zip(schema.solutions, sums.tolist(), strict=True))
        return words

    def save(self, path: Path | str) -> None:
        """Write the cases, without the index, as one npz file; the same cases give the same bytes."""
        schema = np.array(json.dumps(self.schema.to_dict(), sort_keys=True))
        write_arrays(path, {"schema": schema, **packed(self.columns())})

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
            head, arrays = read_headed_arrays(path, FORM)
            stored = Schema.from_dict(head)
            verify_as_written(head, stored.to_dict(), "schema")
            if schema is not None and schema.layout != stored.layout:
                raise SchemaError(f"cases of another schema ({stored.name}): expected {schema.name}")
            casebase = cls(schema or stored)
            casebase.extend_columns(unpacked(arrays))
        except Exception as error:  # the arrays of a stranger's file may hold anything
            raise ModelError(f"{path}: not a readable case-base: {error}") from error
        casebase.fold_in()
        return casebase
