"""Weights of rival explanations of a player: moved by Bayes' rule, and drawn back to their prior."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["updated"]

Array = NDArray[np.float64]


def updated(weights: Array, likelihood: Array, prior: Array, change: float) -> Array:
    """The weights after one more observation.

    A small part returns to the prior, so that the weights follow a player that changes: the more the old
    explanations are surprised, the sooner (Herbster and Warmuth 1998).

    Parameters
    ----------
    weights, prior
        float64, the same shape; each row of the last axis sums to 1.
    likelihood
        Of the observation under each explanation, up to a factor for each row; that shape.
    change
        The part that returns to the prior, 0..1.

    Returns
    -------
    float64 array of that shape
        Rows that sum to 1; a row that no explanation is left of is its prior.

    Examples
    --------
    >>> half = np.array([0.5, 0.5])
    >>> updated(half, np.array([3.0, 1.0]), half, 0.0).tolist()
    [0.75, 0.25]
    """
    moved = weights * likelihood
    total = moved.sum(axis=-1, keepdims=True)
    shares = np.divide(moved, total, out=prior.copy(), where=total > 0)
    return np.asarray((1 - change) * shares + change * prior)
