"""Arbitrary action models for tests."""

import numpy as np

from baycarp.opponents.actions.buckets import STRENGTH
from baycarp.opponents.actions.hand_actions import ActionModel, sensible
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF


def nearby(seed):
    """The sensible model with its logits moved by a normal deviate for each price and street."""
    rng, tables = np.random.default_rng(seed), []
    for street, table in enumerate(sensible().tables):
        moved = rng.normal(0.0, 1.0, (len(LEGAL), 2, 3))
        slope = np.stack([np.ones_like(STRENGTH[street]), STRENGTH[street] - 0.5], axis=1)
        found = table * np.exp(np.einsum("pkc,bk->pbc", moved, slope))[PRICE_OF[street]]
        tables.append(found / found.sum(axis=2, keepdims=True))
    return ActionModel(tuple(tables))
