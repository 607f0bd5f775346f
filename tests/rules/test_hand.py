"""Hand groups, ranks, types and partial hands."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.hand_types import hand_group, slow_hand_type

from baycarp.card import CLASSES, HOLDINGS, as_cards, cards, holding_index, text
from baycarp.errors import CardError
from baycarp.rules.hand import (
    BLOCKED,
    GROUPS,
    PARTIAL_HANDS,
    TYPES,
    hand_types,
    partial_hands,
)


def deal(rng, count):
    return rng.choice(52, count, replace=False).astype(int).tolist()


def hand_type(hole, board):
    return TYPES[hand_types(board)[holding_index(*as_cards(hole))]]


def partial_hand(hole, board):
    return PARTIAL_HANDS[partial_hands(board)[holding_index(*as_cards(hole))]]


def of_class(name):
    """One holding of a starting class."""
    return name[0] + "s" + name[1] + ("s" if name.endswith("s") else "h")


# Groups and ranks


def test_groups_of_figure_b1_count_as_in_the_figure():
    sizes = Counter(hand_group(of_class(name)) for name in CLASSES)
    assert sizes == {
        "HandGroup1": 5, "HandGroup2": 5, "HandGroup3": 6, "HandGroup4": 8, "HandGroup5": 18,
        "HandGroup6": 9, "HandGroup7": 19, "HandGroup8": 15, "HandGroup9": 7, "HandGroup10": 77,
    }  # fmt: skip


def test_group_nine_is_ace_low_offsuit():
    nine = {name for name in CLASSES if hand_group(of_class(name)) == "HandGroup9"}
    assert nine == {f"A{rank}o" for rank in "8765432"}


@pytest.mark.parametrize(("hole", "group"), [("Ks9s", 7), ("6s6h", 5), ("6s5s", 6)])
def test_the_seed_differs_from_the_published_groups_in_three_cells(hole, group):
    assert hand_group(hole) == f"HandGroup{group}"


def test_bad_cards_are_named():
    with pytest.raises(CardError, match="duplicate card 'Ah'"):
        hand_types("AhQsAh")
    with pytest.raises(CardError, match="expected 3 or 4 or 5 cards"):
        hand_types("AhKd")


# Types


def test_types_agree_with_the_slow_reference_on_whole_boards():
    rng = np.random.default_rng(1)
    for count in (3, 4, 5) * 3:
        board = deal(rng, count)
        types = hand_types(board)
        for holding in rng.choice(1326, 150, replace=False):
            hole = HOLDINGS[holding].tolist()
            if set(hole) & set(board):
                assert types[holding] == BLOCKED
            else:
                assert TYPES[types[holding]] == slow_hand_type(hole, board), text([*hole, *board])


SUITED_BOARDS = ("AhKhQh", "5h4h3h2c", "9s8s7s6s5s", "AcAdAhAs2c", "KcKdKhTsTc", "2h3h4h5hAh", "QsJsTs2d2c")


@pytest.mark.parametrize("board", SUITED_BOARDS)
def test_types_agree_with_the_slow_reference_on_hard_boards(board):
    for holding, kind in enumerate(hand_types(board)):
        if kind != BLOCKED:
            hole = HOLDINGS[holding].tolist()
            assert TYPES[kind] == slow_hand_type(hole, cards(board).tolist()), text(hole)


def test_category_counts_are_those_of_all_five_card_hands():
    """Every five cards are ten times a hole and a flop; flops that differ by suits' names count alike."""
    known = {"StraightFlush": 40, "FourOfAKind": 624, "FullHouse": 3744, "Flush": 5108, "Straight": 10200,
             "ThreeOfAKind": 54912, "TwoPair": 123552, "Busted": 1302540}  # fmt: skip
    alike = Counter()
    for flop in combinations(range(52), 3):
        names = list(dict.fromkeys(card % 4 for card in flop))
        alike[tuple(card // 4 * 4 + names.index(card % 4) for card in flop)] += 1
    counts = sum(times * np.bincount(hand_types(flop), minlength=256) for flop, times in alike.items())
    assert {name: counts[TYPES.index(name)] / 10 for name in known} == known
    assert counts[1:10].sum() / 10 == 1098240


def test_every_type_is_reached_on_every_street():
    rng = np.random.default_rng(3)
    for count in (3, 4, 5):
        reached = set()
        for _ in range(300):
            reached |= set(hand_types(deal(rng, count)).tolist())
        reached |= set(hand_types(cards("9s8s7s6s5s")[:count]).tolist())
        assert reached - {BLOCKED} == set(range(17))


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True), st.permutations(range(4)))
def test_types_do_not_depend_on_the_names_of_suits(dealt, suits):
    renamed = [card // 4 * 4 + suits[card % 4] for card in dealt]
    assert hand_type(dealt[:2], dealt[2:]) == hand_type(renamed[:2], renamed[2:])
    assert hand_group(dealt[:2]) == hand_group(renamed[:2])
    if len(dealt) < 7:
        assert partial_hand(dealt[:2], dealt[2:]) == partial_hand(renamed[:2], renamed[2:])


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True))
def test_types_do_not_depend_on_the_order_of_cards(dealt):
    assert hand_type(dealt[1::-1], dealt[:1:-1]) == hand_type(dealt[:2], dealt[2:])


def test_types_of_a_board_cannot_be_written_over():
    with pytest.raises(ValueError, match="read-only"):
        hand_types("AhKdQs")[0] = 1


@pytest.mark.parametrize(
    ("hole", "board", "kind"),
    [
        ("KsTd", "Kh8h6c", "KingPairStrong"),  # the ten is strong
        ("Ks9d", "Kh8h6c", "KingPairWeak"),
        ("KsKd", "Qh8h6c", "KingPairStrong"),  # by a kicker of the board
        ("AsAd", "9h8h6c", "AcePairWeak"),
        ("8s2d", "AhAd9c", "AcePairWeak"),  # the pair lies on the board
        ("Th3d", "Ts8h6c", "TenPair"),
        ("7h3d", "AsKsQd7c", "LowPair"),
        ("Ah2d", "3s4d5h9c", "Straight"),
        ("AhKd", "QsJdTh", "Straight"),
        ("KhAd", "2s3d4h", "Busted"),  # no sequence runs round the corner
        ("2h3d", "2s3s9c9d", "TwoPair"),
        ("9h9d", "9s3s3c9c", "FourOfAKind"),
        ("3h3d", "9s3s9c9d", "FullHouse"),
        ("Ah2h", "KhQh9hAdAc", "Flush"),
    ],
)
def test_types_by_hand(hole, board, kind):
    assert hand_type(hole, board) == kind


# Partial hands


@pytest.mark.parametrize(
    ("hole", "board", "partial"),
    [
        ("AhKh", "Qh7h2c", "FlushDraw"),
        ("9h8d", "Tc7s2c", "StraightDraw"),
        ("9h8h", "Th7h2c", "FlushD_StraightD"),
        ("9h8d", "Tc6s2c", "None"),  # a hole in the sequence
        ("9h8h", "ThJh2h", "None"),  # the flush is made
        ("9h8d", "TcJs7c", "None"),  # the straight is made
        ("9h8h", "Th7h6c", "FlushDraw"),  # the straight is made, the flush is not
        ("Ah2d", "3c4s9c", "StraightDraw"),
        ("AhKd", "QcJs9c", "StraightDraw"),
        ("2c3d", "Kh9h5h4h", "FlushD_StraightD"),
    ],
)
def test_partial_hands(hole, board, partial):
    assert partial_hand(hole, board) == partial


def test_partial_hands_lack_one_card():
    """Every draw is one card of the deck from a straight or flush, and every state is reached."""
    rng, reached = np.random.default_rng(4), set()
    for _ in range(200):
        dealt = deal(rng, int(rng.integers(5, 7)))
        hole, board = dealt[:2], dealt[2:]
        partial = partial_hand(hole, board)
        reached.add(partial)
        next_types = {hand_type(hole, [*board, card]) for card in range(52) if card not in dealt}
        made = TYPES.index(hand_type(hole, board))
        if "Flush" in partial and made < TYPES.index("Flush"):
            assert next_types & {"Flush", "StraightFlush"}
        if "Straight" in partial and made < TYPES.index("Straight"):
            assert next_types & {"Straight", "StraightFlush"}
        if partial == "None" and made < TYPES.index("Flush"):
            assert "Flush" not in next_types
    assert reached == set(PARTIAL_HANDS)


def test_groups_reach_every_state():
    assert {hand_group(holding.tolist()) for holding in HOLDINGS} == set(GROUPS)


@pytest.mark.parametrize("cards", [3, 4])
def test_partial_hands_of_all_holdings_by_counting_suits_and_ranks(cards):
    def counted(dealt):
        suited = max([card % 4 for card in dealt].count(suit) for suit in range(4))
        ranks = {card // 4 for card in dealt} | {-1 for card in dealt if card // 4 == 12}
        run = max(next(n for n in range(1, 8) if low + n not in ranks) for low in ranks)
        return PARTIAL_HANDS[(suited == 4) + 2 * (run == 4 and suited < 5)]

    rng = np.random.default_rng(cards)
    for _ in range(20):
        board = rng.permutation(52)[:cards]
        partial = partial_hands(board)
        for holding in rng.integers(0, 1326, 40):
            hole = HOLDINGS[holding]
            clash = bool(set(hole.tolist()) & set(board.tolist()))
            assert (partial[holding] == BLOCKED) == clash
            if not clash:
                assert PARTIAL_HANDS[partial[holding]] == counted([*hole, *board])
