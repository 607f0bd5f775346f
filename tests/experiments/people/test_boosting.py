"""Boosted trees: known chances recovered, prefixes, seeds, refused input."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from experiments.people.boosting import Boosting, boost


def drawn(rows=6000, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 5))
    chances = 1 / (1 + np.exp(-2 * np.sign(x[:, 0]) * (x[:, 1] > 0) - x[:, 2]))
    return x, chances, rng.random(rows) < chances


def loss(chances, yes):
    return -np.log(np.where(yes, chances, 1 - chances)).mean()


def test_known_chances_are_recovered_on_rows_that_were_not_seen():
    x, _, yes = drawn()
    new, chances, made = drawn(seed=1)
    model = boost(x, yes, Boosting(rounds=60, depth=4, features=1.0))
    assert loss(chances, made) < loss(model(new), made) < loss(chances, made) + 0.02
    assert loss(model(new), made) < loss(np.full(len(new), yes.mean()), made) - 0.1
    assert np.abs(model(new) - chances).mean() < 0.06


def test_the_first_trees_are_an_ensemble_of_fewer_rounds():
    x, _, yes = drawn(1000)
    whole, part = (boost(x, yes, Boosting(rounds=rounds)) for rounds in (12, 5))
    np.testing.assert_array_equal(whole.first(5)(x), part(x))
    np.testing.assert_allclose(whole.first(0)(x), (yes.sum() + 0.5) / (len(yes) + 1))


def test_a_seed_fixes_the_trees():
    x, _, yes = drawn(1000)
    one, same, other = (boost(x, yes, Boosting(rounds=5, seed=seed))(x) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_one_loss_falls_with_every_whole_step():
    x, _, yes = drawn(1000)
    model = boost(x, yes, Boosting(rounds=10, rate=0.5, rows=1.0, features=1.0))
    losses = [loss(model.first(rounds)(x), yes) for rounds in range(11)]
    assert (np.diff(losses) < 0).all()


@pytest.mark.parametrize(("rows", "yes"), [(0, 0), (4, 3)])
def test_shapes_are_refused(rows, yes):
    with pytest.raises(ArgumentError, match="boost"):
        boost(np.zeros((rows, 2)), np.zeros(yes, bool), Boosting())


@pytest.mark.parametrize("wrong", [{"rounds": -1}, {"rate": 0.0}, {"rows": 1.5}, {"features": float("nan")}])
def test_limits_outside_their_range_are_refused(wrong):
    with pytest.raises(ArgumentError, match="shares above 0"):
        Boosting(**wrong)
