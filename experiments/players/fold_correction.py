"""A policy by holdings whose strong buckets hardly fold: its folds are mixed with those of a baseline.

EM from a poor start attributes folds to strong holdings too. Source: van der Kleij (2010), sections 5.7.2 and
6.2.1: in every leaf the probability of a fold becomes a weighted mean of itself and of the baseline p / 1325,
p = 0 the strongest holding; the ratio of the weights is exponential in the bucket, a little above 1 for the
weakest; the other actions keep their proportions. The base, 1.3 as that of the buckets, is ours, as is the
count of 20 steps from the weakest bucket to the strongest on every street.
"""

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.trees import DecisionTree
from experiments.players.holding_policy import HoldingPolicy

__all__ = ["correct_folds"]

STEPS = 20


def correct_folds(policy: HoldingPolicy, base: float = 1.3) -> HoldingPolicy:
    """The policy with corrected folds.

    Parameters
    ----------
    policy
        Of EM.
    base
        The weight of the baseline in the weakest bucket, and its factor from step to step; 1 to 4.

    Raises
    ------
    ArgumentError
        A base out of its range.
    """
    if not 1 <= base <= 4:
        raise ArgumentError(f"base {base!r}: expected 1 to 4")
    found = list(policy.trees)
    for situation in range(1, len(found), 2):
        ranks = policy.buckets.ranks(situation // 2)
        steps = 1 + (STEPS - 1) * np.argsort(np.argsort(ranks)) / max(len(ranks) - 1, 1)
        found[situation] = tuple(
            _corrected(tree, 1 - rank, base**step)
            for tree, rank, step in zip(found[situation], ranks.tolist(), steps.tolist(), strict=True)
        )
    return HoldingPolicy(policy.buckets, tuple(found))


def _corrected(tree: DecisionTree, baseline: float, weight: float) -> DecisionTree:
    values = tree.values.copy()
    fold = (values[:, 0] + weight * baseline) / (1 + weight)
    others = values[:, 1:].sum(axis=1)
    values[:, 1:] *= ((1 - fold) / np.where(others > 0, others, 1.0))[:, None]
    values[:, 0] = np.where(others > 0, fold, 1.0)
    return DecisionTree(tree.nodes, values)
