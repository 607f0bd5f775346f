"""Learning curves: blocks, smoothing against another library, and hands to learn of known curves."""

import math
import statistics

import numpy as np
import pytest
from reference.players import system
from sklearn.isotonic import isotonic_regression

from baycarp.arena.session import Table, play_session
from baycarp.game.variant import Variant
from experiments.cases.learning import learned, needed, on_par, rising, spans


@pytest.mark.parametrize("hands", [1, 25, 49, 50, 2000, 2001, 12345])
def test_blocks_double_and_cover_every_hand(hands):
    blocks = spans(hands)
    assert [hand for start, end in blocks for hand in range(start, end)] == list(range(hands))
    assert all(0 <= (end - start) - start <= 1 for start, end in blocks[1:])
    assert 25 <= blocks[0][1] < 50 or len(blocks) == 1


def test_rates_are_smoothed_like_another_library():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 8, 20):
        for _ in range(20):
            values, weights = rng.normal(size=n).round(1), rng.integers(1, 9, n)
            expected = isotonic_regression(values, sample_weight=weights)
            np.testing.assert_allclose(rising(values, weights), expected, atol=1e-12)


def test_hands_to_nine_tenths_of_a_straight_line():
    blocks = spans(800)
    at = np.mean(blocks, axis=1)
    hands = at[0] + 0.9 * (at[-1] - at[0])
    assert needed(blocks, -2 + at / 100) == pytest.approx(hands)


def test_a_lucky_block_does_not_count():
    blocks = spans(800)  # 25, 25, 50, 100, 200, 400 hands
    steady = np.array([-1.0, -0.9, -0.8, -0.5, -0.2, 0.0])
    lucky = np.array([-1.0, 0.9, -0.8, -0.5, -0.2, 0.0])
    assert abs(needed(blocks, lucky) - needed(blocks, steady)) < 1
    assert needed(blocks, steady[::-1]) == math.inf


def sessions(curve, noise, n, hands, seed):
    return curve(np.arange(hands)) + noise * np.random.default_rng(seed).normal(size=(n, hands))


def test_hands_to_learn_of_a_known_curve():
    """The rate is -1 for 200 hands and 0 after them: exact in blocks with these ends."""
    known = needed(spans(1600), np.array([-1.0] * 4 + [0.0] * 3))
    inside = 0
    for seed in range(12):
        curve = learned(sessions(lambda hand: -1.0 * (hand < 200), 3.0, 12, 1600, seed))
        assert [rate.n for rate in curve.rates] == [12 * (end - start) for start, end in curve.spans]
        low, high = curve.within
        inside += low <= known <= high
    assert inside >= 9  # of 12, at 95 %


def test_hands_to_par_of_a_known_curve():
    """The rate is -1 for 400 hands, and then at par or below it for ever; early luck does not count."""

    def hands_to_par(after, early=-1.0):
        curve = sessions(lambda hand: np.where(hand < 400, -1.0, after), 0.1, 6, 1600, 7)
        curve[:, :50] += early + 1.0
        found = learned(curve)
        return on_par(found.rates, found.spans)

    assert spans(1600)[-2:] == ((400, 800), (800, 1600))
    assert hands_to_par(0.0) == hands_to_par(0.0, early=2.0) == 800
    assert hands_to_par(-0.04) == 800
    assert hands_to_par(-0.06) is None


STUDENT = 2.776
"""The 97.5 % quantile of Student's t with four degrees of freedom, as in printed tables."""


def test_every_interval_is_over_sessions():
    won = sessions(lambda hand: hand / 100, 1.0, 5, 100, 3) + np.arange(5)[:, None]
    curve = learned(won, "mbb/h")
    means = [[statistics.fmean(row[start:end]) for start, end in curve.spans] for row in won.tolist()]
    for number, rate in enumerate(curve.rates):
        column = [row[number] for row in means]
        assert rate.mean == pytest.approx(statistics.fmean(column))
        assert rate.margin == pytest.approx(STUDENT * statistics.stdev(column) / 5**0.5, rel=1e-3)
        assert rate.unit == "mbb/h"
    gains = [row[-1] - row[0] for row in means]
    assert curve.gain.mean == pytest.approx(statistics.fmean(gains))
    assert curve.gain.margin == pytest.approx(STUDENT * statistics.stdev(gains) / 5**0.5, rel=1e-3)


@pytest.mark.parametrize("curve", [lambda hand: 0.0 * hand, lambda hand: -hand / 1000])
def test_an_agent_without_a_gain_has_no_hands_to_learn(curve):
    hands = [learned(sessions(curve, 2.0, 8, 400, seed)).hands for seed in range(20)]
    assert hands.count(None) >= 16
    assert learned(sessions(curve, 2.0, 1, 400, 0)).hands is None  # one session has no interval


@pytest.mark.slow
def test_an_agent_without_experience_loses_less_over_time(small_model):
    specs = (system("baycarp1", model={"folder": small_model, "empty": True}), *["rule"] * 5)
    table = Table(Variant.ring(6), ("Ann", "A", "B", "C", "D", "E"), specs, 7, estimators=("control",))
    sessions = [play_session(table, number, 100) for number in range(20)]
    curve = learned(np.array([played.estimates["control"][:, 0] for played in sessions]))
    assert curve.gain.mean > curve.gain.margin
    assert curve.rates[0].mean < curve.rates[1].mean < curve.rates[2].mean
    assert 25 < curve.hands < 100
