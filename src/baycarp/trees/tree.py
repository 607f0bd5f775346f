"""Decision trees over binned features: probabilities of classes, grown and evaluated in C.

Source: van der Kleij (2010), sections 2.3.1 and 4.3.3: binary splits by entropy, leaf frequencies as the
posterior, weighted instances. The limits of a tree, which it does not state, are ``Growth``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.trees import BINS, NODE, add_values, grow_classes

__all__ = ["Bins", "DecisionTree", "Growth", "fit", "log_losses"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Growth:
    """The limits of a tree.

    Parameters
    ----------
    depth
        The greatest number of comparisons on a path, 0 to 24.
    least
        The least sum of weights in a leaf, above 0.
    prior
        Laplace's addition to each class of a leaf, above 0.
    """

    depth: int = 12
    least: float = 50.0
    prior: float = 1.0


@dataclass(frozen=True, slots=True)
class Bins:
    """The bins of every feature.

    Parameters
    ----------
    edges
        Shape (features, 64): bin b holds the values up to ``edges[b]``. Ascending, the last infinite.
    """

    edges: Array

    @classmethod
    def of(cls, rows: Array, most: int = BINS) -> "Bins":
        """Bins with edges halfway between values: one a value where few differ, else by quantiles.

        Raises
        ------
        ArgumentError
            No row, a number that is not finite, or ``most`` outside 2..64.
        """
        if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all() or not 2 <= most <= BINS:
            raise ArgumentError(f"bins: expected rows of finite numbers and 2 to {BINS} bins, got {most}")
        edges = np.full((rows.shape[1], BINS), np.inf)
        for feature, column in enumerate(rows.T):
            values = np.unique(column)
            if len(values) > most:
                values = np.unique(np.quantile(column, np.linspace(0, 1, most), method="inverted_cdf"))
            edges[feature, : len(values) - 1] = (values[:-1] + values[1:]) / 2
        return cls(edges)

    def __call__(self, rows: Array) -> NDArray[np.uint8]:
        """The bin of every value, shape (rows, features)."""
        found = [np.searchsorted(edges, column) for edges, column in zip(self.edges, rows.T, strict=True)]
        return np.ascontiguousarray(np.array(found, np.uint8).T)


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A tree in the flat form of ``csrc/include/baycarp/tree.h``.

    Parameters
    ----------
    nodes
        ``kernels.trees.NODE``, shape (nodes,).
    values
        Shape (leaves, classes): probabilities, or a value a leaf.
    """

    nodes: NDArray[np.void]
    values: Array

    @classmethod
    def leaf(cls, values: Sequence[float] | Array) -> "DecisionTree":
        """A tree without a comparison, of these values: float64, shape (classes,)."""
        return cls(np.array([(0.0, -1, 0)], NODE), np.array([values], np.float64))

    def leaves(self, rows: Array) -> NDArray[np.intp]:
        """The number of each row's leaf, shape (rows,); errors as for a call."""
        numbers = np.arange(len(self.values), dtype=np.float64)[:, None]
        return DecisionTree(self.nodes, numbers)(rows)[:, 0].astype(np.intp)

    def __call__(self, rows: Array) -> Array:
        """The values of each row's leaf, shape (rows, classes).

        Raises
        ------
        ArgumentError
            Rows with fewer features than the tree compares.
        """
        found = np.zeros((len(rows), self.values.shape[1]))
        add_values(self.nodes, self.values, rows, found)
        return found


def fit(
    rows: Array,
    classes: NDArray[np.uint8],
    width: int,
    growth: Growth,
    weights: Array | None = None,
    bins: Bins | None = None,
) -> DecisionTree:
    """Grow a tree.

    Parameters
    ----------
    rows
        Shape (rows, features), at least one row.
    classes, width
        The class of each row, below ``width``; 1 to 16.
    weights
        Of the rows, at least 0; None = 1 each.
    bins
        None = those of the rows.

    Raises
    ------
    ArgumentError
        An array of another shape or range.
    """
    bins = bins or Bins.of(rows)
    weights = np.ones(len(rows)) if weights is None else weights
    limits = (growth.depth, growth.least, growth.prior)
    nodes, values, _ = grow_classes(bins(rows), bins.edges, classes, weights, width, *limits)
    return DecisionTree(nodes, values)


def log_losses(probabilities: Array, classes: NDArray[np.integer]) -> Array:
    """The log loss of each row in nats: minus the logarithm of its class' probability."""
    return np.asarray(-np.log(probabilities[np.arange(len(classes)), classes]))
