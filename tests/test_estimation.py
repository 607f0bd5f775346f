"""Pots of several ranges: exact shares against enumeration, sampled shares against exact ones."""

import itertools

import numpy as np
import pytest

import baycarp
from baycarp.budget import Budget
from baycarp.errors import ArgumentError, RangeError
from baycarp.ranges import Range


def counted(holes, board):
    """Shares of known holdings over every board, by ranking."""
    hands = [baycarp.cards(hole).tolist() for hole in holes]
    shown = baycarp.cards(board).tolist()
    rest = [card for card in range(52) if card not in {*itertools.chain(*hands), *shown}]
    shares, boards = np.zeros(len(hands)), 0
    for more in itertools.combinations(rest, 5 - len(shown)):
        ranks = [baycarp.rank([*hand, *shown, *more]) for hand in hands]
        best = np.array(ranks) == max(ranks)
        shares += best / best.sum()
        boards += 1
    return shares / boards


def test_shares_of_three_holdings_equal_the_enumeration():
    holes, board = ("AhKd", "QsQc", "AsKs"), "Ts7d2c"
    found = baycarp.equities(*holes, board=board)
    assert found.exact
    assert found.deals == 0
    assert not found.errors.any()
    assert found.shares == pytest.approx(counted(holes, board), abs=1e-12)


def test_shares_of_three_ranges_are_the_mean_of_their_holdings():
    """A holding that shares a card with AhKd is dropped; the others count by their weights."""
    board = "Ts7d2c4h"
    found = baycarp.equities("AhKd", Range("QsQc:0.5,JsJc"), Range("9s9c,Ah2h"), board=board)
    mean = 0.5 * counted(("AhKd", "QsQc", "9s9c"), board) + counted(("AhKd", "JsJc", "9s9c"), board)
    assert found.shares == pytest.approx(mean / 1.5, abs=1e-12)


@pytest.mark.parametrize("board", ["", "Qs7d2c", "Qs7d2c9h", "Qs7d2c9h3s"])
def test_sampled_shares_are_close_to_exact_ones(board):
    a, b = Range("QQ+,AKs,KQs:0.3"), Range("random")
    share = baycarp.equity(a, b, board)
    found = baycarp.equities(a, b, board=board, budget=Budget(playouts=2000), seed=3)
    if found.exact:  # by a table, and on the river
        assert board in ("", "Qs7d2c9h3s")
        assert found.shares[0] == share
    else:
        assert found.deals == 2000
        assert 0 < found.errors[0] < 0.02
        assert abs(found.shares[0] - share) < 4 * found.errors[0]


def test_errors_are_the_deviation_of_repeated_samples():
    sides = ("AhKd", "JsJc", Range("random"))
    found = [baycarp.equities(*sides, budget=Budget(playouts=400), seed=seed) for seed in range(200)]
    shares = np.array([each.shares for each in found])
    claimed = np.mean([each.errors for each in found], axis=0)
    assert shares.std(axis=0) == pytest.approx(claimed, rel=0.25)
    assert shares.sum(axis=1) == pytest.approx(1.0)


def test_the_result_depends_on_the_seed_and_the_budget_sets_the_time():
    def shares(playouts, seed):
        sides = ["AhKd", Range("random"), Range("TT+")]
        return baycarp.equities(*sides, budget=Budget(playouts=playouts), seed=seed).shares.tolist()

    assert shares(5000, 7) == shares(5000, 7)
    assert shares(5000, 7) != shares(5000, 8)


def test_a_budget_of_time_is_not_exceeded():
    found = baycarp.equities(*[Range("random")] * 9, budget=Budget(time=0.01), seed=1)
    assert found.deals >= 256
    assert not found.exact
    assert found.shares == pytest.approx(1 / 9, abs=6 * found.errors.max())


@pytest.mark.parametrize(
    ("sides", "error", "message"),
    [
        (["AhKd"], RangeError, "1 sides: expected 2 to 10"),
        (["AhKd", "AhQd", Range("random")], RangeError, "hardly ever"),
        (["AhKd", "AsQd", Range("Ah2h,7s2c")], RangeError, "side 3: no holding"),
        (["AhKd", Range("random"), "JsJy"], RangeError, "expected hands"),
    ],
)
def test_invalid_ranges_are_refused(sides, error, message):
    with pytest.raises(error, match=message):
        baycarp.equities(*sides, board="Ac2h7s", budget=Budget(playouts=50), seed=1)


def test_ranges_without_compatible_holdings_are_refused():
    with pytest.raises(RangeError, match="no combination"):
        baycarp.equities("AhKd", "AhQd", "JsJc", board="Ac2h7s")


def test_a_sample_without_a_seed_is_refused():
    with pytest.raises(ArgumentError, match="seed: expected one"):
        baycarp.equities("AhKd", Range("random"), Range("random"), budget=Budget(playouts=50))
