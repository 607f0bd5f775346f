"""The distribution of cases over the values of each column, and the drift between two parts of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.columns import Columns
from baycarp.cases.schema import Schema
from baycarp.cases.similarity import NONE
from baycarp.errors import SchemaError
from baycarp.kernels.arguments import whole

__all__ = ["Drift", "Spread", "drift", "spreads"]

MOST_BINS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """One column in bins.

    Parameters
    ----------
    column
        A column of the schema, ``solution`` or ``outcome``.
    bins
        The name of each bin.
    counts
        int64, shape (parts, bins): cases. A merged case counts as the cases that it was made of.
    """

    column: str
    bins: tuple[str, ...]
    counts: NDArray[np.int64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Of each part's cases; float64, shape (parts, bins)."""
        return np.asarray(self.counts / np.maximum(self.counts.sum(1, keepdims=True), 1))


@dataclass(frozen=True, slots=True)
class Drift:
    """The difference of two parts in one column.

    Parameters
    ----------
    column
        As ``Spread``.
    divergence
        Jensen-Shannon, in bits: 0 = alike, 1 = no value in common.
    chance
        Its mean if both are drawn from one distribution: (bins - 1) / (8 ln 2) * (1/n + 1/m), to second
        order; ``bins`` are those that hold a case.
    stability
        The population stability index, half a case added to every bin. By custom 0.1 is a small shift, 0.25
        a large one.
    """

    column: str
    divergence: float
    chance: float
    stability: float


def spreads(schema: Schema, parts: Sequence[Columns], bins: int = 10) -> tuple[Spread, ...]:
    """Count the cases of each part by the values of each column: of features, solution, outcome.

    Parameters
    ----------
    schema
        Of all parts.
    parts
        Columns of cases, as ``CaseBase.columns`` gives them; any rows of them.
    bins
        Numbers of more values are cut into this number of bins of equal width, over all parts together. Of
        more symbols the rarer ones share the last bin.

    Raises
    ------
    SchemaError
        Parts that hold no case at all.
    """
    bins = whole(bins, "bins", 1, MOST_BINS)
    if not sum(len(part["ids"]) for part in parts):
        raise SchemaError(f"cases of {schema.name}: expected at least one")
    parts = [_single(part) if schema.merged else part for part in parts]
    result = [
        _of_numbers(feature.name, [part["numbers"][row] for part in parts], bins)
        for row, feature in enumerate(schema.numbers)
    ]
    slots = schema.columns[len(schema.numbers) : len(schema.numbers) + len(schema.states)]
    for row, (column, states) in enumerate(zip(slots, schema.states, strict=True)):
        codes = [np.where(part["codes"][row] == NONE, len(states), part["codes"][row]) for part in parts]
        result.append(_of_codes(column, (*states, "-"), codes))
    for row, feature in enumerate(schema.symbols):
        result.append(_of_symbols(feature.name, [part["symbols"][row] for part in parts], bins))
    result.append(_of_codes("solution", schema.solutions, [part["solutions"] for part in parts]))
    return (*result, _of_numbers("outcome", [part["outcomes"] for part in parts], bins))


def _single(merged: Columns) -> dict[str, NDArray[Any]]:
    """Merged cases as single ones, whose outcomes are the means of the solution's."""
    counts = merged["counts"].T
    means = merged["sums"].T / np.maximum(counts, 1)
    row, solution = np.nonzero(counts)
    row, solution = (np.repeat(each, counts[counts > 0]) for each in (row, solution))
    columns = {name: column[..., row] for name, column in merged.items() if name not in ("counts", "sums")}
    return columns | {"solutions": solution, "outcomes": means[row, solution]}


def _of_symbols(column: str, parts: Sequence[NDArray[np.str_]], bins: int) -> Spread:
    """The most frequent symbols in order of frequency, then the others."""
    names, which, counts = np.unique(np.concatenate(parts), return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    place = np.argsort(order)
    if len(order) > bins:
        place, order = np.minimum(place, bins - 1), order[: bins - 1]
    words = [*names[order].tolist(), *(["others"] if len(order) < len(names) else [])]
    codes = np.split(place[which.ravel()], np.cumsum([len(part) for part in parts])[:-1])
    return _of_codes(column, words, codes)


def _of_codes(column: str, names: Sequence[str], parts: Sequence[NDArray[Any]]) -> Spread:
    return Spread(column, tuple(names), np.stack([np.bincount(part, minlength=len(names)) for part in parts]))


def _of_numbers(column: str, parts: Sequence[NDArray[Any]], bins: int) -> Spread:
    every = np.concatenate(parts) + 0.0  # -0.0 is 0.0
    values = np.unique(every)
    if len(values) > bins:
        values = np.linspace(values[0], values[-1], bins, endpoint=False)
        names = [f"{low:.3g}.." for low in values]
    else:
        names = [f"{value:.3g}" for value in values]
    codes = [np.searchsorted(values, part, side="right") - 1 for part in parts]
    return _of_codes(column, names, codes)


def drift(spread: Spread) -> Drift:
    """The difference of the two parts of a spread.

    Raises
    ------
    SchemaError
        Not two parts, or one without a case.

    Notes
    -----
    Lin (1991), Divergence measures based on the Shannon entropy.

    Examples
    --------
    >>> drift(Spread("strength", ("weak", "strong"), np.array([[50, 50], [50, 50]]))).divergence
    0.0
    >>> drift(Spread("strength", ("weak", "strong"), np.array([[100, 0], [0, 100]]))).divergence
    1.0
    """
    sizes = spread.counts.sum(1)
    if len(sizes) != 2 or not sizes.all():
        raise SchemaError(f"parts of {sizes.tolist()} cases: expected two, each with at least one")
    held = spread.counts.sum(0) > 0
    p, q = spread.shares[:, held]
    mean = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [np.where(part > 0, part * np.log2(part / mean), 0.0).sum() for part in (p, q)]
    chance = (held.sum() - 1) / (8 * np.log(2)) * (1 / sizes[0] + 1 / sizes[1])
    counts = spread.counts[:, held] + 0.5
    one, other = counts / counts.sum(1, keepdims=True)
    stability = float(((one - other) * np.log(one / other)).sum())
    return Drift(spread.column, max(0.0, float(sum(terms)) / 2), float(chance), stability)
