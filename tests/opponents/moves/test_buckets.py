"""Buckets of E[HS^2] beside soft buckets that are computed from the strengths, by their definition."""

import numpy as np
import pytest

from baycarp.card import cards, holding_index
from baycarp.evaluation import expected_strength
from baycarp.opponents.moves.buckets import OUTS, SQUARES
from baycarp.rules.buckets import Bucketing

BOARDS = ("", "Kc7d2s", "QsJsTs4h", "AcAdAhAs2c", "AsKsQsJsTs")


def ids(text):
    return tuple(map(int, cards(text)))


def test_there_are_20_20_and_10_after_the_flop_and_their_shares_fall_by_one_factor():
    assert SQUARES.counts == (20, 20, 20, 10)
    for street, count in enumerate(SQUARES.counts):
        row = SQUARES.shares[street]
        assert row.sum() == pytest.approx(1)
        assert not row[count:].any()
        assert row[: count - 1] / row[1:count] == pytest.approx(1.3)
        assert SQUARES.stretches(street)[:, 0] == pytest.approx([0, row[0]])


@pytest.mark.parametrize("board", BOARDS)
def test_a_holding_is_in_a_bucket_of_its_stretch_and_equal_ones_share_theirs(board):
    """The share of equal holdings in each bucket is that of soft membership, up to one holding."""
    found = SQUARES.on(ids(board), 2)
    _, square = expected_strength(None, board)
    free = ~np.isnan(square)
    street = max(len(ids(board)) - 2, 0)
    soft = Bucketing.exponential(SQUARES.counts[street], 1.3).soft(square)
    at = np.flatnonzero(free)
    assert (soft[at, found[at]] > 0).mean() > 0.98  # on an edge one holding may lie on either side
    for strength in np.unique(square[free].round(12)):
        equal = np.flatnonzero(free & (np.abs(square - strength) < 1e-11))
        counted = np.bincount(found[equal], minlength=soft.shape[1])
        assert counted == pytest.approx(soft[equal].sum(axis=0), abs=1.01)
    assert not found[~free].any()


def test_equal_holdings_are_spread_without_regard_to_their_cards():
    """With a royal flush on the board high cards are in no stronger buckets than low ones."""
    found = SQUARES.on(ids("AsKsQsJsTs"), 2)
    high = [found[holding_index(*ids(hole))] for hole in ("AhAd", "AhKd", "AcKc", "KhKd", "QhQd", "AdQd")]
    low = [found[holding_index(*ids(hole))] for hole in ("2h2d", "3h2d", "3c2c", "4h4d", "5h2d", "4d2d")]
    assert len(set(high)) > 1 < len(set(low))
    assert abs(np.mean(high) - np.mean(low)) < 3


def test_a_draw_is_worth_more_by_squares_than_by_strength_alone():
    """E[HS^2] puts the nut flush draw above a weak made hand that wins as often."""
    board = ids("Ks7s2d")
    draw, pair = (holding_index(*ids(hole)) for hole in ("AsQs", "7h6d"))
    mean, _ = expected_strength(None, board)
    assert abs(mean[draw] - mean[pair]) < 0.15
    assert SQUARES.on(board, 2)[draw] > SQUARES.on(board, 2)[pair]
    assert OUTS.name != SQUARES.name
