"""Whether clusters of K-models lie apart in habits, and their members close together.

Source: van der Kleij (2010), figure 4.2: the clusters' mean habits spread out while the deviations within
clusters shrink. Ours: the share of a habit's variance among players that lies between clusters, on the last
fifth of each player's hands, which the clustering did not see, beside that of random clusters of equal sizes.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.game.notation.hand import Hand
from baycarp.training.kmodels import KModels, k_models
from experiments.players.choices import choices_of
from experiments.players.move_accuracy import CLUSTERS, GROWTH, early_and_late
from experiments.players.players import habits

__all__ = ["HABITS", "Spread", "between", "spreads"]

HABITS = ("VPIP", "PFR", "aggression")
"""The columns of ``study.players.habits``."""

DRAWS = 999
"""Random clusters."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The share of a habit's variance between clusters, 0..1.

    Parameters
    ----------
    found
        Of the clusters of K-models.
    random
        Of random clusters of the same sizes: median and 99 % quantile.
    """

    found: float
    random: tuple[float, float]

    @property
    def apart(self) -> bool:
        """Whether the clusters lie further apart than 99 % of the random ones."""
        return self.found > self.random[1]


def between(values: Array, groups: NDArray[np.int64]) -> float:
    """The share of the variance of some values that lies between groups.

    Examples
    --------
    >>> between(np.array([1.0, 1.0, 3.0, 3.0]), np.array([0, 0, 1, 1]))
    1.0
    >>> between(np.array([1.0, 3.0, 1.0, 3.0]), np.array([0, 0, 1, 1]))
    0.0
    """
    counts = np.bincount(groups)
    means = np.bincount(groups, values) / np.maximum(counts, 1)
    return float((counts * (means - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def spreads(hands: Iterable[Hand], seed: int) -> dict[str, Spread]:
    """Cluster players by the first four fifths of their hands, and compare their habits in the last.

    Parameters
    ----------
    hands
        Of any tables.
    seed
        Of the clustering and of the random clusters.

    Returns
    -------
    dict
        By habit of ``HABITS``.

    Raises
    ------
    ArgumentError
        Fewer players than clusters, or no decision.
    """
    choices, names = choices_of(hands)
    early, late = early_and_late(choices, len(names))
    groups = k_models(early, len(names), KModels(CLUSTERS, GROWTH, seed, starts=1)).assigned
    rng = np.random.default_rng(seed)
    drawn = [rng.permutation(groups) for _ in range(DRAWS)]
    found = {}
    for name, values in zip(HABITS, habits(late, len(names)).T, strict=True):
        middle, most = np.quantile([between(values, each) for each in drawn], (0.5, 0.99)).tolist()
        found[name] = Spread(between(values, groups), (middle, most))
    return found
