"""EM over hidden holdings: a policy by bucket, learned from hands of which few holdings are shown.

    E   the probability of every holding of a row given its actions (equation 5.2), a shown one is given;
        with it the probability of every bucket at every decision
    M   a tree for each situation and bucket, decisions weighted by the probability of the bucket

Source: van der Kleij (2010), section 5.5. Ours: the probability of a bucket counts how likely it makes the
action, not the membership of the holding alone, and a tree replaces the one before only where it gives its
weighted decisions no less likelihood, as trees grow greedily; so the likelihood never falls. Starts:

    leftover   as in the paper: what the shown holdings leave of the deal, for every hidden player
    ordered    the strongest holdings bet and raise, the weakest check and fold, as often as all players do
    random     the ordered start with a degree of trust drawn for each situation, and noise in every bucket
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.training.hidden_trees import left_over
from baycarp.training.ordered_start import ordered_start
from experiments.players.holding_policy import Binned, HoldingGrowth, HoldingPolicy, fit_holding_policy
from experiments.players.holding_rows import (
    HoldingRows,
    Memberships,
    Posterior,
    made_probabilities,
    posterior,
)
from experiments.players.street_buckets import StreetBuckets

__all__ = [
    "HoldingsEM",
    "Learned",
    "Start",
    "learn_given",
    "learn_holdings",
    "unconditioned",
]

Array = NDArray[np.float64]
Start: TypeAlias = Literal["leftover", "ordered", "random"]

ENOUGH = 1e-3
"""Rounds end when the mean log-likelihood of a row grows by less than this, in nats."""


@dataclass(frozen=True, slots=True)
class HoldingsEM:
    """The settings of EM.

    Parameters
    ----------
    start
        The first probabilities of holdings.
    growth
        Of the trees.
    buckets
        Of the holdings.
    rounds, starts
        The greatest number of rounds, and the number of random starts, of which the one of greatest
        likelihood is kept; at least 1.
    seed
        Fixes random starts.

    Raises
    ------
    ArgumentError
        A number outside its range, or an unknown start.
    """

    start: Start = "ordered"
    growth: HoldingGrowth = field(default_factory=HoldingGrowth)
    buckets: StreetBuckets = field(default_factory=StreetBuckets)
    rounds: int = 12
    starts: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.rounds, self.starts) < 1 or self.seed < 0:
            raise ArgumentError(f"{self}: expected rounds and starts of at least 1, a seed of at least 0")
        if self.start not in ("leftover", "ordered", "random"):
            raise ArgumentError(f"start {self.start!r:.40}: expected leftover, ordered or random")


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of EM.

    Parameters
    ----------
    policy
        The policy by bucket.
    likelihoods
        The log-likelihood of all rows after every round, in nats; it never falls.
    """

    policy: HoldingPolicy
    likelihoods: tuple[float, ...]


def learn_given(
    rows: HoldingRows, given: NDArray[np.bool_], settings: HoldingsEM, members: Memberships
) -> Learned:
    """The policy learned from given holdings alone: of showdowns, or of all cards.

    Parameters
    ----------
    rows, given
        Players in hands, and whose holding is given; the others are left out.
    settings, members
        As in ``learn_holdings``.
    """
    shares = members.of_known(rows) * given[rows.choices.players][:, None]
    policy = fit_holding_policy(Binned.of(rows.choices), shares, settings.growth, settings.buckets)
    made = made_probabilities(policy, rows.choices)
    found = posterior(rows, given, made, members)
    return Learned(policy, (float(found.likelihoods.sum()),))


def learn_holdings(
    rows: HoldingRows, given: NDArray[np.bool_], settings: HoldingsEM, members: Memberships | None = None
) -> Learned:
    """Learn a policy by EM.

    Parameters
    ----------
    rows, given
        Players in hands, and whose holding is given; the policy is learned from the others too.
    settings
        Of EM.
    members
        Memberships that were computed before; None = fresh ones.

    Raises
    ------
    ArgumentError
        A given holding that is not recorded.
    """
    if (rows.holding[given] < 0).any():
        raise ArgumentError("given: expected recorded holdings")
    members = members or Memberships(settings.buckets)
    data, best = Binned.of(rows.choices), None
    for number in range(settings.starts if settings.start == "random" else 1):
        begun = _begun(rows, given, replace(settings, seed=settings.seed + number), members)
        found = _ascend(data, rows, given, settings, (begun, members))
        if best is None or found.likelihoods[-1] > best.likelihoods[-1]:
            best = found
    assert best is not None
    return best


def unconditioned(choices: MoveRows, buckets: StreetBuckets) -> Array:
    """Actions of which every bucket is equally likely: 1 for each bucket of the street, as by no model."""
    counts = np.array(buckets.counts)[choices.situations // 2]
    return (np.arange(max(buckets.counts)) < counts[:, None]).astype(np.float64)


def _begun(
    rows: HoldingRows, given: NDArray[np.bool_], settings: HoldingsEM, members: Memberships
) -> Posterior:
    """The probabilities before any round, by the start of the settings."""
    if settings.start == "leftover":
        made = unconditioned(rows.choices, settings.buckets)
        return posterior(rows, given, made, members, left_over(rows.holding[given], len(rows)))
    rng = np.random.default_rng(settings.seed) if settings.start == "random" else None
    return posterior(rows, given, ordered_start(rows.choices, settings.buckets.stretches, rng), members)


def _ascend(
    data: Binned,
    rows: HoldingRows,
    given: NDArray[np.bool_],
    settings: HoldingsEM,
    begun: tuple[Posterior, Memberships],
) -> Learned:
    """Rounds of M and E until the likelihood hardly grows."""
    found, members = begun
    policy = fit_holding_policy(data, found.shares, settings.growth, settings.buckets)
    made = made_probabilities(policy, rows.choices)
    likelihoods = list[float]()
    for _ in range(settings.rounds):
        found = posterior(rows, given, made, members)
        likelihoods.append(float(found.likelihoods.sum()))
        if len(likelihoods) > 1 and likelihoods[-1] - likelihoods[-2] < ENOUGH * len(rows):
            break
        fresh = fit_holding_policy(data, found.shares, settings.growth, settings.buckets)
        policy, made = _better(rows.choices, found.shares, (policy, made), fresh)
    return Learned(policy, tuple(likelihoods))


def _better(
    choices: MoveRows, shares: Array, old: tuple[HoldingPolicy, Array], fresh: HoldingPolicy
) -> tuple[HoldingPolicy, Array]:
    """Of each tree the one that gives the weighted decisions the greater likelihood, the old one if equal."""
    policy, made = old[0], old[1].copy()
    offered, trees = made_probabilities(fresh, choices), []
    for situation, (kept, grown) in enumerate(zip(policy.trees, fresh.trees, strict=True)):
        at = np.flatnonzero(choices.situations == situation)
        wins = [gain > 0 for gain in _gains(shares[at], made[at], offered[at], len(kept))]
        made[np.ix_(at, np.flatnonzero(wins))] = offered[np.ix_(at, np.flatnonzero(wins))]
        trees.append(tuple(b if won else a for a, b, won in zip(kept, grown, wins, strict=True)))
    return HoldingPolicy(policy.buckets, tuple(trees)), made


def _gains(shares: Array, before: Array, after: Array, count: int) -> Iterator[float]:
    for bucket in range(count):
        weight = shares[:, bucket]
        seen = weight > 0
        yield float(weight[seen] @ np.log(after[seen, bucket] / before[seen, bucket]))
