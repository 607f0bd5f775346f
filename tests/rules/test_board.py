"""Boards, and their change by the next card."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baycarp.card import cards
from baycarp.errors import CardError
from baycarp.rules import READINGS
from baycarp.rules.board import CHANGES, FLOPS, change, flop, flush, flush_change, straight, straight_change


def board(string):
    return tuple(cards(string).tolist())


def test_every_flop_has_one_state_and_every_state_a_flop():
    assert {flop(three) for three in combinations(range(52), 3)} == set(FLOPS)


@pytest.mark.parametrize(
    ("three", "state"),
    [
        ("AsKdQh", "AHigh"), ("AsAd2h", "AHigh"), ("AsTdTh", "ALow"), ("KsKd7h", "KHigh"),
        ("QsJd2h", "QHigh"),
        ("QsTd9h", "QLow"), ("JsJd2h", "JHigh"), ("JsTd9h", "JLow"), ("TsTdTh", "Low"), ("2s3d4h", "Low"),
    ],
)  # fmt: skip
def test_flops(three, state):
    assert flop(three) == state


@given(st.permutations(range(3)), st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True))
def test_the_order_of_the_flop_does_not_matter(order, three):
    assert flop([three[i] for i in order]) == flop(three)


@pytest.mark.parametrize(
    ("cards_", "state"),
    [
        ("Ks8d4hAc", "FirstA"), ("As8d4hAc", "HighPair"), ("As8d4hKc", "FirstK"), ("As8d4hJc", "FirstJ"),
        ("Ts8d4hTc", "MidPair"), ("8s5d4h8c", "MidPair"), ("7s5d4h7c", "LowPair"), ("As5d4hTc", "Low"),
        ("JsJd4h2cJc", "HighPair"), ("3s3d4h2cQc", "FirstQ"),
    ],
)  # fmt: skip
def test_changes(cards_, state):
    assert change(cards_) == state


def test_changes_reach_every_state_on_turn_and_river():
    rng = np.random.default_rng(1)
    for count in (4, 5):
        dealt = (rng.choice(52, count, replace=False) for _ in range(2000))
        assert {change(board) for board in dealt} == set(CHANGES)


def test_a_flop_of_four_cards_is_refused():
    with pytest.raises(CardError, match="flop 'AsKdQhJc': expected 3 cards"):
        flop("AsKdQhJc")


# Flushes and straights on offer


@pytest.mark.parametrize(
    ("cards_", "state"),
    [
        ("AsKdQh", "None"),
        ("AsKdQs", "Draw"),
        ("AsKsQs", "Possible"),
        ("AsKsQs2s", "Likely"),
        ("2sAsKsQs9s", "Flush"),
    ],
)
def test_flushes(cards_, state):
    assert flush(board(cards_)) == state


@pytest.mark.parametrize(
    ("cards_", "state"),
    [
        ("JsQdKh", "Possible"),  # the seed's example
        ("TsQdAh", "None"),  # its other: holes do not count
        ("As2d7h", "Draw"),
        ("AsKd2h", "Draw"),
        ("5s5d6h7c", "Possible"),
        ("As2d3h4c", "Likely"),
        ("As2d3h4c5c", "Straight"),
        ("TsAdKhQcJc", "Straight"),
    ],
)
def test_straights(cards_, state):
    assert straight(board(cards_)) == state


def test_transitions():
    assert flush_change(board("AsKdQhJd")) == "None_Draw"  # the seed's example
    assert flush_change(board("AsKsQs2sJs")) == "Likely_Flush"
    assert straight_change(board("5s6d8h7c")) == "Draw_Likely"
    assert straight_change(board("2s3d5h6c4c")) == "Draw_Straight"


def suit_shapes(count):
    """One board for every way that suits can fall, ranks apart."""
    for suits in combinations_with_replacement(range(4), count - 1):
        for last in range(4):
            yield tuple(4 * rank + suit for rank, suit in enumerate((*suits, last)))


def rank_shapes(count):
    """Every set of ranks before the last card, and every last rank."""
    for ranks in combinations_with_replacement(range(13), count - 1):
        if max(map(ranks.count, ranks)) <= 3:
            for last in range(13):
                if ranks.count(last) <= 3:
                    yield tuple(4 * rank + i % 4 for i, rank in enumerate((*ranks, last)))


@pytest.mark.parametrize("name", ["FlushBoardFlop", "FlushChangeTurn", "FlushChangeRiver"])
def test_flush_states_are_all_reached_and_no_other(name):
    count = {"Flop": 3, "Turn": 4, "iver": 5}[name[-4:]]
    of = flush if count == 3 else flush_change
    assert {of(board) for board in suit_shapes(count)} == set(READINGS[name].domain)


@pytest.mark.parametrize("name", ["StraightBoardFlop", "StraightChangeTurn", "StraightChangeRiver"])
def test_straight_states_are_all_reached_and_no_other(name):
    count = {"Flop": 3, "Turn": 4, "iver": 5}[name[-4:]]
    of = straight if count == 3 else straight_change
    assert {of(board) for board in rank_shapes(count)} == set(READINGS[name].domain)
