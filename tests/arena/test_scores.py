"""Scores by their formulas, and verdicts by their intervals."""

import math
import statistics

import numpy as np
import pytest

from baycarp.arena.measure import interval
from baycarp.arena.scores import Scores, scores
from baycarp.arena.session import Played
from baycarp.errors import TableError
from baycarp.game.variant import Variant

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")


def played(*net, estimate=None):
    estimates = {} if estimate is None else {"x": np.array(estimate, float)}
    return Played(np.array(net), (), estimates)


def test_a_block_is_a_deal_over_its_seatings():
    scored = scores(
        LIMIT,
        ("a", "b"),
        {
            (1, 0): played((60, -60)),
            (0, 0): played((10, -10), (20, -20)),
            (1, 1): played((-20, 20)),
            (0, 1): played((30, -30), (-10, 10)),
        },
    )
    assert scored.seatings == 2
    assert scored.unit == "sb/h"
    assert scored.won("a").tolist() == [2.0, 0.5, 2.0]
    assert scored.rate("a").n == 6
    assert scored.rate("a").mean == pytest.approx(1.5)
    assert scored.rate("a").margin == pytest.approx(4.3026527 * statistics.stdev([2, 0.5, 2]) / math.sqrt(3))
    assert scored.difference("a", "b").mean == pytest.approx(3)
    assert scored.difference("b", "a").margin == scored.difference("a", "b").margin


def test_no_limit_is_measured_in_milli_big_blinds():
    game = Variant.load("holdem.nolimit.2p.reverse_blinds")
    scored = scores(game, ("a", "b"), {(0, 0): played((50, -50)), (1, 0): played((150, -150))})
    assert scored.unit == "mbb/h"
    assert scored.won("a").tolist() == [500, 1500]


def test_estimates_are_given_beside_the_chips():
    scored = scores(LIMIT, ("a", "b"), {(0, 0): played((10, -10), estimate=[(5, -5)])})
    assert scored.won("a", "x").tolist() == [0.5]
    with pytest.raises(TableError, match="estimator 'luck': expected one of net, x"):
        scored.rate("a", "luck")
    with pytest.raises(TableError, match="player 'c'"):
        scored.rate("c")


def test_no_winner_is_named_where_the_interval_holds_zero():
    def verdict(*won):
        blocks = np.array(won, float)[:, None] * [1, -1]
        return Scores(("a", "b"), {"net": blocks}, 2, "sb/h").verdict("a", "b")

    assert verdict(1, 2, 3, 2) == "a > b"
    assert verdict(-1, -2, -3, -2) == "b > a"
    assert verdict(-1, 2, -3, 3) == "a and b: no significant difference in 8 hands"
    assert "no significant difference" in verdict(5)
    assert "no significant difference" in verdict(1, 1.2)  # two blocks: 12.7 standard errors, not 1.96
    assert "no significant difference" in verdict(1, 1)


def test_the_interval_has_its_nominal_coverage():
    draw = np.random.default_rng(0)
    hits = 0
    for _ in range(2000):
        rate = interval(draw.exponential(1.0, 400), 1, "sb/h")
        hits += abs(rate.mean - 1) <= rate.margin
    assert 0.93 < hits / 2000 < 0.97


def test_sessions_in_unequal_seatings_are_refused():
    with pytest.raises(TableError, match=r"\[1, 2\] seatings"):
        scores(LIMIT, ("a", "b"), {(0, 0): played((1, -1)), (0, 1): played((1, -1)), (1, 0): played((1, -1))})
    assert scores(LIMIT, ("a", "b"), {}).won("a").tolist() == []
