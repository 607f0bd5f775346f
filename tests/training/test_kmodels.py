"""K-models on players with known policies: likelihood, groups, seeds, empty clusters."""

from itertools import pairwise

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.moves.tree_policy import MoveRows, fit_policy, prior_policy
from baycarp.rules.features import NAMES
from baycarp.training.kmodels import KModels, k_models
from baycarp.trees import Growth
from experiments.players.choices import choices_of

POT = NAMES.index("PotSize")
GROWTH = Growth(depth=2, least=10.0)


def players(seed, styles=3, each=6, decisions=80):
    """Players that raise pots of one third of all sizes, and call the others; nine in ten times."""
    rng = np.random.default_rng(seed)
    count = styles * each * decisions
    features = np.zeros((count, len(NAMES)))
    features[:, POT] = rng.random(count)
    number = np.arange(count) % (styles * each)
    wanted = np.where((features[:, POT] * styles).astype(int) == number % styles, 4, 1)
    moves = np.where(rng.random(count) < 0.9, wanted, 0).astype(np.int8)
    situations = np.full(count, 3, np.int8)
    return MoveRows(features, situations, moves, number, np.arange(count)), number[: styles * each] % styles


def same_groups(one, other):
    return len(set(zip(one.tolist(), other.tolist(), strict=True))) == len(set(one)) == len(set(other))


def test_players_are_grouped_by_their_policy_though_their_habits_are_equal():
    choices, style = players(1)
    found = k_models(choices, len(style), KModels(3, GROWTH, seed=3, starts=4))
    assert same_groups(found.assigned, style)
    fresh, _ = players(2)
    one = k_models(choices, len(style), KModels(1, GROWTH))
    assert found.log_likelihoods(fresh).mean() > one.log_likelihoods(fresh).mean() + 0.2


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("growth", [GROWTH, Growth(8, 3.0), Growth(0, 1.0)])
def test_the_likelihood_never_falls(seed, growth):
    choices, style = players(seed)
    found = k_models(choices, len(style), KModels(5, growth, seed))
    assert all(before <= after + 1e-9 for before, after in pairwise(found.likelihoods))
    assert found.likelihoods[-1] == pytest.approx(found.log_likelihoods(choices).sum())


def test_each_player_is_in_the_cluster_of_greatest_likelihood():
    choices, style = players(4)
    found = k_models(choices, len(style), KModels(4, GROWTH))
    sums = [np.bincount(choices.players, policy.log_likelihoods(choices)) for policy in found.policies]
    assert (np.argmax(sums, axis=0) == found.assigned).all()


def test_the_same_seed_gives_the_same_clusters():
    choices, style = players(5)
    first, second, other = (k_models(choices, len(style), KModels(3, GROWTH, seed)) for seed in (1, 1, 2))
    assert (first.assigned == second.assigned).all()
    assert first.likelihoods == second.likelihoods
    assert other.likelihoods[0] != first.likelihoods[0]


def test_more_starts_are_never_worse():
    choices, style = players(6)
    best = [
        k_models(choices, len(style), KModels(4, GROWTH, 1, starts)).likelihoods[-1] for starts in (1, 2, 5)
    ]
    assert best == sorted(best)


def test_as_many_clusters_as_players_and_a_player_without_decisions():
    choices, style = players(7, each=1)
    found = k_models(choices, len(style) + 1, KModels(len(style) + 1, Growth(3, 2.0)))
    assert len(found.policies) == 4
    assert len(set(found.assigned[:3].tolist())) == 3
    assert np.isfinite(found.likelihoods).all()


def test_a_free_check_leaves_no_fold():
    choices, _ = players(9)
    free = MoveRows(choices.features, choices.situations - 1, choices.moves, choices.players, choices.hands)
    assert prior_policy()(free)[:, 0].max() == 0
    assert prior_policy()(free).sum(axis=1) == pytest.approx(1)
    with pytest.raises(ArgumentError, match="no fold"):
        fit_policy(free, GROWTH)


def test_decisions_of_recorded_hands():
    game = Variant.load("holdem.nolimit.2p.100bb")
    lines = ["STATE:0:r300c/ccf:|/6c7d9h:0|0:a|b", "STATE:1:f:|:-50|50:b|a"]
    hands = [parse_state(lines[0].replace("ccf", "cr600f"), game), parse_state(lines[1], game)]
    found, names = choices_of(hands)
    assert names == ("a", "b")
    assert found.players.tolist() == [1, 0, 0, 1, 0, 0]
    assert found.hands.tolist() == [0, 0, 0, 0, 0, 1]
    assert found.moves.tolist()[-1] == 0
    with pytest.raises(ArgumentError, match="at least one decision"):
        choices_of([])


@pytest.mark.parametrize("given", [{"clusters": 0}, {"clusters": 99}, {"starts": 0}, {"rounds": 0}])
def test_numbers_outside_their_range_are_refused(given):
    choices, style = players(1)
    with pytest.raises(ArgumentError, match="expected"):
        k_models(choices, len(style), KModels(**({"clusters": 2} | given)))
