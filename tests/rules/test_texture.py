from itertools import combinations

import numpy as np
import pytest

from baycarp.rules.hand import RUN
from baycarp.rules.texture import TEXTURES, texture

NEEDS = {"none": 0, "possible": 1, "highly possible": 2}


def in_reach(board):
    """By enumeration: with how few hole cards a flush, and a straight, can be made; 3 = with no two."""
    flush = min(max(5 - sum(c % 4 == suit for c in board), 0) for suit in range(4))
    ranks = sum({1 << c // 4 for c in board})
    need = 3
    for count in (2, 1, 0):
        if any(RUN[ranks | sum({1 << r for r in more})] == 5 for more in combinations(range(13), count)):
            need = count
    return flush, need


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_a_texture_says_how_many_hole_cards_a_flush_and_a_straight_need(cards):
    draw, met = np.random.default_rng(cards), set()
    for _ in range(700):
        board = draw.permutation(52)[:cards].tolist()
        letter = texture(board)
        for name, need in zip(("flush", "straight"), in_reach(board), strict=True):
            words = next((part for part in TEXTURES[letter].split(", ") if part.startswith(name)), "")
            kind = words.removeprefix(name).strip() or "none"
            assert NEEDS[kind] == (0 if need > 2 else 1 if need == 2 else 2), (board, letter)
        met.add(letter)
    assert met == set("ABCD") if cards == 3 else met > set("ABCDE")


def test_straights_with_holes_and_both_ends_of_the_ace_count():
    assert [texture(board) for board in ("Ah3d5c", "AhQdTc", "9h6d5c", "9h4d5c")] == ["C", "C", "C", "A"]
