"""Cases as columns: one array a thing, the last axis is the case. What is computed on, saved and sent."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.schema import Case, Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError

__all__ = ["Columns", "checked", "room", "stack"]

Columns: TypeAlias = Mapping[str, NDArray[Any]]
"""``ids`` int64, rising; ``numbers`` float32 (numbers, n); ``codes`` uint8 (slots, n); ``solutions`` uint8,
places in the schema's; ``outcomes`` float64; ``provenance`` records of ``schema.origin``; ``propensities``
float64, with which probability each solution was drawn, NaN where nobody wrote it down."""


def stack(schema: Schema, cases: Iterable[Case]) -> dict[str, NDArray[Any]]:
    """Cases as columns, without ids."""
    cases = list(cases)
    columns = room(schema, len(cases))
    del columns["ids"]
    for i, case in enumerate(cases):
        if case.solution not in schema.solutions:
            raise SchemaError(f"solution {case.solution!r}: expected one of {', '.join(schema.solutions)}")
        if case.situation.numbers.shape != (len(schema.numbers),) or len(case.situation.codes) != len(
            schema.states
        ):
            raise SchemaError(f"a situation that schema {schema.name} has not encoded")
        columns["numbers"][:, i] = case.situation.numbers
        columns["codes"][:, i] = case.situation.codes
        columns["solutions"][i] = schema.solutions.index(case.solution)
        columns["outcomes"][i] = case.outcome
        columns["provenance"][i] = _origin(schema, case)
        columns["propensities"][i] = np.nan if case.propensity is None else case.propensity
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
            raise SchemaError(f"provenance {name} = {case.provenance[name]!r}: expected {shape}") from None
    return tuple(record.item())


def room(schema: Schema, n: int) -> dict[str, NDArray[Any]]:
    """Columns for n cases, not filled yet."""
    return {
        "ids": np.empty(n, np.int64),
        "numbers": np.empty((len(schema.numbers), n), np.float32),
        "codes": np.empty((len(schema.states), n), np.uint8),
        "solutions": np.empty(n, np.uint8),
        "outcomes": np.empty(n, np.float64),
        "provenance": np.empty(n, schema.origin),
        "propensities": np.full(n, np.nan),
    }


def checked(schema: Schema, columns: Columns, next_id: int) -> dict[str, NDArray[Any]]:
    """The columns, with ids from ``next_id`` and unknown propensities if they have none.

    Raises
    ------
    SchemaError
        A column is missing, unknown, of another type or shape, or holds a value out of range.
    """
    n = len(columns["solutions"]) if "solutions" in columns else 0
    new = {"ids": np.arange(next_id, next_id + n), "propensities": np.full(n, np.nan), **columns}
    expected = room(schema, n)
    if set(new) != set(expected):
        raise SchemaError(f"columns {sorted(new)} of {schema.name}: expected {sorted(expected)}")
    for name, like in expected.items():
        if new[name].shape != like.shape or new[name].dtype != like.dtype:
            raise SchemaError(
                f"{name} of {schema.name}: expected {like.dtype} {like.shape}, "
                f"got {new[name].dtype} {new[name].shape}"
            )
    chances = new["propensities"]
    limits = np.array([len(states) for states in schema.states], np.uint8)[:, None]
    for name, fine in (
        ("ids", bool(np.all(np.diff(new["ids"]) > 0)) and (n == 0 or new["ids"][0] >= next_id)),
        ("numbers", np.isfinite(new["numbers"]).all()),
        ("codes", np.all((new["codes"] < limits) | (new["codes"] == NONE))),
        ("solutions", np.all(new["solutions"] < len(schema.solutions))),
        ("outcomes", np.isfinite(new["outcomes"]).all()),
        ("propensities", not np.any((chances <= 0) | (chances > 1))),
    ):
        if not fine:
            raise SchemaError(
                f"{name} of {schema.name}: out of range (ids must rise, numbers be finite, "
                "propensities above 0 and at most 1)"
            )
    return {name: new[name] for name in expected}
