"""Strength buckets and cells, against counts made holding by holding."""

import numpy as np
import pytest

from baycarp.card import HOLDINGS, HOLDS, cards, holding_index
from baycarp.evaluation import hand_strength
from baycarp.opponents.actions.buckets import BLOCKED, BUCKETS, EDGES, LEVELS, STRENGTH, buckets, partition
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


@pytest.mark.parametrize("streets", [(0,), (0, 1), (0, 2, 3)])
def test_cells_hold_every_holding_once_with_its_buckets(streets):
    bucket, count, cell = partition(BOARD, streets, IncomeGroup.IR7)
    free = ~HOLDS[list(BOARD)].any(axis=0)
    assert (cell >= 0).tolist() == free.tolist()
    assert count.tolist() == np.bincount(cell[free]).tolist()
    for holding in np.flatnonzero(free)[::53]:
        for street in range(4):
            board = BOARD[: street + 2] if street else ()
            expected = buckets(board, IncomeGroup.IR7)[holding] if street in streets else BLOCKED
            assert bucket[cell[holding], street] == expected
    assert len({tuple(row) for row in bucket.tolist()}) == len(count) < 400
