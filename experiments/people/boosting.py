"""Gradient-boosted trees of a yes or no, grown in C: a sum of Newton steps whose logistic is a probability.

Source: Friedman (2001, 2002): each tree is grown on a part of the rows, and here of the features as well.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.trees import add_values, grow_gradients
from baycarp.trees import Bins, DecisionTree

__all__ = ["Boosted", "Boosting", "boost"]

Array = NDArray[np.float64]

CACHED = 1000
"""Rows that all trees evaluate before the next ones: they stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Boosting:
    """The limits of an ensemble.

    Parameters
    ----------
    rounds
        The number of trees, at least 0.
    rate
        The share of a Newton step that is taken, above 0 and at most 1.
    depth, least, prior
        Limits of a tree (``kernels.trees.grow_gradients``).
    rows, features
        The shares of rows and features that a tree is grown on, above 0 and at most 1.
    seed
        Fixes which.

    Raises
    ------
    ArgumentError
        Rounds below 0, or a share outside its range.
    """

    rounds: int = 150
    rate: float = 0.08
    depth: int = 6
    least: float = 20.0
    prior: float = 5.0
    rows: float = 0.5
    features: float = 0.3
    seed: int = 1

    def __post_init__(self) -> None:
        shares = (self.rate, self.rows, self.features)
        if self.rounds < 0 or not all(0 < share <= 1 for share in shares):
            raise ArgumentError(f"{self}: expected rounds of at least 0, shares above 0 and at most 1")


@dataclass(frozen=True, slots=True)
class Boosted:
    """An ensemble.

    Parameters
    ----------
    start
        The logarithm of the odds without a tree.
    trees
        Whose values are added to it.
    """

    start: float
    trees: tuple[DecisionTree, ...]

    def __call__(self, rows: Array) -> Array:
        """The probability of a yes, shape (rows,)."""
        return _logistic(self.margins(rows))

    def first(self, rounds: int) -> "Boosted":
        """The ensemble of the first trees, as many."""
        return Boosted(self.start, self.trees[:rounds])

    def margins(self, rows: Array) -> Array:
        """The logarithm of the odds, shape (rows,)."""
        sums = np.full((len(rows), 1), self.start)
        for first in range(0, len(rows), CACHED):
            part = slice(first, first + CACHED)
            for tree in self.trees:
                add_values(tree.nodes, tree.values, rows[part], sums[part])
        return sums[:, 0]


def _logistic(margins: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-margins)))


def boost(rows: Array, yes: NDArray[np.bool_], settings: Boosting) -> Boosted:
    """Grow an ensemble.

    Parameters
    ----------
    rows
        Shape (rows, features), finite, at least one row.
    yes
        Shape (rows,).

    Raises
    ------
    ArgumentError
        No row, or arrays of another shape.
    """
    if not len(rows) or yes.shape != rows.shape[:1]:
        raise ArgumentError(f"boost: expected a yes or no for each of some rows, got {yes.shape}")
    bins = Bins.of(rows)
    binned = bins(rows)
    rng = np.random.default_rng(settings.seed)
    start = float(np.log((yes.sum() + 0.5) / ((~yes).sum() + 0.5)))
    sums, trees = np.full((len(rows), 1), start), []
    some = max(int(settings.features * rows.shape[1]), 1)
    for _ in range(settings.rounds):
        kept = np.flatnonzero(rng.random(len(rows)) < settings.rows)
        columns = np.sort(rng.permutation(rows.shape[1])[:some])
        chances = _logistic(sums[kept, 0])
        part = np.ascontiguousarray(binned[np.ix_(kept, columns)])
        tree = _step(bins, part, columns, chances - yes[kept], chances * (1 - chances), settings)
        add_values(tree.nodes, tree.values, rows, sums)
        trees.append(tree)
    return Boosted(start, tuple(trees))


def _step(
    bins: Bins,
    binned: NDArray[np.uint8],
    columns: NDArray[np.int64],
    slopes: Array,
    curvatures: Array,
    settings: Boosting,
) -> DecisionTree:
    """A tree on some columns, whose nodes name the columns of all features."""
    limits = (settings.depth, settings.least, settings.prior)
    nodes, values, _ = grow_gradients(binned, bins.edges[columns], slopes, curvatures, *limits)
    inner = nodes["feature"] >= 0
    nodes["feature"][inner] = columns[nodes["feature"][inner]]
    return DecisionTree(nodes, settings.rate * values)
