"""Strength and potential of one holding beside the definition, in exact fractions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import strength as reference

from baycarp.card import HOLDINGS, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.kernels.strength import expected_strength, strength

SPOTS = [  # cards on the board, cards ahead, live holdings in the range
    (3, 0, 1326),
    (3, 1, 60),
    (3, 2, 5),
    (4, 1, 80),
    (5, 0, 1326),
]


def deal(rng, board):
    ids = rng.permutation(52)[: 2 + board].astype(np.uint8)
    return ids[:2], ids[2:]


def whole_weights(rng, holdings):
    weights = np.zeros(1326)
    weights[rng.permutation(1326)[:holdings]] = rng.integers(1, 256, holdings)
    return weights


@pytest.mark.parametrize(("board", "ahead", "holdings"), SPOTS)
@pytest.mark.parametrize("seed", range(3))
def test_beside_the_definition(board, ahead, holdings, seed):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, board)
    weights = whole_weights(rng, holdings)
    found = strength(hole, table, weights, ahead)
    assert found == tuple(map(float, reference.strength(hole, table, weights, ahead)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whole_ranges_beside_the_definition(seed):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, 3)
    weights = whole_weights(rng, 1326)
    expected = reference.strength(hole, table, weights, 1)
    assert strength(hole, table, weights, 1) == tuple(map(float, expected))


@pytest.mark.parametrize("board", [4, 5])
def test_expected_strength_beside_the_definition(board):
    hole, table = deal(np.random.default_rng(board), board)
    expected = map(float, reference.expected_strength(hole, table))
    assert expected_strength(hole, table) == pytest.approx(tuple(expected), rel=1e-14)


def mix_suits(ids, suits):
    return [int(card) // 4 * 4 + suits[card % 4] for card in ids]


@given(st.integers(0, 2**32), st.permutations(range(4)), st.integers(3, 5))
@settings(max_examples=20, deadline=None)
def test_suits_have_no_order(seed, suits, board):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, board)
    weights, mixed = whole_weights(rng, 1326), np.empty(1326)
    for pair, weight in zip(HOLDINGS, weights, strict=True):
        mixed[holding_index(*mix_suits(pair, suits))] = weight
    assert strength(hole, table, weights, 1) == strength(
        mix_suits(hole, suits), mix_suits(table, suits), mixed, 1
    )


@given(st.integers(0, 2**32), st.integers(-8, 8))
@settings(max_examples=20, deadline=None)
def test_only_proportions_count(seed, power):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, 4)
    weights = rng.random(1326)
    assert strength(hole, table, weights) == strength(hole, table, weights * 2.0**power)


def test_clashing_holdings_do_not_count():
    blocked = np.isin(HOLDINGS, [49, 40, 6, 8, 38]).any(axis=1).astype(float)
    assert blocked.sum() == 1326 - 1081
    assert strength("AdQc", "3h4cJh", 1 + 9 * blocked) == strength("AdQc", "3h4cJh")
    with pytest.raises(RangeError, match="no holding is left beside the known cards AdQc3h4cJh"):
        strength("AdQc", "3h4cJh", blocked)


def test_outs():
    """Eight cards make the straight, six more the flush: of the diamonds one is an ace's."""
    aces = np.zeros(1326)
    aces[holding_index(48, 49)] = 1
    assert strength("8d7d", "9d6c2d", aces, ahead=1) == (0, 14 / 45, 0)


def test_look_ahead_is_no_longer_than_the_hand():
    assert strength("AdQc", "3h4cJh9d", ahead=2) == strength("AdQc", "3h4cJh9d", ahead=1)
    assert strength("AdQc", "3h4cJh9d2s", ahead=2)[1:] == (0, 0)
    assert strength("AdQc", "3h4cJh", ahead=0) == (strength("AdQc", "3h4cJh", ahead=1)[0], 0, 0)


def test_read_only_and_foreign_arrays_pass():
    weights = np.ones(1326)
    weights.flags.writeable = False
    uniform = strength("AdQc", "3h4cJh", ahead=1)
    assert strength("AdQc", "3h4cJh", weights, ahead=1) == uniform
    assert strength("AdQc", "3h4cJh", np.ones(2652, np.float32)[::2], ahead=1) == uniform
    assert strength([49, 40], np.array([6, 8, 38]), [1] * 1326, ahead=1) == uniform


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(169), r"expected 1326 numbers, got shape \(169,\)"),
        (np.ones((2, 1326)), r"got shape \(2, 1326\)"),
        (np.full(1326, "1"), "got shape .* of <U1"),
        (np.append(np.ones(1325), -0.5), "weight -0.5 at 1325"),
        (np.append(np.nan, np.ones(1325)), "weight nan at 0"),
        (np.append(np.inf, np.ones(1325)), "weight inf at 0"),
        (np.zeros(1326), "no holding is left"),
    ],
)
def test_what_is_no_range_is_refused(weights, message):
    with pytest.raises(RangeError, match=message):
        strength("AdQc", "3h4cJh", weights)


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ad", "3h4cJh", "hole 'Ad': expected 2 cards, got 1"),
        ("AdQc", "3h4c", "board '3h4c': expected 3 or 4 or 5 cards, got 2"),
        ("AdQc", "3h4cAd", "duplicate card 'Ad' in hole and board"),
        ("AdQx", "3h4cJh", "unknown card at column 3"),
    ],
)
def test_wrong_cards_are_refused(hole, board, message):
    with pytest.raises(CardError, match=message):
        strength(hole, board)
    with pytest.raises(CardError, match=message):
        expected_strength(hole, board)


def test_the_look_ahead_is_checked():
    with pytest.raises(ValueError, match="ahead: expected 0, 1 or 2 cards, got 3"):
        strength("AdQc", "3h4cJh", ahead=3)
