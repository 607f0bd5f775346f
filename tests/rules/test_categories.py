from collections import Counter

import numpy as np
import pytest

from baycarp.card import HOLDINGS, as_cards, blocked_by, holding_index
from baycarp.rules.categories import CATEGORIES, UNUSED, categories
from baycarp.rules.hand import TYPES, hand_types


def test_there_are_284_categories_with_different_names():
    assert len(CATEGORIES) == len(set(CATEGORIES)) == 284


def test_a_category_has_the_type_of_the_hand_and_its_draws():
    draw = np.random.default_rng(1)
    for _ in range(150):
        board = draw.permutation(52)[: draw.integers(3, 6)]
        found, types = categories(board), hand_types(board)
        for holding in draw.integers(0, 1326, 12).tolist():
            cards = HOLDINGS[holding].tolist()
            if set(cards) & set(board.tolist()):
                assert found[holding] == UNUSED
                continue
            name = CATEGORIES[found[holding]]
            made = TYPES[types[holding]]
            assert name.startswith("" if made == "Busted" else made)
            assert ("overcards" in name) == (made == "Busted")
            if types[holding] < TYPES.index("TwoPair"):
                assert draws_of(name) == slow_draws(cards, board.tolist()), (cards, board)


def draws_of(name):
    parts = name.split(", ")
    flush = next((part for part in parts if part in ("backdoor", "flush draw")), "")
    return flush, next((part for part in parts if part in ("gutshot", "open")), "")


def slow_draws(hole, board):
    """By counting cards of each suit, and by trying each rank."""
    if len(board) == 5:
        return "", ""
    flush = 0
    for suit in range(4):
        own, lying = (sum(card % 4 == suit for card in cards) for cards in (hole, board))
        flush = max(flush, own + lying if own else 0)
    outs = 0
    for rank in range(13):
        with_hole = {card // 4 for card in (*hole, *board)} | {rank}
        alone = {card // 4 for card in board} | {rank}
        outs += straight(with_hole) and not straight(alone)
    backdoor = "backdoor" if flush == 3 and len(board) == 3 else ""
    return "flush draw" if flush == 4 else backdoor, ("", "gutshot", "open")[min(outs, 2)]


def straight(ranks):
    low = {-1} if 12 in ranks else set()
    return any({first + step for step in range(5)} <= ranks | low for first in range(-1, 9))


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("AhKh", "Qh7h2c", "2 overcards, flush draw"),
        ("7c2d", "7d2h9s", "TwoPair by both"),
        ("Ac2d", "7d7h9s9c", "TwoPair"),
        ("7c7d", "7h2s9d", "ThreeOfAKind by both"),
        ("7cAd", "7h7s9d", "ThreeOfAKind"),
        ("9c8d", "7h6s5d2c", "Straight by both"),
        ("9cAd", "8h7s6d5c", "Straight"),
        ("9c9d", "Th6s5d2c2d", "TwoPair by both"),
        ("JcJd", "Th6s5d", "JackPair by 2"),
        ("Tc9d", "Th8s7d2c2s", "TwoPair"),
    ],
)
def test_examples(hole, board, name):
    assert CATEGORIES[categories(board)[holding_index(*as_cards(hole))]] == name


def test_most_categories_occur():
    draw, met = np.random.default_rng(2), Counter()
    for _ in range(800):
        board = draw.permutation(52)[: draw.integers(3, 6)]
        met.update(categories(board)[~blocked_by(board.tolist())].tolist())
    assert len(met) > 230
