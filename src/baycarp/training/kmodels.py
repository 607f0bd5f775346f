"""K-models clustering: players grouped by the models that predict their moves best.

Source: van der Kleij (2010), section 4.4, algorithm 1: players are assigned to clusters at random; a model of
each cluster is trained on the moves of its members; each player moves to the cluster whose model gives its
moves the greatest likelihood; until no player moves.

Our choices, where it is silent. Deep trees describe any cluster well, and stay near a random start; so they
begin with the clusters that trees without a comparison end in, and only those start at random. A model that
is trained anew replaces the old one only where it gives its members' moves at least the same likelihood, as
trees grow greedily; so the likelihood never falls. An empty cluster takes the player described worst,
where the likelihood does not fall by that. Of several starts the one of greatest likelihood is kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import seeded
from baycarp.opponents.moves.tree_policy import MoveRows, TreePolicy, fit_policy
from baycarp.trees import Growth

__all__ = ["KModels", "PlayerClusters", "k_models"]

Array = NDArray[np.float64]

USUAL = Growth()
"""The limits of trees where none are chosen."""


@dataclass(frozen=True, slots=True)
class PlayerClusters:
    """Players in clusters.

    Parameters
    ----------
    policies
        The model of each cluster.
    assigned
        Int64, shape (players,): the cluster of each player.
    likelihoods
        The log-likelihood of all moves after every round, in nats; it never falls.
    """

    policies: tuple[TreePolicy, ...]
    assigned: NDArray[np.int64]
    likelihoods: tuple[float, ...]

    def log_likelihoods(self, choices: MoveRows) -> Array:
        """Of the move of each decision, by the model of its player's cluster, in nats."""
        return _by_cluster(self.policies, choices)[np.arange(len(choices)), self.assigned[choices.players]]


@dataclass(frozen=True, slots=True)
class KModels:
    """The settings of a clustering.

    Parameters
    ----------
    clusters
        Their greatest number, at least 1.
    growth
        The limits of the trees.
    seed
        Fixes the random starts.
    starts, rounds
        The number of starts, and the greatest number of rounds of each; at least 1.

    Raises
    ------
    ArgumentError
        A number outside its range.
    """

    clusters: int
    growth: Growth = USUAL
    seed: int = 1
    starts: int = 1
    rounds: int = 30

    def __post_init__(self) -> None:
        if min(self.clusters, self.starts, self.rounds) < 1 or self.seed < 0:
            raise ArgumentError(
                f"{self}: expected clusters, starts and rounds of at least 1, a seed of at least 0"
            )


def k_models(choices: MoveRows, players: int, settings: KModels) -> PlayerClusters:
    """Cluster players by the likelihood of their moves.

    Parameters
    ----------
    choices
        Their decisions, at least one.
    players
        Their number, at least that of the clusters; one without a decision belongs to cluster 0.

    Raises
    ------
    ArgumentError
        No decision, or fewer players than clusters.
    """
    if players < settings.clusters or not len(choices):
        raise ArgumentError(
            f"{players} players, {len(choices)} decisions: expected at least {settings.clusters} and 1"
        )
    coarse = replace(settings, growth=replace(settings.growth, depth=0))
    found = []
    for start in range(settings.starts):
        rng = seeded(settings.seed, start)
        assigned = rng.permutation(np.arange(players) % settings.clusters)
        if settings.growth.depth:
            assigned = _iterate(choices, coarse, assigned).assigned
        found.append(_iterate(choices, settings, assigned))
    return max(found, key=lambda each: each.likelihoods[-1])


def _iterate(choices: MoveRows, settings: KModels, assigned: NDArray[np.int64]) -> PlayerClusters:
    growth = settings.growth
    players = len(assigned)
    clusters = range(settings.clusters)
    policies = [fit_policy(choices[assigned[choices.players] == each], growth) for each in clusters]
    totals = _totals(policies, choices, players)
    history = [float(totals[np.arange(players), assigned].sum())]
    for _ in range(settings.rounds):
        before, assigned = assigned, totals.argmax(axis=1)
        _fill(choices, growth, policies, assigned, totals)
        moved = before != assigned
        for each in np.unique([before[moved], assigned[moved]]).tolist():
            _train(choices, growth, policies, assigned, totals, each)
        history.append(float(totals[np.arange(players), assigned].sum()))
        if not moved.any():
            break
    return PlayerClusters(tuple(policies), assigned, tuple(history))


def _train(
    choices: MoveRows,
    growth: Growth,
    policies: list[TreePolicy],
    assigned: NDArray[np.int64],
    totals: Array,
    each: int,
) -> None:
    """Train a cluster's model on its members, and keep it where their moves are as likely as before."""
    members = assigned == each
    rows = members[choices.players]
    if not rows.any():
        return
    policy = fit_policy(choices[rows], growth)
    found = _totals([policy], choices, len(assigned))[:, 0]
    if found[members].sum() >= totals[members, each].sum():
        policies[each], totals[:, each] = policy, found


def _fill(
    choices: MoveRows, growth: Growth, policies: list[TreePolicy], assigned: NDArray[np.int64], totals: Array
) -> None:
    """Give each empty cluster the player, of a cluster of several, with the least mean log-likelihood."""
    counts = np.bincount(choices.players, minlength=len(assigned))
    for each in range(len(policies)):
        sizes = np.bincount(assigned, minlength=len(policies))
        movable = (sizes[assigned] > 1) & (counts > 0)
        if sizes[each] or not movable.any():
            continue
        own = totals[np.arange(len(assigned)), assigned]
        worst = int(np.where(movable, own / np.maximum(counts, 1), np.inf).argmin())
        policy = fit_policy(choices[choices.players == worst], growth)
        found = _totals([policy], choices, len(assigned))[:, 0]
        if found[worst] >= own[worst]:
            policies[each], totals[:, each], assigned[worst] = policy, found, each


def _totals(policies: Iterable[TreePolicy], choices: MoveRows, players: int) -> Array:
    """The log-likelihood of each player's moves by each policy, shape (players, policies)."""
    return np.array(
        [np.bincount(choices.players, column, players) for column in _by_cluster(policies, choices).T]
    ).T


def _by_cluster(policies: Iterable[TreePolicy], choices: MoveRows) -> Array:
    return np.array([policy.log_likelihoods(choices) for policy in policies]).T
