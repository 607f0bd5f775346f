"""Rates by their formula and Student's table, shares by a table."""

import math
import statistics

import numpy as np
import pytest

from baycarp.arena.measure import Rate, Share, Sum, interval, quantile


def test_win_rate_is_the_mean_with_its_interval():
    net = np.random.default_rng(1).integers(-20, 25, 400)
    rate = interval(net / 2)
    bets = [chips / 2 for chips in net.tolist()]
    assert rate.mean == pytest.approx(statistics.fmean(bets))
    assert rate.margin == pytest.approx(1.965927 * statistics.stdev(bets) / 400**0.5, rel=1e-6)
    assert (rate.n, rate.unit) == (400, "sb/h")


def test_few_hands_give_wide_intervals():
    assert math.isnan(interval(np.array([])).mean)
    for rate in (interval(np.array([3.0])), Sum.of(6).rate(2)):
        assert (rate.mean, rate.n, rate.cell(1)) == (3.0, 1, "+3.0 ± -")
    assert math.isnan(Sum().rate(2).mean)
    assert str(Rate(0.0561, 0.0204, 900)) == "+0.056 ± 0.020 sb/h"
    assert str(interval(np.array([]))) == "- sb/h"
    assert interval(np.zeros(3)).cell() == Sum(3).rate(2).cell() == "+0.000 ± -"  # three folds tell no spread
    assert interval(np.zeros(30)).cell() == "+0.000 ± 0.000"


@pytest.mark.parametrize(  # Student 1908, as in any table
    ("freedom", "expected"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042), (10**6, 1.960)],
)
def test_few_blocks_have_students_interval(freedom, expected):
    assert quantile(freedom) == pytest.approx(expected, abs=1e-3)
    stats = pytest.importorskip("scipy.stats")
    assert quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-3)


def test_intervals_have_their_nominal_coverage():
    draws = np.random.default_rng(5).normal(size=(4000, 3))
    held = np.mean([abs(rate.mean) <= rate.margin for rate in map(interval, draws)])
    assert held == pytest.approx(0.95, abs=0.015)  # with 1.96 it is 0.81


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


def test_a_share_without_opportunities_has_no_value():
    assert math.isnan(Share(0, 0).value)
    assert Share(0, 0).interval == (0, 1)
    assert str(Share(3, 8)) == "3/8"
