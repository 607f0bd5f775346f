"""Rates by their formula, shares by a table."""

import math
import statistics

import numpy as np
import pytest

from baycarp.arena.measure import Rate, Share, Sum, interval


def test_win_rate_is_the_mean_with_the_normal_interval():
    net = np.random.default_rng(1).integers(-20, 25, 400)
    rate = interval(net / 2)
    bets = [chips / 2 for chips in net.tolist()]
    assert rate.mean == pytest.approx(statistics.fmean(bets))
    assert rate.margin == pytest.approx(1.959964 * statistics.stdev(bets) / 400**0.5, rel=1e-4)
    assert (rate.n, rate.unit) == (400, "sb/h")


def test_few_hands_say_little():
    assert math.isnan(interval(np.array([])).mean)
    assert interval(np.array([3.0])) == Rate(3.0, math.inf, 1)
    assert Sum.of(6).rate(2) == Rate(3.0, math.inf, 1)
    assert math.isnan(Sum().rate(2).mean)
    assert str(Rate(0.0561, 0.0204, 900)) == "+0.056 +-0.020 sb/h"


def test_sums_that_add_up_have_the_rate_of_the_whole():
    net = np.random.default_rng(2).integers(-40, 90, 300)
    parts = sum((Sum.of(chips) for chips in net.tolist()), Sum())
    whole = interval(net / 2)
    assert parts.rate(2).mean == pytest.approx(whole.mean, rel=1e-12)
    assert parts.rate(2).margin == pytest.approx(whole.margin, rel=1e-12)


@pytest.mark.parametrize(
    ("share", "bounds"),
    [  # Newcombe 1998, table I, method 3: the score method
        (Share(81, 263), (0.2553, 0.3662)),
        (Share(15, 148), (0.0624, 0.1605)),
        (Share(0, 20), (0.0, 0.1611)),
        (Share(1, 29), (0.0061, 0.1718)),
    ],
)
def test_shares_have_the_interval_of_newcombes_table(share, bounds):
    assert share.interval == pytest.approx(bounds, abs=5e-5)


def test_no_opportunity_says_nothing():
    assert math.isnan(Share(0, 0).value)
    assert Share(0, 0).interval == (0, 1)
    assert str(Share(3, 8)) == "3/8"
