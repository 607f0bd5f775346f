"""K-models with soft membership: every decision trains every cluster, by the probability of its player there.

Source: van der Kleij (2010), section 4.4, names this way and takes the simpler one, members alone, expecting
clusters of similar quality. Both begin with the clusters in which trees without a comparison end.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.tree_policy import MoveRows, TreePolicy, fit_policy
from baycarp.training.kmodels import k_models
from baycarp.trees import Growth
from experiments.players.move_accuracy import (
    CLUSTERS,
    GROWTH,
    Mean,
    PartedMoves,
    kinds_of,
    predicted_kinds,
)

__all__ = ["SoftClusters", "soft_clusters", "soft_gain"]

ROUNDS = 10
"""At most; the memberships hardly move after three."""

STILL = 1e-3
"""Memberships that move by less are final."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SoftClusters:
    """Players that belong to every cluster.

    Parameters
    ----------
    policies
        The model of each cluster.
    members
        Shape (players, clusters): probabilities, summing to 1 a player.
    """

    policies: tuple[TreePolicy, ...]
    members: Array

    def __call__(self, choices: MoveRows) -> Array:
        """The probabilities of the moves of each decision, shape (n, 9)."""
        by_cluster = np.array([policy(choices) for policy in self.policies])
        return np.asarray(np.einsum("cnm,nc->nm", by_cluster, self.members[choices.players]))


def soft_clusters(
    choices: MoveRows, assigned: NDArray[np.int64], growth: Growth, rounds: int = ROUNDS
) -> SoftClusters:
    """Train and reassign in turn, from clusters on.

    Parameters
    ----------
    choices
        The decisions of all players.
    assigned
        The cluster of each player at the start.
    growth
        The limits of the trees.
    rounds
        At most.
    """
    members = np.eye(int(assigned.max()) + 1)[assigned]
    for _ in range(rounds):
        policies = tuple(fit_policy(choices, growth, column[choices.players]) for column in members.T)
        before, members = members, _memberships(policies, choices, len(assigned))
        if np.abs(members - before).max() < STILL:
            break
    return SoftClusters(policies, members)


def _memberships(policies: Iterable[TreePolicy], choices: MoveRows, players: int) -> Array:
    """The probability of each cluster given a player's moves; every cluster is as likely before them."""
    logs = np.array(
        [np.bincount(choices.players, each.log_likelihoods(choices), players) for each in policies]
    ).T
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def soft_gain(hands: Iterable[Hand], seed: int) -> Mean:
    """The share of predicted kinds of moves by soft membership, less that by members alone.

    Parameters
    ----------
    hands
        Of any tables; the last fifth of each player's is predicted.
    seed
        Of the clustering.

    Raises
    ------
    ArgumentError
        Fewer players than clusters, or no decision.
    """
    moves = PartedMoves.of(hands, seed)
    train, test, settings = moves.train, moves.test, moves.settings
    start = k_models(train, moves.players, replace(settings, growth=replace(GROWTH, depth=0))).assigned
    soft = soft_clusters(train, start, GROWTH)
    hard = k_models(train, moves.players, settings)
    alone = SoftClusters(hard.policies, np.eye(CLUSTERS)[hard.assigned])
    soft_right, right = (predicted_kinds(each(test), test) == kinds_of(test) for each in (soft, alone))
    return mean_by_hand(soft_right.astype(float) - right, test.hands)
