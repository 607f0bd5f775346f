"""Models whose strong buckets hardly fold: their folds are mixed with those of a baseline.

EM from a poor start attributes folds to strong holdings too. Source: van der Kleij (2010), sections 5.7.2 and
6.2.1: in every leaf the probability of a fold becomes a weighted mean of itself and of the baseline p / 1325,
p = 0 the strongest holding; the ratio of the weights is exponential in the bucket, a little above 1 for the
weakest; the other actions keep their proportions. Ours: the base, 1.3 as that of the buckets, a count of 20
steps from the weakest bucket to the strongest on every street, and the mean of the buckets of a leaf that
several share.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, brief
from baycarp.kernels.search import INPUTS
from baycarp.opponents.moves.buckets import Buckets
from baycarp.opponents.moves.players import Players
from baycarp.rules.features import SITUATIONS
from baycarp.trees import DecisionTree

__all__ = ["STEPS", "mixed_folds", "verify_base", "with_corrected_folds"]

Array = NDArray[np.float64]

BASE = 1.3
"""The weight of the baseline in the weakest bucket, and its factor from step to step."""

STEPS = 20


def verify_base(base: float) -> None:
    """Raise ``ArgumentError`` for a base outside 1..4."""
    if not 1 <= base <= 4:
        raise ArgumentError(f"base {brief(base)}: expected 1 to 4")


def mixed_folds(values: Array, baseline: Array | float, weight: Array | float) -> Array:
    """Leaves with corrected folds.

    Parameters
    ----------
    values
        Shape (leaves, choices), rows that sum to 1; the first choice is a fold.
    baseline, weight
        The folds of the baseline, 0..1, and its weight, at least 0; by leaf, or one for all.

    Examples
    --------
    >>> mixed_folds(np.array([[0.5, 0.3, 0.2]]), baseline=0.0, weight=1.0).round(3).tolist()
    [[0.25, 0.45, 0.3]]
    """
    values = values.copy()
    fold = (values[:, 0] + weight * baseline) / (1 + np.asarray(weight))
    others = values[:, 1:].sum(axis=1)
    values[:, 1:] *= ((1 - fold) / np.where(others > 0, others, 1.0))[:, None]
    values[:, 0] = np.where(others > 0, fold, 1.0)
    return values


def with_corrected_folds(players: Players, base: float = BASE) -> Players:
    """The models with corrected folds where a bet is faced.

    Raises
    ------
    ArgumentError
        A base outside 1..4.
    """
    verify_base(base)
    rows = [list(row) for row in players.trees]
    for situation in range(1, len(SITUATIONS), 2):
        baseline, weight = _by_leaf(players.trees[-1][situation], players.buckets, situation // 2, base)
        for row in rows:
            tree = row[situation]
            row[situation] = DecisionTree(tree.nodes, mixed_folds(tree.values, baseline, weight))
    return replace(players, trees=tuple(map(tuple, rows)))


def _by_leaf(tree: DecisionTree, buckets: Buckets, street: int, base: float) -> tuple[Array, Array]:
    """The folds and the weight of the baseline in each leaf, the mean over its buckets by their shares."""
    ranks = buckets.stretches(street).mean(axis=0)
    weights = base ** (1 + (STEPS - 1) * np.arange(len(ranks)) / max(len(ranks) - 1, 1))
    shares = buckets.shares[street, : len(ranks)]
    found = np.empty((2, len(tree.values)))
    waiting = [(0, np.ones(len(ranks), bool))]
    while waiting:
        at, reached = waiting.pop()
        node = tree.nodes[at]
        if node["feature"] < 0:
            mean = shares * reached if reached.any() else shares
            found[:, node["next"]] = np.average([1 - ranks, weights], axis=1, weights=mean)
            continue
        left = right = reached
        if node["feature"] == INPUTS - 1:
            below = np.arange(len(ranks)) <= node["threshold"]
            left, right = reached & below, reached & ~below
        waiting += [(node["next"], left), (node["next"] + 1, right)]
    return found[0], found[1]
