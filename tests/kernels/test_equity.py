"""All-in equity against the definition and against other programs."""

import _thread
import itertools
import signal
import threading

import numpy as np
import pytest
from reference import strength as reference
from reference.kernels import naive_equity

from baycarp import evaluation
from baycarp.card import DECK, HOLDINGS, as_cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.kernels import simd
from baycarp.kernels.strength import equity, expected_strength, holding_equity


def only(*holdings):
    weights = np.zeros(1326)
    for holding in holdings:
        weights[holding_index(*map(int, as_cards(holding)))] = 1
    return weights


def drawn(rng, holdings, board):
    live = np.flatnonzero(~np.isin(HOLDINGS, board).any(axis=1))
    weights = np.zeros(1326)
    weights[rng.permutation(live)[:holdings]] = rng.integers(1, 64, min(holdings, len(live)))
    return weights


@pytest.mark.parametrize(
    ("board", "mine", "theirs"), [(5, 1, 1326), (5, 60, 400), (4, 30, 30), (4, 1, 80), (3, 3, 3), (3, 1, 9)]
)
@pytest.mark.parametrize("seed", range(2))
def test_equity_equals_the_definition(board, mine, theirs, seed):
    rng = np.random.default_rng(seed)
    table = rng.permutation(52)[:board]
    a, b = drawn(rng, mine, table), drawn(rng, theirs, table)
    assert equity(a, b, table) == pytest.approx(float(reference.equity(a, b, table.tolist())), rel=1e-14)


def test_equity_against_any_holding_equals_other_programs():
    """AhKd on Qs7d2c: eval7 0.5564671, OMPEval 0.556467."""
    found = equity(only("AhKd"), np.ones(1326), "Qs7d2c")
    assert found == pytest.approx(0.5564671, abs=5e-8)
    assert found == pytest.approx(expected_strength("AhKd", "Qs7d2c")[0], rel=1e-14)


def test_preflop_equity_equals_eval7():
    """Eval7 counts 1,388,072 boards won and 6,538 tied of 1,712,304."""
    assert equity(only("AhAd"), only("KsKc")) == (1388072 + 6538 / 2) / 1712304


@pytest.mark.slow
def test_preflop_equity_equals_phevaluator():
    rank = pytest.importorskip("phevaluator").evaluate_cards  # lower is better
    rest = [card for card in DECK if card not in ("Ah", "Kh", "Qs", "Qd")]
    halves = 0
    for table in itertools.combinations(rest, 5):
        ours, theirs = rank("Ah", "Kh", *table), rank("Qs", "Qd", *table)
        halves += (ours < theirs) + (ours <= theirs)
    assert equity(only("AhKh"), only("QsQd")) == halves / 2 / 1712304


@pytest.mark.parametrize("board", [3, 4, 5])
def test_the_two_shares_sum_to_1(board):
    rng = np.random.default_rng(board)
    a, b, table = rng.random(1326), rng.random(1326), rng.permutation(52)[:board]
    assert equity(a, b, table) + equity(b, a, table) == pytest.approx(1, abs=1e-13)
    assert equity(a, a, table) == pytest.approx(0.5, abs=1e-13)


@pytest.mark.parametrize("board", [3, 4, 5])
@pytest.mark.parametrize("share", [1.0, 0.02, 0.004])
def test_the_equity_of_a_holding_equals_the_definition(board, share):
    rng = np.random.default_rng(board)
    for _ in range(3):
        cards = [DECK[card] for card in rng.permutation(52)[: 2 + board]]
        weights = rng.random(1326) * (rng.random(1326) < share)
        weights[holding_index(*rng.permutation(52)[:2])] += 1  # small ranges, too, have a holding
        hole, table = "".join(cards[:2]), "".join(cards[2:])
        try:
            expected = equity(only(hole), weights, table)
        except RangeError:
            with pytest.raises(RangeError, match="weights: no holding is left beside"):
                holding_equity(hole, table, weights)
            continue
        assert holding_equity(hole, table, weights) == pytest.approx(expected, rel=1e-13, abs=1e-15)
        assert holding_equity(hole, table, weights * 1e-300) == pytest.approx(expected, rel=1e-9)
        assert evaluation.equity(hole, weights, table) + evaluation.equity(weights, hole, table) == 1


def test_a_blocker_removes_exactly_its_pairs():
    """A blocked king leaves aces one of three holdings of kings, and a blocked card one of two sets."""
    kings = only("KsKc", "KsKd", "KcKd")
    board = "2h7h9d"
    alone = equity(only("AhKs"), only("KcKd"), board)
    assert equity(only("AhKs"), kings, board) == alone
    heavier = kings + 9 * only("KsKc") + 9 * only("KsKd")
    assert equity(only("AhKs"), heavier, board) == alone


def test_a_mixture_is_the_mean_of_its_holdings():
    board = "2h7h9d3c"
    aces, queens, nines = only("AhAd"), only("QsQd"), only("9s9c")
    mean = (3 * equity(aces, nines, board) + equity(queens, nines, board)) / 4
    assert equity(3 * aces + queens, nines, board) == pytest.approx(mean, rel=1e-14)


@pytest.mark.parametrize("board", ["AhKhQh", "AhKhQh2c", "AhKhQh2c3d"])
def test_a_hand_that_cannot_lose_leaves_no_equity(board):
    rng, royal = np.random.default_rng(1), "JhTh"
    for _ in range(20):
        weights = np.ldexp(rng.random(1326), rng.integers(-128, 128, 1326)) * rng.integers(0, 2, 1326)
        assert 0 <= evaluation.equity(weights, royal, board) <= 1e-12
        assert 1 - 1e-12 <= evaluation.equity(royal, weights, board) <= 1


@pytest.mark.parametrize("board", ["AhKhQhJh", "AhKhQhJh2c"])
def test_a_range_that_cannot_lose_wins_everything_and_no_more(board):
    rng, (ten,) = np.random.default_rng(2), as_cards("Th")
    royal = np.isin(HOLDINGS, ten).any(axis=1)
    for _ in range(50):
        weights = np.ldexp(rng.random(1326), rng.integers(-60, 60, 1326)) * rng.integers(0, 2, 1326)
        ours, theirs = np.where(royal, weights, 0.0), np.where(royal, 0.0, weights)
        assert 1 - 1e-12 <= equity(ours, theirs, board) <= 1
        assert 0 <= equity(theirs, ours, board) <= 1e-12


def test_a_royal_flush_on_the_board_is_shared():
    assert equity(only("2c2d"), only("AcAd"), "AhKhQhJhTh") == 0.5


@pytest.mark.parametrize(
    ("a", "b", "board"),
    [
        (only("AhAd"), only("AhKs"), ""),
        (only("AhAd"), only("AhKs"), "2c3c4c"),
        (only("AhAd"), only("KsKc"), "AhKd2c"),
        (np.zeros(1326), np.ones(1326), "2c3c4c"),
    ],
)
def test_ranges_without_a_compatible_pair_are_refused(a, b, board):
    with pytest.raises(RangeError, match="no two holdings are left that can meet"):
        equity(a, b, board)


@pytest.mark.slow
def test_wide_ranges_without_a_board_can_be_interrupted():
    """Two non-uniform ranges take seconds; Ctrl-C stops the call earlier."""
    uneven = np.random.default_rng(1).random(1326)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent process may ignore it
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            equity(uneven, uneven)
    finally:
        signal.signal(signal.SIGINT, before)


def naive(a, b, board):
    won, total = naive_equity(a, b, board)
    return won / total


@pytest.mark.parametrize("name", simd.AVAILABLE)
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_level_gives_the_same_bits(name, cards):
    rng = np.random.default_rng(cards)
    table = rng.permutation(52)[:cards]
    a, b = drawn(rng, 12, table), drawn(rng, 1326, table)
    with simd.use(name):
        assert equity(a, b, table) == naive(a, b, table)


@pytest.mark.parametrize("board", ["Qs7d2c", "9h6c2h", "Qh9h4h", "8c8d8h", "8c8d8h8s"])
def test_wide_ranges_equal_the_definition(board):
    """Weights independent of suits give twin suits."""
    ranks = np.arange(1326) % 7 + HOLDINGS.min(axis=1) // 4
    by_rank = 1.0 + HOLDINGS.max(axis=1) // 4 * 13 + HOLDINGS.min(axis=1) // 4
    hero = drawn(np.random.default_rng(3), 9, as_cards(board))
    for a, b in ((hero, by_rank), (hero, ranks.astype(float))):
        assert equity(a, b, board) == naive(a, b, board)
    swapped = 1.0 + HOLDINGS.min(axis=1) // 4 * 13
    assert equity(by_rank, swapped, board) + equity(swapped, by_rank, board) == pytest.approx(1, abs=1e-14)


@pytest.mark.slow
def test_preflop_equity_of_wide_ranges():
    """Two aces against any two cards, in both orders; a range against itself has a share of a half."""
    aces = (HOLDINGS // 4 == 12).all(axis=1).astype(float)
    assert equity(aces, np.ones(1326)) == pytest.approx(0.852037, abs=1e-6)
    assert equity(np.ones(1326), aces) == pytest.approx(1 - 0.852037, abs=1e-6)
    assert equity(np.ones(1326), np.ones(1326)) == 0.5
    assert equity(only("AhKd"), np.ones(1326)) == pytest.approx(0.653200, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_equity_has_the_bits_of_the_naive_enumeration(cards):
    for seed in range(600):
        rng = np.random.default_rng([cards, seed])
        table = rng.permutation(52)[:cards]
        a, b = drawn(rng, int(rng.integers(1, 40)), table), drawn(rng, int(rng.integers(1, 1326)), table)
        if naive_equity(a, b, table)[1]:
            assert equity(a, b, table) == naive(a, b, table)


def test_invalid_input_is_refused():
    with pytest.raises(CardError, match="expected 0 or 3 or 4 or 5 cards, got 2"):
        equity(only("AhAd"), only("KsKc"), "2c3c")
    with pytest.raises(RangeError, match=r"b: weight -1\.0 at 0"):
        equity(only("AhAd"), -np.ones(1326), "2c3c4c")
