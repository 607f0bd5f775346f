"""Arrays and data frames as cases: their columns, the texts of categories, queries, and stored cases."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.schema import Situation
from baycarp.cases.similarity import Exponential, Linear
from baycarp.cases.symbols import LEVELS, Symbolic
from baycarp.errors import SchemaError, brief

__all__ = ["Local", "category_places", "columns_of", "name_of", "situations", "store", "texts_of"]

MOST_PLACES = 1 << 31
"""Columns of an array, at most."""

Local: TypeAlias = Linear | Exponential | Symbolic
"""The local similarity of a column."""


def name_of(X: Any, place: int) -> Any:
    """The name of a column; of an array its place."""
    columns = getattr(X, "columns", None)
    return place if columns is None else columns[place]


def columns_of(X: Any) -> list[Any]:
    """The columns of a data frame, or of an array."""
    if hasattr(X, "columns"):
        return [X[name] for name in X.columns]
    return list(np.asarray(X, object).T)


def category_places(X: Any, features: Mapping[Any, Local] | None) -> frozenset[int]:
    """The places of the columns that are categories."""
    if not isinstance(features, Mapping | None):
        raise TypeError(f"features: expected similarities by column, got {brief(features)}")
    named = list(getattr(X, "columns", ()))
    places = {
        named.index(name) if named else int(name)
        for name, local in (features or {}).items()
        if isinstance(local, Symbolic) and name in (named or range(MOST_PLACES))
    }
    if named:
        places |= {place for place, column in enumerate(columns_of(X)) if not _numeric(column)}
    return frozenset(places)


def _numeric(column: Any) -> bool:
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    return kind in "biuf" if kind is not None else np.asarray(column).dtype.kind in "biuf"


def texts_of(column: Any, local: Local | None) -> list[str]:
    """Categories as symbols: escaped where only equality counts."""
    if any(value is None or type(value).__name__ == "NAType" or value != value for value in column):
        raise SchemaError("X contains a missing category (NaN or None): expected values")
    values = [str(value) for value in column]
    if isinstance(local, Symbolic):
        return [local.text(value) for value in values]
    return [value.encode("unicode_escape").decode().replace(LEVELS, "\\x7c") for value in values]


def situations(numbers: NDArray[np.float32], symbols: NDArray[np.str_]) -> list[Situation]:
    """Encoded rows as queries."""
    none = np.empty(0, np.uint8), np.empty(0)
    pairs = zip(np.ascontiguousarray(numbers.T), symbols.T.tolist(), strict=True)
    return [Situation(row, *none, tuple(texts)) for row, texts in pairs]


def store(casebase: CaseBase, numbers: NDArray[np.float32], symbols: NDArray[np.str_] | None) -> None:
    """Store cases of one solution, and index them."""
    n = numbers.shape[1]
    columns: dict[str, NDArray[Any]] = {
        "numbers": numbers,
        "codes": np.empty((0, n), np.uint8),
        "solutions": np.zeros(n, np.uint8),
        "outcomes": np.zeros(n),
        "provenance": np.zeros(n, casebase.schema.origin),
    }
    if symbols is not None and casebase.schema.symbols:
        columns["symbols"] = symbols
    casebase.extend_columns(columns)
    casebase.fold_in()
