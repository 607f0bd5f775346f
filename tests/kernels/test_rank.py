import subprocess
from pathlib import Path

import numpy as np
import pytest
from reference.hands import rank as slow_rank

from baycarp.card import HOLDINGS, cards
from baycarp.errors import CardError
from baycarp.kernels import simd
from baycarp.kernels.hands import census, rank
from baycarp.kernels.sweeps import rank_holdings

ROOT = Path(__file__).resolve().parents[2]


def deals(n, k, seed):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(52)[:k] for _ in range(n)], np.uint8)


LADDER = [
    "7h5d4c3s2h",  # the lowest rank
    "AhKdQcJs9h",
    "2h2d5c4s3h",
    "AhAdKcQsJh",
    "3h3d2c2s4h",
    "AhAdKcKsQh",
    "2h2d2c4s3h",
    "AhAdAcKsQh",
    "5h4d3c2sAh",
    "6h5d4c3s2h",
    "AhKdQcJsTh",
    "7h5h4h3h2h",
    "AhKhQhJh9h",
    "2h2d2c3s3h",
    "AhAdAcKsKh",
    "2h2d2c2s3h",
    "AhAdAcAsKh",
    "5h4h3h2hAh",
    "AhKhQhJhTh",
]


def test_ranks_are_in_the_order_of_categories():
    ranks = [rank(hand) for hand in LADDER]
    assert ranks == sorted(set(ranks))
    assert [value >> 12 for value in ranks] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]
    assert ranks[0] == 1 << 12  # dense from 0 in each category
    assert ranks[-1] == (9 << 12) + 9


@pytest.mark.parametrize("k", [5, 6, 7])
def test_the_order_of_hands_is_that_of_the_rules(k):
    hands = deals(400, k, seed=k)
    fast, slow = rank(hands), [slow_rank(hand.tolist()) for hand in hands]
    for i in range(1, len(hands)):
        assert (fast[i] > fast[i - 1]) == (slow[i] > slow[i - 1])
        assert (fast[i] == fast[i - 1]) == (slow[i] == slow[i - 1])
        assert fast[i] >> 12 == slow[i][0]


def test_ranks_agree_with_phevaluator():
    phevaluator = pytest.importorskip("phevaluator")
    hands = deals(3000, 7, seed=1)
    theirs = np.array([phevaluator.evaluate_cards(*map(int, hand)) for hand in hands])  # lower wins
    _, ours_dense = np.unique(rank(hands), return_inverse=True)
    _, theirs_dense = np.unique(-theirs, return_inverse=True)
    np.testing.assert_array_equal(ours_dense, theirs_dense)


def test_every_form_of_a_hand_has_the_same_rank():
    hand = "AhKhQhJhTh2c3d"
    expected = rank(hand)
    assert isinstance(expected, int)
    assert rank(cards(hand)) == rank(cards(hand).tolist()) == rank(cards(hand)[::-1]) == expected
    assert rank(cards(hand).astype(np.int64)[None]).tolist() == [expected]
    assert rank([cards(hand).tolist()] * 3).tolist() == [expected] * 3
    assert rank(np.empty((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_one_hand_and_many_agree_on_every_level(k):
    hands = deals(1000, k, seed=10 + k)
    each = [rank(hand.tolist()) for hand in hands]
    for level in simd.AVAILABLE:
        with simd.use(level):
            assert rank(hands).tolist() == each
            assert rank(hands[::-1]).tolist() == each[::-1]


@pytest.mark.parametrize("level", simd.AVAILABLE)
@pytest.mark.parametrize("row", [0, 63, 64, 499])
def test_every_level_names_the_first_invalid_row(level, row):
    hands = deals(500, 7, seed=3)
    hands[row, 6] = hands[row, 1]
    hands[row + 1 :, 0] = 52
    with simd.use(level), pytest.raises(CardError, match=f"duplicate card .* in row {row} of cards"):
        rank(hands)


def test_every_notation_of_cards_is_accepted():
    hand = "AhKhQhJhTh2c3d"
    assert {
        rank(form) for form in (hand, hand.lower(), "hA Kh, Qh Jh 10h 2c 3d", tuple(cards(hand).tolist()))
    } == {rank(cards(hand))}


@pytest.mark.parametrize(
    ("k", "counts"),
    [
        (5, [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]),
        (6, [1844, 14664, 165984, 205792, 361620, 732160, 2532816, 9730740, 6612900]),
        (7, [41584, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460]),
    ],
)
def test_the_census_of_all_hands(k, counts):
    assert list(census(k)) == counts[::-1]


def test_a_census_of_other_hands_is_refused():
    with pytest.raises(CardError, match="5 to 7"):
        census(4)


def test_permuting_suits_changes_nothing():
    hands = deals(2000, 7, seed=2)
    for suits in ([1, 2, 3, 0], [3, 2, 1, 0], [0, 2, 1, 3]):
        permuted = hands // 4 * 4 + np.array(suits, np.uint8)[hands % 4]
        np.testing.assert_array_equal(rank(permuted), rank(hands))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("AhKhQhJhXh", "column 9"),
        ("AhKhQhJhAh", "duplicate card 'Ah'"),
        ([0, 1, 2, 3, 3], "2c2d2h2s2s"),
        ("AhKhQhJh", "5 to 7"),
        ("AhKhQhJhT", "column 9"),
        ("AhKhQhJhTé", "column 9"),
        ([0, 1, 2, 3, -4], "0..51"),
        ([0, 1, 2, 3, 2**70], str(2**70)),
        (None, "expected text or card ids, got None"),
        (5, "expected text or card ids, got 5"),
        ([[0, 1, 2, 3, 4], [5]], r"got \[\[0, 1, 2, 3, 4\], \[5\]\]"),
        ([0, 1, 2, None, 4], "got .*None"),
        (["Ah", "Kd", "Qs", "7d", "2c"], "got .*'Ah'"),
        ([0, 1, 2, 3, 52], "0..51"),
        ([[0, 1, 2, 3, 300]], "0..51"),
        ([[0, 1, 2, 3, -1]], "0..51"),
        ([[0, 1, 2, 3, 4.5]], "whole ids"),
        ([[0, 1, 2]], r"\(n, 5..7\)"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], np.uint8), "duplicate card '2s' in row 1"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 64]], np.uint8), "card id 64 in row 1"),
        (np.zeros((2, 5, 5), int), "shape"),
    ],
)
def test_an_invalid_hand_is_refused(wrong, message):
    with pytest.raises(CardError, match=message):
        rank(wrong)


@pytest.mark.parametrize("board", ["Ah7h2h", "9c8c7d6s", "KsKdKh2c2d"])
def test_all_holdings_of_a_board_are_ranked_as_hands(board):
    table = cards(board).tolist()
    found = rank_holdings(board)
    for holding, pair in enumerate(HOLDINGS.tolist()):
        expected = 0 if set(pair) & set(table) else rank([*pair, *table])
        assert found[holding] == expected
    assert (rank_holdings(tuple(table)) == found).all()


def test_a_board_of_two_cards_has_no_ranks():
    with pytest.raises(CardError, match="3 or 4 or 5"):
        rank_holdings("AhKh")


@pytest.mark.slow
@pytest.mark.parametrize("walk", ["all6", "all7"])
def test_every_hand_of_the_deck_is_ranked_by_the_rules(walk, tmp_path):
    """Compiles the C test and checks all hands of six and of seven cards against the rules."""
    program = tmp_path / "test_rank"
    sources = [
        ROOT / "csrc" / part
        for part in (
            "tests/test_rank.c",
            "src/rank.c",
            "src/rank_tables.c",
            "src/seven_ranks.c",
            "src/simd.c",
        )
    ]
    build = ["cc", "-std=c11", "-O2", "-I", ROOT / "csrc/include", "-o", program, *sources]
    subprocess.run(build, check=True)
    subprocess.run([program, walk], check=True)


def test_no_more_cards_are_read_than_show_that_they_are_too_many():
    with pytest.raises(CardError, match=r"expected 5 to 7 in a row, or rows of them, got shape \(8,\)"):
        rank(range(10**12))
