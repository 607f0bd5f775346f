"""Clusters with soft membership: on players that are certain, those of members alone; else in between."""

import numpy as np
import pytest

from baycarp.game import Variant
from baycarp.trees import Growth
from experiments.players.choices import choices_of
from experiments.players.hidden_cards import population_hands
from experiments.players.soft_clusters import soft_clusters, soft_gain

TWO = Variant.load("holdem.nolimit.2p.100bb")


@pytest.fixture(scope="module")
def hands():
    return list(population_hands(TWO, 600, seed=1))


def test_memberships_are_probabilities_that_raise_the_likelihood(hands):
    """One round is a step of expectation and maximisation: the mixture's likelihood does not fall."""
    choices, names = choices_of(hands)
    start = np.random.default_rng(1).permutation(len(names)) % 3
    growth = Growth(0, 5.0)  # a tree without a comparison is the maximum
    likelihoods = []
    for rounds in (1, 2, 4):
        found = soft_clusters(choices, start, growth, rounds)
        assert found.members.sum(axis=1) == pytest.approx(1)
        assert found(choices).sum(axis=1) == pytest.approx(1)
        logs = np.array([np.bincount(choices.players, p.log_likelihoods(choices)) for p in found.policies])
        most = logs.max(axis=0)
        likelihoods.append(float((most + np.log(np.exp(logs - most).mean(axis=0))).sum()))
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[-1] > likelihoods[0]


def test_the_gain_is_a_difference_of_shares(hands):
    mean, margin = soft_gain(hands, seed=1)
    assert -0.2 < mean < 0.2
    assert 0 < margin < 0.1
