"""Names of hands: every class of five cards has one, and counts by name are the known ones."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

import baycarp
from baycarp.card import cards, text
from baycarp.errors import CardError
from baycarp.hand_names import best_five, hand_name, hand_names


@pytest.mark.parametrize(
    ("hand", "name", "five"),
    [
        ("QhQd3c3s2h", "two pair, queens and threes", "QhQd3s3c2h"),
        ("Ah2h9hTh5hAsAd", "ace-high flush", "AhTh9h5h2h"),
        ("Kd9s7c5h2d", "king high", "Kd9s7c5h2d"),
        ("TsThTd4c4dAhKs", "full house, tens over fours", "TsThTd4d4c"),
        ("TsThTd4c4d4hKs", "full house, tens over fours", "TsThTd4h4d"),
        ("AhAd3c3sKhKdQs", "two pair, aces and kings", "AhAdKhKdQs"),
        ("5h4s3d2cAh9h", "five-high straight", "5h4s3d2cAh"),
        ("6h5h4s3d2cAhAd", "six-high straight", "6h5h4s3d2c"),
        ("5h4h3h2hAh6s7d", "five-high straight flush", "5h4h3h2hAh"),
        ("AsKsQsJsTs2c2d", "royal flush", "AsKsQsJsTs"),
        ("6s6h6d6cAhAdKs", "four of a kind, sixes", "6s6h6d6cAh"),
        ("6s6h6dAhKs2c3d", "three of a kind, sixes", "6s6h6dAhKs"),
        ("8s8hAhKs2c", "pair of eights", "8s8hAhKs2c"),
    ],
)
def test_a_hand_is_named_and_its_five_are_in_order(hand, name, five):
    assert baycarp.hand_name(hand) == name
    assert text(best_five(hand)) == five


SINGLE, PAIRED = 13, 13 * 12
"""Names that have one rank, and those of two."""

EXPECTED = {
    "high": 8,  # seven high is the least; five ranks that are no straight
    "pair": SINGLE,
    "two pair": PAIRED // 2,
    "three": SINGLE,
    "straight": 10,
    "flush": 8,
    "full": PAIRED,
    "four": SINGLE,
    "straight flush": 10,  # the royal flush is one of them
}


def kind(name):
    if name == "royal flush" or name.endswith("straight flush"):
        return "straight flush"
    if name.startswith(("pair", "two pair", "three", "full", "four")):
        return "two pair" if name.startswith("two pair") else name.split()[0]
    return name.replace("-high", "").split()[-1]


def each_class():
    """A hand of each class: of every five ranks one without a flush, and of different ranks one with it."""
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) == 5:
            continue
        hand = [4 * number + ranks[:at].count(number) for at, number in enumerate(ranks)]
        if len({*ranks}) == 5:
            yield hand
        yield [*hand[:4], hand[4] + (hand[4] % 4 == 0)]  # the last card of a flush changes its suit


def test_all_classes_have_names_whose_counts_are_the_known_ones():
    names = {baycarp.rank(hand): hand_name(hand) for hand in each_class()}
    assert len(names) == 7462
    assert Counter(map(kind, {*names.values()})) == EXPECTED


def test_the_five_have_the_rank_of_the_hand():
    random = np.random.default_rng(4)
    for size in (5, 6, 7):
        for _ in range(300):
            hand = random.permutation(52)[:size]
            five = best_five(hand)
            assert set(five) <= set(hand.tolist())
            assert baycarp.rank(five) == baycarp.rank(hand)


def test_the_card_that_decides_is_named_where_names_are_alike():
    board = "Ah9d7c4s2h"
    hands = [f"{hole}{board}" for hole in ("AsKc", "AdQc", "AcQs", "9s9c", "KsQd")]
    assert hand_names(hands) == [
        "pair of aces, king kicker",
        "pair of aces, queen kicker",
        "pair of aces, queen kicker",
        "three of a kind, nines",
        "ace high",
    ]


@pytest.mark.parametrize("wrong", ["AhKh", "AhKhQhJhThTh", "AhKhQhJhXx", "AhKhQhJhTh9h8h7h"])
def test_other_cards_are_refused(wrong):
    with pytest.raises(CardError):
        hand_name(wrong)


def test_ids_and_text_are_the_same_hand():
    assert hand_name(cards("AhKhQhJhTh")) == hand_name("AhKhQhJhTh") == "royal flush"
