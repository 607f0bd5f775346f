"""Random hands beside pokerkit; ``reference.referee`` names the differences between the two."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.referee import DIFFERENCES, referee_hand
from robustness.budget import budget


@budget()
@given(st.integers(0, 2**32))
def test_a_random_hand_differs_as_listed_alone(seed):
    observation = Counter()
    referee_hand(random.Random(seed), observation)
    assert set(observation) <= set(DIFFERENCES)


def random_hands(seed, hands):
    rng, observation = random.Random(seed), Counter()
    for _ in range(hands):
        referee_hand(rng, observation)
    assert set(observation) <= set(DIFFERENCES)
    return observation


def test_random_hands():
    random_hands(seed=1, hands=400)


def test_short_raises_that_add_up_in_no_limit():
    """Found among 200,000: neither the least raise nor the greatest can be compared then."""
    observation = Counter()
    referee_hand(random.Random("1 183031"), observation)
    assert observation["short raises add up"] == 1


@pytest.mark.slow
def test_many_random_hands_show_every_difference_and_no_other():
    observation = random_hands(seed=2, hands=10_000)
    assert set(observation) == set(DIFFERENCES)
