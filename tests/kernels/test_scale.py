"""Weights of any scale: strength, equity and sweeps against rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from baycarp import Budget, equities
from baycarp.card import HOLDINGS, blocked_by, cards
from baycarp.estimation import _exact
from baycarp.evaluation import equity, strength
from baycarp.kernels import strength as kernel
from baycarp.kernels.hands import rank
from baycarp.kernels.sweeps import sweep, sweep_expected, sweep_expected_batch
from baycarp.ranges import Range

SCALES = (5e-324, 1e-300, 1e-170, 1e-155, 1e-10, 1.0, 3.0, 1e10, 1e155, 1e170, 1e300, 1.7e308)
BOARD = "Qs7d2cJhTh"
RANKS = rank(np.array([[*holding, *cards(BOARD)] for holding in HOLDINGS[~blocked_by(cards(BOARD))]]))
LIVE = np.flatnonzero(~blocked_by(cards(BOARD)))


def weights(seed, count=30):
    """Some integer weights, none of them blocked."""
    rng = np.random.default_rng(seed)
    made = np.zeros(1326)
    made[rng.choice(LIVE, count, replace=False)] = rng.integers(1, 9, count)
    return made


def scaled(given, scale):
    """The range on another scale; its largest weight is at most the scale."""
    return given / given.max() * scale


def share(ours, theirs):
    """The definition in rational numbers: the share of the weight of pairs that win, ties half."""
    strengths = dict(zip(LIVE.tolist(), RANKS.tolist(), strict=True))
    won = total = Fraction(0)
    for i in np.flatnonzero(ours):
        for j in np.flatnonzero(theirs):
            if {*HOLDINGS[i]} & {*HOLDINGS[j]}:
                continue
            weight = Fraction(ours[i]) * Fraction(theirs[j])
            total += weight
            won += weight * (1 + (strengths[i] > strengths[j]) - (strengths[i] < strengths[j])) / 2
    return float(won / total)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("other", [1e-300, 1.0, 1e300])
def test_equity_is_independent_of_scale(scale, other):
    ours, theirs = scaled(weights(1), scale), scaled(weights(2), other)
    assert equity(ours, theirs, BOARD) == pytest.approx(share(ours, theirs), rel=1e-9)
    both = equity(ours, theirs, BOARD), equity(theirs, ours, BOARD)
    assert sum(both) == pytest.approx(1)


@pytest.mark.parametrize("scale", SCALES)
def test_strength_is_independent_of_scale(scale):
    theirs = scaled(weights(3), scale)
    ours = np.zeros(1326)
    ours[index_of("AhKd")] = 1
    assert strength("AhKd", BOARD, theirs)[0] == pytest.approx(share(ours, theirs), rel=1e-9)
    assert sweep(BOARD, theirs)[index_of("AhKd")] == pytest.approx(share(ours, theirs), rel=1e-9)


def index_of(text):
    hi, lo = cards(text).tolist()
    return hi * (hi - 1) // 2 + lo


@pytest.mark.parametrize("scale", [s for s in SCALES if s > 1e-320])
def test_every_result_is_that_of_the_unscaled_range(scale):
    given, power = weights(4, 400), 2.0 ** np.floor(np.log2(scale) - 4)
    other = given * power
    for board in ("Qs7d2c", "Qs7d2cJh", BOARD):
        np.testing.assert_array_equal(strength("AhKd", board, other), strength("AhKd", board, given))
        np.testing.assert_array_equal(sweep(board, other), sweep(board, given))
        np.testing.assert_array_equal(sweep_expected(board, other), sweep_expected(board, given))
        assert equity(other, given, board) == equity(given, given, board)
    assert equity(other, given) == equity(given, given)
    boards = np.array([cards("Qs7d2c"), cards("AhKd2s")])
    np.testing.assert_array_equal(sweep_expected_batch(boards, other), sweep_expected_batch(boards, given))
    drawn = [
        equities(each, given, given, board="Qs7d2c", budget=Budget(playouts=300), seed=1).shares
        for each in (other, given)
    ]
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e155, 1e300])
def test_the_exact_share_of_several_ranges_is_independent_of_scale(scale):
    sides, board = [weights(seed, 3) for seed in (5, 6, 7)], cards(BOARD)
    found = _exact([scaled(side, scale) for side in sides], board)
    np.testing.assert_allclose(found.shares, _exact(sides, board).shares, rtol=1e-12)


def test_blocked_holdings_do_not_set_the_scale():
    """The board blocks the holdings of the largest weights."""
    given = weights(8, 300)
    mixed = np.where(blocked_by(cards(BOARD)), 1e308, given * 2.0**-1000)
    np.testing.assert_array_equal(strength("AhKd", BOARD, mixed), strength("AhKd", BOARD, given))
    assert equity(mixed, mixed, BOARD) == equity(given, given, BOARD)
    np.testing.assert_array_equal(sweep(BOARD, mixed), sweep(BOARD, given))


@pytest.mark.parametrize("scale", SCALES)
def test_ranges_of_any_scale_are_normalised_and_averaged(scale):
    given = Range(scaled(np.ones(1326), scale))
    assert given.normalised().total == pytest.approx(1)
    assert (given.classes() == given.weights[0]).all()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -1.0, -5e-324])
def test_an_invalid_weight_is_refused_on_every_scale(wrong):
    for scale in (1e-300, 1.0, 1e300):
        given = np.full(1326, scale)
        given[700] = wrong
        with pytest.raises(ValueError, match="at 700, expected finite and at least 0"):
            kernel.as_weights(given)


def test_weights_within_the_bounds_are_not_copied():
    given = np.full(1326, 2.0**-300)
    given[:60] = 0.0
    assert kernel.as_weights(given) is given
    np.testing.assert_array_equal(kernel.weights_beside(given, ""), given)
