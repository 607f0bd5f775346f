"""The model of one opponent: the clusters' trees, with leaves of the opponent's own actions.

It begins as the mixture of the clusters, by their membership. Every finished hand adds the opponent's
actions: to the leaf of each bucket that its holding may have been in, by the posterior of the holding; and to
the shares of fold, call and raise of the situation, which correct leaves that have few actions of their own.
Source: van der Kleij (2010), section 7.2.1, which proposes a model of the individual beside its cluster's;
the form is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.search import CHOICES
from baycarp.opponents.moves.players import Players
from baycarp.rules.features import SITUATIONS

__all__ = ["KINDS", "Individual", "PredictedAct"]

Array = NDArray[np.float64]

PRIOR = 5.0
"""Actions that the clusters count for, in a leaf and in the shares of a situation."""

KINDS = (slice(0, 1), slice(1, 2), slice(2, CHOICES))
"""The choices that are a fold, a check or call, and a bet or raise."""


@dataclass(frozen=True, slots=True)
class PredictedAct:
    """An action of the opponent.

    Parameters
    ----------
    situation, choice
        Of the action: 0..7 and 0..9 (``kernels.search.CHOICES``).
    leaves
        By bucket: the leaf of the situation's tree.
    buckets
        By holding, shape (1326,).
    chances
        Of the legal choices by cluster, bucket and choice; the last cluster is the individual model.
    """

    situation: int
    choice: int
    leaves: NDArray[np.intp]
    buckets: NDArray[np.uint8]
    chances: Array

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether each choice was legal, shape (10,)."""
        return np.asarray((self.chances > 0).any(axis=(0, 1)))


class Individual:
    """The counted actions of one opponent.

    Parameters
    ----------
    players
        The models of the clusters.
    """

    def __init__(self, players: Players) -> None:
        self.players = players
        self._counts = [np.zeros(values.shape[1:]) for values in players.leaf_values]
        self._made, self._expected = np.zeros((2, len(SITUATIONS), len(KINDS)))

    def values(self, mixture: Array) -> list[Array]:
        """The leaves of the model, by situation: shape (leaves, 10), rows that sum to 1.

        Parameters
        ----------
        mixture
            The membership of the clusters, sums to 1.
        """
        found = []
        factors = (self._made + PRIOR) / (self._expected + PRIOR)
        for values, counts, factor in zip(self.players.leaf_values, self._counts, factors, strict=True):
            corrected = np.einsum("c,clk->lk", mixture, values)
            for kind, each in zip(KINDS, factor.tolist(), strict=True):
                corrected[:, kind] *= each
            corrected /= corrected.sum(axis=1, keepdims=True)
            found.append((PRIOR * corrected + counts) / (PRIOR + counts.sum(axis=1, keepdims=True)))
        return found

    def learn(self, moves: Sequence[PredictedAct], holdings: Array, mixture: Array) -> None:
        """Count the actions of a finished hand.

        Parameters
        ----------
        moves
            Of the opponent, in the hand.
        holdings
            The posterior of its holding, shape (1326,), sums to 1.
        mixture
            The membership of the clusters before the hand, sums to 1.
        """
        for move in moves:
            weights = np.bincount(move.buckets, holdings, self.players.buckets.count)
            np.add.at(self._counts[move.situation][:, move.choice], move.leaves, weights)
            expected = np.einsum("c,cbk,b->k", mixture, move.chances[:-1], weights)
            self._expected[move.situation] += [expected[kind].sum() for kind in KINDS]
            self._made[move.situation, min(move.choice, len(KINDS) - 1)] += 1
