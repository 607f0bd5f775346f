"""Effects learned online, beside exact integrals and known frequencies."""

import numpy as np
import pytest

from experiments.people.player_effects import Effects, moderated


def test_the_moderated_probability_is_near_the_integral():
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    for mean in (-3.0, -0.5, 0.0, 1.0, 4.0):
        for variance in (0.01, 0.5, 2.0):
            exact = (weights / (1 + np.exp(-(mean + np.sqrt(variance) * nodes)))).sum() / weights.sum()
            assert moderated(mean, variance) == pytest.approx(exact, abs=0.01)


def test_an_unseen_key_has_its_prior():
    effects = Effects((0.3, 0.2))
    assert effects.offset((1, 2)) == (0.0, pytest.approx(0.5))
    effects.learn((1, 2), 0.0, True)
    mean, variance = effects.offset((3, 4))
    assert (mean, variance) == (0.0, pytest.approx(0.5))


def test_one_outcome_is_near_the_exact_posterior():
    """The posterior mean and variance of one effect, by integration."""
    grid = np.linspace(-8, 8, 20001)
    for prior, margin, yes in ((0.2, 0.0, True), (0.5, 1.0, False), (0.1, -2.0, True)):
        chance = 1 / (1 + np.exp(-(margin + grid)))
        weight = np.exp(-(grid**2) / (2 * prior)) * (chance if yes else 1 - chance)
        weight /= weight.sum()
        mean = float(weight @ grid)
        effects = Effects((prior,))
        effects.learn((7,), margin, yes)
        found, variance = effects.offset((7,))
        assert found == pytest.approx(mean, rel=0.1)
        assert variance == pytest.approx(float(weight @ (grid - mean) ** 2), rel=0.05)


def test_the_frequency_of_a_player_is_learned_and_another_is_left_alone():
    rng, effects = np.random.default_rng(2), Effects((0.5, 0.2))
    for yes in (rng.random(4000) < 0.8).tolist():
        effects.learn((0, 10), 0.0, yes)
    mean, variance = effects.offset((0, 10))
    assert moderated(mean, variance) == pytest.approx(0.8, abs=0.03)
    assert effects.offset((1, 11))[0] == 0
    assert effects.offset((1, 10), 1) == (0, 0.5)
    assert effects.offset((1, 10))[0] != 0
    assert 0 < variance < 0.7


def test_the_number_of_keys_is_that_of_the_variances():
    with pytest.raises(ValueError, match="argument"):
        Effects((0.1,)).offset((1, 2))
