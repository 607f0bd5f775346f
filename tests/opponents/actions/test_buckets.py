"""Strength buckets, against counts made holding by holding."""

import numpy as np

from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.evaluation import hand_strength
from baycarp.opponents.actions.buckets import BLOCKED, BUCKETS, EDGES, LEVELS, STRENGTH, buckets
from baycarp.rules.income import IncomeGroup

BOARD = tuple(cards("Qs7d2c9h3s").tolist())


def test_shares_before_the_flop_fall_and_follow_the_income_rates():
    sizes = np.bincount(buckets((), IncomeGroup.IR7), minlength=BUCKETS[0])
    assert sizes.sum() == 1326
    assert sizes[0] == sizes.max()
    assert sizes[-1] == sizes.min() == 18
    aces, trash = holding_index(*cards("AhAd")), holding_index(*cards("7h2d"))
    assert (buckets((), IncomeGroup.IR7)[aces], buckets((), IncomeGroup.IR7)[trash]) == (15, 0)


def test_the_river_is_cut_by_strength():
    codes = buckets(BOARD, IncomeGroup.IR7)
    for holding in range(0, 1326, 97):
        hole = HOLDINGS[holding]
        if set(hole) & set(BOARD):
            assert codes[holding] == BLOCKED
        else:
            assert codes[holding] == sum(hand_strength(hole, BOARD) >= edge for edge in EDGES)


def test_a_draw_lies_apart_from_a_made_hand_as_strong():
    codes = buckets(tuple(cards("Js8s3d").tolist()), IncomeGroup.IR7)
    draw, nothing = holding_index(*cards("7s2s")), holding_index(*cards("5h2d"))
    assert codes[draw] >= LEVELS > codes[nothing]
    assert STRENGTH[1][codes[draw]] > STRENGTH[1][codes[nothing]]
