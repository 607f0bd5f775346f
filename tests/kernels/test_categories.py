"""Categories over all run-outs, beside ranks counted one by one and beside known numbers of outs."""

from itertools import combinations

import numpy as np
import pytest

from baycarp.card import blocked_by, cards, holding_index
from baycarp.errors import CardError
from baycarp.kernels.categories import CATEGORIES, categories, category_orders
from baycarp.kernels.hands import rank


@pytest.mark.parametrize("board", ["Qs7d2c9h", "8h7h6h", "AsKsQsJsTs", "2c2d2h2s3c"])
def test_counts_are_those_of_every_board_ranked_alone(board):
    shown = list(cards(board))
    counts, orders = category_orders(board)
    rng = np.random.default_rng(3)
    free = np.flatnonzero(~blocked_by(shown))
    for holding in rng.choice(free, 6, replace=False).tolist():
        hole = next(pair for pair in combinations(range(52), 2) if holding_index(*pair) == holding)
        deck = [card for card in range(52) if card not in (*hole, *shown)]
        expected, sums = np.zeros(CATEGORIES, int), np.zeros(CATEGORIES, int)
        for rest in combinations(deck, 5 - len(shown)):
            found = int(rank([*hole, *shown, *rest]))
            expected[(found >> 12) - 1] += 1
            sums[(found >> 12) - 1] += found & 0xFFF
        assert counts[holding].tolist() == expected.tolist()
        assert orders[holding].tolist() == sums.tolist()


@pytest.mark.parametrize(("board", "boards"), [("Qs7d2c", 1081), ("Qs7d2c9h", 46), ("Qs7d2c9h3s", 1)])
def test_rows_sum_to_all_boards_and_blocked_ones_are_zero(board, boards):
    counts = categories(board)
    blocked = blocked_by(cards(board))
    assert set(counts[~blocked].sum(axis=1).tolist()) == {boards}
    assert not counts[blocked].any()


def test_known_outs():
    turn = categories("AsQs7s4c")
    assert turn[holding_index(*cards("5s9c"))][5] == 9  # flush: nine spades
    # a gutshot on a rainbow flop: all run-outs but those without any of the four nines
    assert categories("8h7d2c")[holding_index(*cards("JcTs"))][4] == 47 * 46 // 2 - 43 * 42 // 2


def test_a_board_of_another_size_is_refused():
    for board in ("", "AsKs", "AsAs2d"):
        with pytest.raises(CardError):
            categories(board)
