"""Cards as text and ids, their conversion, holdings, classes, hand groups."""

from collections import Counter
from itertools import combinations, count, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baycarp.card import (
    CLASS_OF,
    CLASSES,
    DECK,
    HAND_GROUPS,
    HOLDINGS,
    HOLDS,
    as_cards,
    cards,
    class_index,
    holding_index,
    holding_indices,
    text,
)
from baycarp.errors import CardError, brief
from experiments.papers.registry import find

ALL = [(4 * r + s, rank + suit) for r, rank in enumerate("23456789TJQKA") for s, suit in enumerate("cdhs")]


@pytest.mark.parametrize(("card", "word"), ALL)
def test_every_card_is_converted_both_ways(card, word):
    rank, suit = word
    assert DECK[card] == text([card]) == word
    spellings = [word, word.lower(), word.upper(), rank.lower() + suit.upper(), (suit + rank).upper()]
    spellings += ["10" + suit, suit.upper() + "10"] if rank == "T" else []
    for spelling in spellings:
        assert cards(spelling).tolist() == [card], spelling


def test_the_deck_has_52_cards():
    assert len(set(DECK)) == 52
    assert (DECK[0], DECK[51]) == ("2c", "As")


@given(st.lists(st.integers(0, 51), unique=True, max_size=9))
def test_printed_cards_are_read_back(ids):
    assert cards(text(ids)).tolist() == ids
    assert cards(" , ".join(DECK[card] for card in ids)).tolist() == ids
    assert cards(text(ids)).dtype == np.uint8


@pytest.mark.parametrize("given", ["10h9h", "Th 9h", "TH,9H", "H10 h9", "th 9h "])
def test_all_notations_of_a_hand_are_read(given):
    assert text(cards(given)) == "Th9h"


def test_an_unseen_card_prints_as_question_marks():
    assert text([255]) == text(np.array([255], np.uint8)) == "??"
    assert text([50, 255]) == "Ah??"


@pytest.mark.parametrize("card", [52, -1, 254, 256, 300])
def test_no_card_prints_from_another_id(card):
    with pytest.raises(CardError, match=rf"card id {card}: expected 0\.\.51"):
        text([card])


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ("Xh", 1),
        ("AhXd", 3),
        ("Ah Kx", 4),
        ("A", 1),
        ("AhK", 3),
        ("1h", 1),
        ("??", 1),
        ("  Xh", 3),
        ("Ah,,Kd", 4),
    ],
)
def test_an_unknown_card_is_named_with_its_column(given, column):
    with pytest.raises(CardError, match=rf"unknown card at column {column} of .*expected like 'Ah'"):
        cards(given)


def test_a_duplicate_is_named():
    with pytest.raises(CardError, match="duplicate card 'Ah' in board 'AhKdAh'"):
        as_cards("Ah Kd Ah", "board")
    with pytest.raises(CardError, match="duplicate card '2c'"):
        as_cards([0, 0])


@pytest.mark.parametrize(("count", "text"), [(2, "2"), ((0, 4, 5), "0 or 4 or 5")])
def test_a_wrong_number_of_cards_is_named(count, text):
    with pytest.raises(CardError, match=f"board 'AhKdQs': expected {text} cards, got 3"):
        as_cards("AhKdQs", "board", count)


def test_the_expected_number_of_cards_is_accepted():
    assert len(as_cards("AhKdQs", "board", 3)) == len(as_cards("AhKdQs", "board", (0, 3))) == 3
    assert len(as_cards("", "board", (0, 3))) == len(as_cards([], "board", 0)) == 0


@pytest.mark.parametrize("wrap", [list, tuple, iter, np.array, lambda ids: np.array(ids, np.uint8)])
def test_ids_may_be_in_any_container(wrap):
    taken = as_cards(wrap([50, 45]))
    assert taken.tolist() == [50, 45]
    assert taken.dtype == np.uint8


@pytest.mark.parametrize(
    "card",
    [300, 52, 255, -1, 2**40],
    ids=["a uint8 would be 44", "past the end", "unseen", "negative", "huge"],
)
def test_ids_outside_the_deck_are_refused_before_they_wrap(card):
    with pytest.raises(CardError, match=rf"card id {card} in hole: expected 0\.\.51"):
        as_cards(np.array([card], np.int64), "hole")
    with pytest.raises(CardError, match=rf"card id {card} in hole"):
        as_cards([0, card], "hole")


@pytest.mark.parametrize(
    "given",
    [
        1,
        None,
        [1.5],
        [50.0],
        [np.nan],
        [True, False],
        ["Ah", "Kd"],
        [None],
        [[1, 2], [3]],
        np.zeros((2, 2), int),
        [2**70],
    ],
    ids=repr,
)
def test_anything_else_is_a_card_error(given):
    with pytest.raises(CardError, match="hole: expected"):
        as_cards(given, "hole")


def test_holdings_are_in_the_order_of_their_index():
    assert HOLDINGS.shape == (1326, 2)
    assert [tuple(pair) for pair in HOLDINGS[:4].tolist()] == [(1, 0), (2, 0), (2, 1), (3, 0)]
    for number, (hi, lo) in enumerate(HOLDINGS.tolist()):
        assert hi > lo
        assert holding_index(hi, lo) == holding_index(lo, hi) == hi * (hi - 1) // 2 + lo == number
    assert {frozenset(pair) for pair in HOLDINGS.tolist()} == set(map(frozenset, combinations(range(52), 2)))


def test_holds_marks_the_holdings_that_contain_a_card():
    assert HOLDS.shape == (52, 1326)
    for number, pair in enumerate(HOLDINGS.tolist()):
        assert np.flatnonzero(HOLDS[:, number]).tolist() == sorted(pair)


def test_indices_of_many_pairs_are_those_of_each():
    pairs = np.concatenate([HOLDINGS, HOLDINGS[:, ::-1]]).reshape(2, 1326, 2)
    assert (holding_indices(pairs) == np.arange(1326)).all()


def test_the_index_of_one_byte_ids_does_not_overflow():
    """51 * 50 does not fit the ids' own uint8."""
    assert holding_index(*cards("AsAh")) == 1325
    assert class_index(*cards("2s2h")) == 168


def test_classes_have_6_4_and_12_holdings():
    sizes = Counter(CLASSES[cell] for cell in CLASS_OF)
    assert len(sizes) == len(set(CLASSES)) == 169
    for name, size in sizes.items():
        assert size == {"": 6, "s": 4, "o": 12}[name[2:]], name


@pytest.mark.parametrize(
    ("hand", "name", "cell"),
    [
        ("AhAd", "AA", 0),
        ("AhKh", "AKs", 1),
        ("KhAh", "AKs", 1),
        ("Ac2c", "A2s", 12),
        ("AhKd", "AKo", 13),
        ("KdAh", "AKo", 13),
        ("KsKc", "KK", 14),
        ("2d3c", "32o", 167),
        ("2c2d", "22", 168),
    ],
)
def test_the_class_of_a_hand(hand, name, cell):
    assert class_index(*cards(hand)) == cell
    assert CLASSES[cell] == name
    assert CLASS_OF[holding_index(*cards(hand))] == cell


def figure_b1():
    """Unger (2011), figure B.1; suited above the diagonal, an unmarked cell is group 10."""
    figure = find("000-figB.1")
    columns = [column.name for column in figure.columns]
    for row, groups in figure.rows:
        for column, group in zip(columns, groups, strict=True):
            hand = f"{row}s{column}s" if columns.index(row) < columns.index(column) else f"{row}s{column}h"
            yield hand, 10 if group == "-" else int(group)


def test_hand_groups_are_those_of_figure_b1():
    assert {class_index(*cards(hand)) for hand, _ in figure_b1()} == set(range(169))
    for hand, group in figure_b1():
        assert HAND_GROUPS[class_index(*cards(hand))] == group, hand


def test_classes_and_holdings_of_each_group():
    """Counted in the figure, cell by cell."""
    assert np.bincount(HAND_GROUPS).tolist() == [0, 5, 5, 6, 8, 18, 9, 19, 15, 7, 77]
    assert np.bincount(HAND_GROUPS[CLASS_OF]).tolist() == [0, 28, 30, 34, 50, 100, 62, 106, 132, 84, 700]


@pytest.mark.parametrize(("name", "figure", "published"), [("K9s", 7, 6), ("66", 5, 6), ("65s", 6, 5)])
def test_the_three_cells_where_the_figure_differs_from_the_published_groups(name, figure, published):
    group = HAND_GROUPS[CLASSES.index(name)]
    assert group == figure
    assert group != published


DEEP: list = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "wrong", [10**5000, DEEP, (10**5000,), range(10**12), count(), repeat(7)], ids=range(6)
)
def test_what_has_no_repr_or_no_end_is_refused(wrong):
    with pytest.raises(CardError):
        as_cards(wrong)


def test_an_error_names_a_value_that_has_no_repr_by_its_type():
    assert brief(10**5000) == "<int>"
    assert brief(DEEP) == "<list>"
    assert brief("A" * 100, 5) == "'AAAA"
