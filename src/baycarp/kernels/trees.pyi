import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["BINS", "CLASSES", "DEPTH", "NODE", "add_values", "grow_classes", "grow_gradients"]

BINS: int
CLASSES: int
DEPTH: int
NODE: np.dtype[np.void]

_Grown = tuple[NDArray[np.void], NDArray[np.float64], NDArray[np.int32]]

def grow_classes(
    bins: NDArray[np.uint8],
    edges: ArrayLike,
    classes: ArrayLike,
    weights: ArrayLike,
    width: int,
    depth: int,
    least: float,
    prior: float,
) -> _Grown:
    """Grow a tree that predicts classes, by the gain of entropy (csrc/include/baycarp/tree.h).

    Parameters
    ----------
    bins
        Shape (rows, features), each below ``BINS``.
    edges
        Shape (features, ``BINS``): bin b holds the values up to ``edges[b]``.
    classes, weights
        Of the rows: below ``width``; at least 0.
    width
        The number of classes, 1 to ``CLASSES``.
    depth
        The greatest number of comparisons, 0 to ``DEPTH``.
    least
        The least sum of weights in a leaf, above 0.
    prior
        Added to each class of a leaf, above 0.

    Returns
    -------
    NODE, shape (nodes,)
        The tree.
    float64, shape (leaves, width)
        The probabilities of the classes.
    int32, shape (rows,)
        The leaf of each row.

    Raises
    ------
    ArgumentError
        An array of another shape or range.
    """

def grow_gradients(
    bins: NDArray[np.uint8],
    edges: ArrayLike,
    slopes: ArrayLike,
    curvatures: ArrayLike,
    depth: int,
    least: float,
    prior: float,
) -> _Grown:
    """Grow a tree of Newton steps, ``-sum(slopes) / (sum(curvatures) + prior)`` a leaf.

    Parameters
    ----------
    slopes, curvatures
        First and second derivatives of a loss, a row each; the second are at least 0.
    least
        The least sum of second derivatives in a leaf, above 0.

    Returns
    -------
    tuple
        As ``grow_classes``, with values of shape (leaves, 1).

    Raises
    ------
    ArgumentError
        An array of another shape or range.
    """

def add_values(
    nodes: NDArray[np.void], values: ArrayLike, rows: ArrayLike, into: NDArray[np.float64]
) -> None:
    """Add the values of each row's leaf to ``into``, shape (rows, width).

    Raises
    ------
    ArgumentError
        Nodes that are not a tree over these features and leaves, or sums of another shape.
    """
