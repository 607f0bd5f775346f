"""Cases as columns: arrays whose last axis is the case. They are computed on, saved and sent."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.schema import FARTHEST, Case, Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError, brief

__all__ = [
    "LONGEST",
    "MOST",
    "Columns",
    "add_up",
    "checked",
    "keys",
    "packed",
    "room",
    "same",
    "stack",
    "unpacked",
]

Columns: TypeAlias = Mapping[str, NDArray[Any]]
"""``ids`` int64, rising; ``numbers`` float32 (numbers, n); ``codes`` uint8 (slots, n); ``solutions`` uint8,
places in the schema's; ``outcomes`` float64; ``provenance`` records of ``schema.origin``.

Where the schema has symbols, ``symbols`` (symbols, n): their texts. Where it merges cases, ``counts`` int64
and ``sums`` float64 (solutions, n): how often each solution was tried in the situation, and the sum of its
outcomes; solution, outcome and provenance are then those of the first case of the situation."""

MOST = 1 << 53
"""No id and no count is greater; their sums stay within 64 bits."""

LONGEST = 1 << 10
"""Characters of a symbol: in an array of texts each takes as much room as the longest."""


def stack(schema: Schema, cases: Iterable[Case]) -> dict[str, NDArray[Any]]:
    """Cases as columns, without ids."""
    cases = list(cases)
    columns = room(schema, len(cases))
    for name in ("ids", "counts", "sums"):
        columns.pop(name, None)
    shape = len(schema.numbers), len(schema.states), len(schema.symbols)
    for i, case in enumerate(cases):
        here = case.situation
        if case.solution not in schema.solutions:
            raise SchemaError(
                f"solution {brief(case.solution)}: expected one of {', '.join(schema.solutions)}"
            )
        if (*here.numbers.shape, len(here.codes), len(here.symbols)) != shape:
            raise SchemaError(f"a situation that schema {schema.name} has not encoded")
        columns["numbers"][:, i] = here.numbers
        columns["codes"][:, i] = here.codes
        columns["solutions"][i] = schema.solutions.index(case.solution)
        columns["outcomes"][i] = case.outcome
        columns["provenance"][i] = _origin(schema, case)
    if schema.symbols:
        texts = np.array([case.situation.symbols for case in cases], np.str_)
        columns["symbols"] = texts.reshape(len(cases), len(schema.symbols)).T
    return columns


def _origin(schema: Schema, case: Case) -> tuple[Any, ...]:
    names = [name for name, _, _ in schema.provenance]
    if set(case.provenance) != set(names):
        raise SchemaError(f"provenance {sorted(case.provenance)}: expected {names}")
    record = np.zeros((), schema.origin)
    for name in names:
        try:
            record[name] = case.provenance[name]
        except (OverflowError, TypeError, ValueError):
            shape = schema.origin[name]
            raise SchemaError(
                f"provenance {name} = {brief(case.provenance[name])}: expected {shape}"
            ) from None
    return tuple(record.item())


def room(schema: Schema, n: int) -> dict[str, NDArray[Any]]:
    """Columns for n cases, not filled yet; symbols as codes of a vocabulary, uint32."""
    columns: dict[str, NDArray[Any]] = {
        "ids": np.empty(n, np.int64),
        "numbers": np.empty((len(schema.numbers), n), np.float32),
        "codes": np.empty((len(schema.states), n), np.uint8),
        "solutions": np.empty(n, np.uint8),
        "outcomes": np.empty(n, np.float64),
        "provenance": np.empty(n, schema.origin),
    }
    if schema.symbols:
        columns["symbols"] = np.empty((len(schema.symbols), n), np.uint32)
    if schema.merged:
        columns["counts"] = np.empty((len(schema.solutions), n), np.int64)
        columns["sums"] = np.empty((len(schema.solutions), n), np.float64)
    return columns


def checked(schema: Schema, columns: Columns, next_id: int) -> dict[str, NDArray[Any]]:
    """The columns, with ids from ``next_id`` if they have none; single cases are counted where they merge.

    Propensities, which files of older versions hold, are left out.

    Raises
    ------
    SchemaError
        A column is missing, unknown, of another type or shape, or holds a value out of range.
    """
    if not isinstance(columns, Mapping) or not all(isinstance(each, np.ndarray) for each in columns.values()):
        raise SchemaError(f"columns of {schema.name}: expected arrays by name, got {brief(columns)}")
    n = np.size(columns["solutions"]) if "solutions" in columns else 0
    new = {"ids": np.arange(next_id, next_id + n), **columns}
    new.pop("propensities", None)
    expected = room(schema, n)
    names = tuple(expected)
    single = schema.merged and not {"counts", "sums"} & set(new)
    if single:
        del expected["counts"], expected["sums"]
    _verify_shapes(schema, new, expected)
    schema.bounded(new["numbers"])
    limits, ids = np.array([len(states) for states in schema.states], np.uint8)[:, None], new["ids"]
    for name, fine in (
        ("ids", n == 0 or (np.all(ids[1:] > ids[:-1]) and next_id <= ids[0] and ids[-1] <= MOST)),
        ("codes", np.all((new["codes"] < limits) | (new["codes"] == NONE))),
        ("solutions", np.all(new["solutions"] < len(schema.solutions))),
        ("outcomes", np.all(np.abs(new["outcomes"]) <= FARTHEST)),
        ("counts", single or not schema.merged or _counted(new)),
    ):
        if not fine:
            raise SchemaError(
                f"{name} of {schema.name}: out of range (ids must rise, outcomes lie within {FARTHEST:g}, "
                "counts be at least 0, in each case one above)"
            )
    for comparison, texts in zip(schema.comparisons, new.get("symbols", ()), strict=True):
        for text in dict.fromkeys(texts.tolist()):
            if len(text) > LONGEST or comparison.text(text) != text:
                wanted = f"at most {LONGEST} characters" if len(text) > LONGEST else comparison.text(text)
                raise SchemaError(f"symbol {brief(text)} of {schema.name}: expected {wanted[:60]!r}")
    new["outcomes"] = new["outcomes"] + 0.0  # -0.0 is 0.0, also in SQLite
    if schema.merged:
        new["numbers"] = new["numbers"] + np.float32(0)
    if single:
        each = np.zeros((len(schema.solutions), n), np.int64)
        each[new["solutions"], np.arange(n)] = 1
        new |= {"counts": each, "sums": each * new["outcomes"]}
    if schema.merged:
        new["sums"] = new["sums"] + 0.0
    return {name: new[name] for name in names}


def _verify_shapes(schema: Schema, new: Columns, expected: Columns) -> None:
    if set(new) != set(expected):
        raise SchemaError(f"columns {sorted(new)} of {schema.name}: expected {sorted(expected)}")
    for name, like in expected.items():
        texts = name == "symbols"
        fits = new[name].dtype.kind == "U" if texts else new[name].dtype == like.dtype
        if new[name].shape != like.shape or not fits:
            raise SchemaError(
                f"{name} of {schema.name}: expected {'text' if texts else like.dtype} {like.shape}, "
                f"got {new[name].dtype} {new[name].shape}"
            )


def _counted(new: Columns) -> bool:
    """Whether every merged case holds a solution, and untried solutions have outcomes of 0."""
    counts, sums = new["counts"], new["sums"]
    tried = np.all((counts >= 0) & (counts <= MOST)) and counts.any(axis=0).all()
    return bool(tried and np.all(np.abs(sums) <= FARTHEST**2) and not np.any(sums[counts == 0]))


def keys(
    numbers: NDArray[np.float32], codes: NDArray[np.uint8], symbols: NDArray[np.uint32] | None = None
) -> NDArray[np.uint32]:
    """A row for each case, equal where situations are equal; ``symbols`` as codes of one vocabulary."""
    numbers = numbers + np.float32(0)  # -0.0 is 0.0
    parts = [numbers.view(np.uint32), codes.astype(np.uint32), *([] if symbols is None else [symbols])]
    return np.ascontiguousarray(np.concatenate(parts).T)


def same(rows: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the first of equal rows, in order; and for each row which of these it equals."""
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return first[order], places[which.ravel()]


def add_up(total: NDArray[Any], places: NDArray[np.int64], parts: NDArray[Any]) -> None:
    """Add each column of ``parts`` to the column of ``total`` at its place, one after the other."""
    np.add.at(total.T, places, parts.T)


def packed(columns: Columns) -> dict[str, NDArray[Any]]:
    """Columns as they are saved: each text of a symbol once, in order, as ``vocabulary 0``, ``1``, ..."""
    arrays = dict(columns)
    if "symbols" in arrays:
        codes = np.empty(arrays["symbols"].shape, np.uint32)
        for row, texts in enumerate(arrays["symbols"]):
            words, first, which = np.unique(texts, return_index=True, return_inverse=True)
            order = np.argsort(first)
            codes[row] = np.argsort(order)[which.ravel()]
            arrays[f"vocabulary {row}"] = words[order]
        arrays["symbols"] = codes
    return arrays


def unpacked(arrays: Columns) -> dict[str, NDArray[Any]]:
    """The columns that ``packed`` made."""
    columns = dict(arrays)
    if "symbols" in columns:
        words = [columns.pop(f"vocabulary {row}") for row in range(len(columns["symbols"]))]
        columns["symbols"] = np.stack(
            [vocabulary[codes] for vocabulary, codes in zip(words, columns["symbols"], strict=True)]
        )
    return columns
