"""Buckets beside a slow reference: each holding is distributed along the ranking, in exact fractions."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

import baycarp
from baycarp.card import CLASS_OF, CLASSES
from baycarp.rules.buckets import Bucketing, by_value, percentiles

BOARDS = ["", "Qs7d2c", "9h9d9c4s", "AhKhQhJhTh"]


@lru_cache
def strengths(board):
    return baycarp.expected_strength(None, board)[1]


def poured(values, fractions):
    """Holding by holding, weakest first, into buckets of given sizes; equals share their part."""
    live = [i for i, value in enumerate(values) if not np.isnan(value)]
    each = Fraction(1, len(live))
    room = [Fraction(fraction) for fraction in fractions]
    room[-1] += 1 - sum(room)
    shares, groups = {}, {}
    for i in live:
        groups.setdefault(round(float(values[i]), 12), []).append(i)
    for _, equals in sorted(groups.items()):
        taken, left = [Fraction(0)] * len(room), each * len(equals)
        for bucket in range(len(room)):
            taken[bucket] = min(room[bucket], left)
            room[bucket] -= taken[bucket]
            left -= taken[bucket]
        for i in equals:
            shares[i] = [float(part / (each * len(equals))) for part in taken]
    return shares


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("made", [Bucketing.uniform(7), Bucketing.exponential(20, 1.2)], ids=["even", "exp"])
def test_soft_beside_pouring(board, made):
    values = strengths(board)
    found, expected = made.soft(values), poured(values, made.fractions)
    rows = np.array([expected.get(i, [0.0] * len(made.fractions)) for i in range(1326)])
    assert abs(found - rows).max() < 1e-9
    live = len(expected)
    assert found.sum(axis=0) == pytest.approx([fraction * live for fraction in made.fractions])


@pytest.mark.parametrize("board", BOARDS)
def test_percentiles_beside_counting(board):
    values = np.round(strengths(board), 12)  # to here, equals are equal
    live = values[~np.isnan(values)]
    below = [((live < value).sum() + (live == value).sum() / 2) / len(live) for value in values]
    expected = np.where(np.isnan(values), np.nan, below)
    np.testing.assert_allclose(percentiles(strengths(board)), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("board", BOARDS)
def test_a_holding_lies_where_most_of_it_lies(board):
    made = Bucketing.exponential(10, 1.5)
    values = strengths(board)
    hard, soft = made.hard(values), made.soft(values)
    assert ((hard == -1) == np.isnan(values)).all()
    assert (soft[hard >= 0, hard[hard >= 0]] > 0).all()


def test_where_all_are_equal_every_holding_lies_in_every_bucket():
    """Van der Kleij (2010), figure 5.2."""
    made = Bucketing.exponential(5, 2)
    soft = made.soft(strengths("AhKhQhJhTh"))
    live = soft[soft.sum(axis=1) > 0]
    assert live.shape == (1081, 5)
    assert abs(live - made.fractions).max() < 1e-12


def test_weights_as_equation_5_4_has_them():
    assert Bucketing.weighted([2, 3, 6]).fractions == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert Bucketing.uniform(4).fractions == (0.25, 0.25, 0.25, 0.25)


def test_aces_are_the_top_before_the_flop():
    shares = percentiles(strengths(""))
    aces = CLASSES.index("AA") == CLASS_OF
    assert shares[aces] == pytest.approx(1 - 3 / 1326)  # six equals at the top
    assert (shares[~aces] < 1 - 6 / 1326).all()


def test_by_value_beside_the_definition():
    values = strengths("Qs7d2c")
    expected = [-1 if np.isnan(value) else min(int(value * 50), 49) for value in values]
    assert by_value(values, 50).tolist() == expected


def test_wrong_numbers_are_refused():
    with pytest.raises(ValueError, match="expected at least 1 bucket, got 0"):
        by_value(np.zeros(3), 0)
    for weights in ([], [1, 0], [1, -2], [float("inf")]):
        with pytest.raises(ValueError, match="weights"):
            Bucketing.weighted(weights)
    with pytest.raises(ValueError, match="fractions"):
        Bucketing((0.5, 0.4))
