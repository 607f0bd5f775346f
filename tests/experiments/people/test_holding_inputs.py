"""Inputs of a holding: classes before the flop, suits that are worth the same, hands that are known."""

import numpy as np
import pytest

from baycarp.card import CLASS_OF, cards, holding_index
from experiments.people.holding_inputs import HOLDING_INPUTS, holding_inputs


def of(holding, board=""):
    found = holding_inputs(tuple(map(int, cards(board))) if board else ())
    row = found.rows[found.row[holding_index(*map(int, cards(holding)))]]
    return dict(zip(HOLDING_INPUTS, row.tolist(), strict=True))


def test_rows_before_the_flop_are_the_classes_of_starting_hands():
    rows = holding_inputs(()).row
    assert len(np.unique(rows)) == len(np.unique(CLASS_OF)) == len(set(zip(rows, CLASS_OF, strict=True)))


def test_a_flush_and_what_misses_it():
    made, bare = of("AhKh", "Qh7h2h"), of("AsKs", "Qh7h2h")
    assert made["category"] == 6
    assert bare["category"] == 1
    assert (made["more of the suit on the board"], bare["more of the suit on the board"]) == (3, 0)
    assert made["ends in category 5"] > 0.95
    assert bare["ends in category 5"] == 0.04  # two more hearts: 45 of 1,081 boards
    assert made["percentile of the hand"] > 0.99


def test_places_on_the_board():
    found = of("Ad7c", "Kh7s2d")
    assert (found["ranks above the high card"], found["ranks above the low card"]) == (0, 1)
    assert (found["high card paired"], found["low card paired"]) == (0, 1)


@pytest.mark.parametrize(
    ("one", "other", "board"),
    [("AsKs", "AcKc", "Qh7d2h"), ("9s8c", "9c8s", "Qh7d2h3d"), ("AhKd", "KdAh", "")],
)
def test_suits_that_are_worth_the_same_share_a_row(one, other, board):
    assert of(one, board) == of(other, board)
