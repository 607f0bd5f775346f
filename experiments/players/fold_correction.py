"""A policy by holdings whose strong buckets hardly fold (``opponents.moves.fold_correction``)."""

import numpy as np

from baycarp.opponents.moves.fold_correction import STEPS, mixed_folds, verify_base
from baycarp.trees import DecisionTree
from experiments.players.holding_policy import HoldingPolicy

__all__ = ["correct_folds"]


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
    verify_base(base)
    found = list(policy.trees)
    for situation in range(1, len(found), 2):
        ranks = policy.buckets.ranks(situation // 2)
        steps = 1 + (STEPS - 1) * np.argsort(np.argsort(ranks)) / max(len(ranks) - 1, 1)
        found[situation] = tuple(
            DecisionTree(tree.nodes, mixed_folds(tree.values, 1 - rank, base**step))
            for tree, rank, step in zip(found[situation], ranks.tolist(), steps.tolist(), strict=True)
        )
    return HoldingPolicy(policy.buckets, tuple(found))
