"""Chips are neither made nor lost: compiled hands of every kind of game, beside a second calculator."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.kernels import HOW
from robustness.budget import budget

from baycarp.kernels.game import random_hands
from baycarp.kit.games import KINDS

HANDS, COMPARED = 1000, 50
"""Compiled hands of one random game; hands that are settled twice."""

SEEDS = st.integers(0, 2**63 - 1)


def games(kind):
    """Games of a kind of ``KINDS``: a strategy."""
    return st.randoms(use_true_random=True).map(KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_payoffs_of_compiled_hands_sum_to_0(kind):
    @budget(0.1)
    @given(games(kind), SEEDS)
    def sum_to_0(game, seed):
        random_hands(game, HANDS, seed)

    sum_to_0()


@pytest.mark.parametrize("kind", KINDS)
def test_payoffs_are_those_of_their_definition(kind):
    """In hands with one winner and with several: otherwise the comparison shows little."""
    reference = pytest.importorskip("baycarp_reference", reason=HOW)
    winners = Counter()

    @budget(0.5)
    @given(games(kind), SEEDS)
    def are_those_of_their_definition(game, seed):
        ours, expected = reference.payoffs_twice(game, COMPARED, seed)
        assert ours.tolist() == expected.tolist()
        assert not ours.sum(axis=1).any()
        winners.update((expected > 0).sum(axis=1).tolist())

    are_those_of_their_definition()
    assert winners[1] > 20 * COMPARED / 2
    assert winners[2] + winners[3] > 0


@pytest.mark.parametrize("broken", [lambda payoffs: payoffs - 1, lambda payoffs: payoffs[:, ::-1]])
def test_other_payoffs_are_found(broken):
    reference = pytest.importorskip("baycarp_reference", reason=HOW)
    found = 0
    for seed in range(20):
        ours, expected = reference.payoffs_twice(KINDS["any game file"](Random(seed)), COMPARED, seed)
        found += (broken(ours) != expected).any()
    assert found > 15
