"""A model of an opponent from its style and its own decisions: opponents are not always of a known style.

Each information set has a Dirichlet prior around the style's row. Cards that were not shown are missing
values; EM (Dempster, Laird and Rubin 1977) sums over them.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.solvers import StrategyProfile
from experiments.leduc.hands import Ends

__all__ = ["with_frequencies"]

WEIGHT = 100.0
"""Decisions that the style's row of an information set counts for."""

ROUNDS = 10
"""Of EM."""


def with_frequencies(
    model: StrategyProfile, ends: Ends, counts: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> StrategyProfile:
    """The most probable strategy of an opponent after some hands.

    Parameters
    ----------
    model
        The styles' strategy, the centre of the prior.
    ends
        The ends of the game.
    counts
        By seat of the player, the hands with each observation of that seat, float64.
    """
    first, second = (_fitted(model, ends, counts[1 - opponent], opponent) for opponent in (0, 1))
    return StrategyProfile(model.tree, (first, second))


def _fitted(
    model: StrategyProfile, ends: Ends, counts: NDArray[np.float64], opponent: int
) -> NDArray[np.float64]:
    side, prior = model.tree.sides[opponent], model.probabilities[opponent]
    groups, last = ends.groups[1 - opponent], ends.last[opponent]
    probabilities = prior
    for _ in range(ROUNDS):
        likely = ends.chance * side.plan(probabilities)[last]
        total = np.bincount(groups, likely)[groups]
        weights = counts[groups] * likely / total
        expected = np.asarray(np.bincount(last, weights, side.sequences), np.float64)
        side.mean(expected, np.ones(side.sequences))  # adds up to each sequence what comes after it
        expected[0] = 0
        probabilities = side.proportions(WEIGHT * prior + expected)
    return probabilities
