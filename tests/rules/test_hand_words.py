"""Hands in words, against the ranks of the C core and the categories of draws."""

from random import Random

import pytest

from baycarp.card import cards, holding_index
from baycarp.errors import CardError
from baycarp.kernels.hands import rank
from baycarp.rules.categories import CATEGORIES, categories
from baycarp.rules.words import hand_words


@pytest.mark.parametrize(
    ("hole", "board", "words"),
    [
        ("AhKd", "", "ace high"),
        ("6c6d", "", "pocket pair, sixes"),
        ("AhKd", "Ks7d2c", "top pair, kings, ace kicker"),
        ("6s4s", "6h5cKd", "middle pair, sixes, four kicker"),
        ("2h9c", "Ks7d2c", "bottom pair, twos, nine kicker"),
        ("TdTc", "9s6d4h", "overpair, tens"),
        ("3d3c", "9s6d4h", "underpair, threes"),
        ("7d7c", "9s6d4h", "pocket pair, sevens"),
        ("AhQd", "7s7d2c", "pair of the board, sevens"),
        ("7c7d", "Ah7s2s", "set, sevens"),
        ("7cAd", "7h7s2s", "trips, sevens, ace kicker"),
        ("AcJc", "Jh8c3d3s", "two pair, jacks and threes"),
        ("Ah2d", "3s4c5h", "straight to the five"),
        ("JsTs", "Qs9s2dKh4c", "straight to the king"),
        ("Kd5d", "Kh9d4d2dAs", "flush, king high"),
        ("8s8h", "8dKcKd", "full house, eights full of kings"),
        ("8s8h", "8dKcKd8c", "four of a kind, eights"),
        ("8s7s", "6s5s4sAsKs", "straight flush to the eight"),
        ("4s3s", "Jd8h2c6d", "jack high, gutshot"),
        ("9d8d", "Td7d2s", "ten high, flush draw, open-ended straight draw"),
        ("Ah2d", "KsQsTs9s", "ace high"),  # the draws lie on the board
    ],
)
def test_hands_have_the_names_that_players_give_them(hole, board, words):
    assert str(hand_words(hole, board)) == words


def test_random_hands_agree_with_the_ranks_and_the_categories():
    """A stronger category of the core is a later name; draws are those of the 284 categories."""
    draw, strength, drawn = Random(3), {}, 0
    for _ in range(3000):
        dealt = draw.sample(range(52), draw.choice((5, 6, 7)))
        named = hand_words(dealt[:2], dealt[2:])
        strength.setdefault(named.made, set()).add(int(rank(dealt)) >> 12)
        category = CATEGORIES[categories(dealt[2:])[holding_index(*dealt[:2])]]
        if named.made in ("high card", "pair"):
            assert ("flush draw" in category) == ("flush draw" in named.draws)
            assert ("gutshot" in category) == ("gutshot" in named.draws)
            assert ("open" in category) == ("open-ended straight draw" in named.draws)
            drawn += bool(named.draws)
    assert drawn > 300
    assert all(len(ranks) == 1 for ranks in strength.values())
    assert len(strength) >= 7


def test_a_card_twice_is_refused():
    with pytest.raises(CardError, match="Ah"):
        hand_words(cards("AhKd"), cards("Ah7d2c"))
