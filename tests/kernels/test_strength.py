"""Strength and potential of a holding against the definition, in exact fractions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import strength as reference
from reference.kernels import naive_expected_strength, naive_strength

from baycarp import evaluation
from baycarp.card import HOLDINGS, as_cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.kernels import simd
from baycarp.kernels.strength import expected_strength, known_cards, strength, strengths

SPOTS = [  # cards on the board, cards ahead, unblocked holdings in the range
    (3, 0, 1326),
    (3, 1, 60),
    (3, 2, 5),
    (4, 1, 80),
    (5, 0, 1326),
]


STREETS = [(3, 2), (3, 1), (3, 0), (4, 1), (4, 0), (5, 0)]  # cards on the board, cards ahead


@pytest.fixture(params=simd.AVAILABLE)
def level(request):
    with simd.use(request.param):
        yield request.param


def deal(rng, board, suits=4):
    """Few suits give many flushes."""
    deck = np.arange(52)[np.arange(52) % 4 < suits]
    ids = rng.permutation(deck)[: 2 + board].astype(np.uint8)
    return ids[:2], ids[2:]


def whole_weights(rng, holdings):
    weights = np.zeros(1326)
    weights[rng.permutation(1326)[:holdings]] = rng.integers(1, 256, holdings)
    return weights


@pytest.mark.parametrize(("board", "ahead", "holdings"), SPOTS)
@pytest.mark.parametrize("seed", range(3))
def test_strength_equals_the_definition(board, ahead, holdings, seed):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, board)
    weights = whole_weights(rng, holdings)
    expected = tuple(map(float, reference.strength(hole, table, weights, ahead)))
    assert strength(hole, table, weights, ahead) == expected
    assert naive_strength(hole, table, weights, ahead) == expected
    assert naive_strength(hole, table, weights, ahead, shared=True) == expected


def spot_and_range(rng, board, suits):
    """A range of a few to all holdings."""
    hole, table = deal(rng, board, suits)
    return hole, table, whole_weights(rng, 1326 // rng.integers(1, 20))


@pytest.mark.parametrize(("board", "ahead"), STREETS)
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_every_form_equals_the_loop(level, board, ahead, suits):
    rng = np.random.default_rng(10 * board + suits)
    for _ in range(3):
        spot = spot_and_range(rng, board, suits)
        assert strength(*spot, ahead) == naive_strength(*spot, ahead)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "ahead"), STREETS)
def test_random_situations_equal_the_loop(level, board, ahead):
    rng = np.random.default_rng(board)
    for number in range(800):
        spot = spot_and_range(rng, board, 1 + number % 4)
        assert strength(*spot, ahead) == naive_strength(*spot, ahead, shared=True)


@pytest.mark.slow
def test_random_ranges_equal_the_loop(level):
    rng = np.random.default_rng(2000)
    for _ in range(2000):
        spot = spot_and_range(rng, 3, 4)
        assert strength(*spot) == naive_strength(*spot, shared=True)


@pytest.mark.parametrize(("board", "ahead"), STREETS)
def test_any_weights_have_the_same_bits_in_every_form(board, ahead):
    """Weights are never subtracted, so the loop differs only in the order of additions."""
    rng = np.random.default_rng(board + ahead)
    hole, table = deal(rng, board, 2)
    weights = rng.random(1326) * 2.0 ** -rng.integers(0, 60, 1326)
    found = set()
    for name in simd.AVAILABLE:
        with simd.use(name):
            found.add(strength(hole, table, weights, ahead))
    assert len(found) == 1
    assert found.pop() == pytest.approx(naive_strength(hole, table, weights, ahead), rel=1e-13, abs=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_wide_ranges_equal_the_definition(seed):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, 3)
    weights = whole_weights(rng, 1326)
    expected = reference.strength(hole, table, weights, 1)
    assert strength(hole, table, weights, 1) == tuple(map(float, expected))


@pytest.mark.parametrize("board", [4, 5])
def test_expected_strength_equals_the_definition(board):
    hole, table = deal(np.random.default_rng(board), board)
    expected = tuple(map(float, reference.expected_strength(hole, table)))
    assert expected_strength(hole, table) == pytest.approx(expected, rel=1e-14)
    assert naive_expected_strength(hole, table) == pytest.approx(expected, rel=1e-14)


def check_expected_strength(board, suits, spots):
    rng = np.random.default_rng(10 * board + suits)
    for _ in range(spots):
        spot = deal(rng, board, suits)
        assert expected_strength(*spot) == naive_expected_strength(*spot)


@pytest.mark.parametrize("board", [3, 4, 5])
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_expected_strength_equals_the_loop(level, board, suits):
    check_expected_strength(board, suits, spots=5)


@pytest.mark.slow
@pytest.mark.parametrize("board", [3, 4, 5])
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_expected_strength_of_random_situations_equals_the_loop(level, board, suits):
    check_expected_strength(board, suits, spots=200)


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
    assert strength(hole, table, weights) == strength(mix_suits(hole, suits), mix_suits(table, suits), mixed)
    mixed_spot = mix_suits(hole, suits), mix_suits(table, suits)
    assert expected_strength(hole, table) == expected_strength(*mixed_spot)


@given(st.integers(0, 2**32), st.integers(-8, 8))
@settings(max_examples=20, deadline=None)
def test_strength_depends_on_proportions_alone(seed, power):
    rng = np.random.default_rng(seed)
    hole, table = deal(rng, 4)
    weights = rng.random(1326)
    assert strength(hole, table, weights) == strength(hole, table, weights * 2.0**power)


@given(st.integers(0, 2**32), st.integers(1, 2**20), st.integers(3, 5))
@settings(max_examples=20, deadline=None)
def test_integer_weights_scale_exactly(seed, factor, board):
    spot = spot_and_range(np.random.default_rng(seed), board, 4)
    assert strength(*spot[:2], factor * spot[2]) == strength(*spot)


@given(st.integers(0, 2**32), st.integers(3, 5))
@settings(max_examples=20, deadline=None)
def test_a_known_card_blocks_its_holdings_and_no_others(seed, board):
    rng = np.random.default_rng(seed)
    hole, table, weights = spot_and_range(rng, board, 4)
    blocked = np.isin(HOLDINGS, [*hole, *table]).any(axis=1)
    assert strength(hole, table, np.where(blocked, 1000, weights)) == strength(hole, table, weights)
    each = np.eye(1326)[rng.permutation(1326)[:30]]
    for one, index in zip(each, each.argmax(axis=1), strict=True):
        if blocked[index]:
            with pytest.raises(RangeError, match="no holding is left"):
                strength(hole, table, one)
        else:
            assert strength(hole, table, one)[0] in (0, 0.5, 1)


def test_holdings_with_known_cards_do_not_count():
    blocked = np.isin(HOLDINGS, [49, 40, 6, 8, 38]).any(axis=1).astype(float)
    assert blocked.sum() == 1326 - 1081
    assert strength("AdQc", "3h4cJh", 1 + 9 * blocked) == strength("AdQc", "3h4cJh")
    with pytest.raises(RangeError, match="no holding is left beside the known cards AdQc3h4cJh"):
        strength("AdQc", "3h4cJh", blocked)


def test_potential_counts_the_outs():
    """Eight cards give the straight, six more the flush: the opponent's ace holds one of the diamonds."""
    aces = np.zeros(1326)
    aces[holding_index(48, 49)] = 1
    assert strength("8d7d", "9d6c2d", aces, ahead=1) == (0, 14 / 45, 0)


def test_look_ahead_is_limited_to_the_cards_to_come():
    assert strength("AdQc", "3h4cJh9d", ahead=2) == strength("AdQc", "3h4cJh9d", ahead=1)
    assert strength("AdQc", "3h4cJh9d2s", ahead=2)[1:] == (0, 0)
    assert strength("AdQc", "3h4cJh", ahead=0) == (strength("AdQc", "3h4cJh", ahead=1)[0], 0, 0)


def test_read_only_and_foreign_arrays_are_accepted():
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
def test_an_invalid_range_is_refused(weights, message):
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
def test_invalid_cards_are_refused(hole, board, message):
    with pytest.raises(CardError, match=message):
        strength(hole, board)
    with pytest.raises(CardError, match=message):
        expected_strength(hole, board)


def test_the_look_ahead_is_checked():
    with pytest.raises(ValueError, match=r"ahead: expected 0\.\.2, got 3"):
        strength("AdQc", "3h4cJh", ahead=3)


def test_known_cards_equals_as_cards():
    for cards in ("Qs7d2cTc9h", "", "10h 9c 2d", "qs7D2C", "H4,h5,H6", [0, 1, 2]):
        assert list(known_cards(cards, "board", (0, 3, 5))) == as_cards(cards).tolist()
    for wrong in ("QsQs2c", "QsQx2c", "Qs7", "Qs7d", "Qs7é2c", "Qs7d2cTc9hAhAd"):
        with pytest.raises(CardError) as expected:
            as_cards(wrong, "board", (0, 3, 5))
        with pytest.raises(CardError) as found:
            known_cards(wrong, "board", (0, 3, 5))
        assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(("board", "ahead"), STREETS)
def test_several_ranges_are_each_measured_alone(level, board, ahead):
    rng = np.random.default_rng(board + ahead)
    hole, table = deal(rng, board)
    ranges = [whole_weights(rng, holdings) for holdings in (1326, 400, 90)]
    expected = [strength(hole, table, each, ahead) for each in ranges]
    assert strengths(hole, table, ranges, ahead) == expected
    assert strengths(hole, table, np.stack(ranges), ahead) == expected  # its rows are new objects each time


def test_the_blocked_range_of_several_is_numbered():
    free, blocked = np.ones(1326), np.zeros(1326)
    blocked[holding_index(0, 1)] = 1
    with pytest.raises(RangeError, match="range 3: no holding is left"):
        strengths([0, 5], [10, 20, 30], [free, free, blocked])
    ranges = [free * number for number in range(1, 20)]
    assert strengths([0, 5], [10, 20, 30], [*ranges, blocked * 0 + free, *ranges[::-1]]) == [
        strength([0, 5], [10, 20, 30], each) for each in [*ranges, free, *ranges[::-1]]
    ]
    assert evaluation.strength([0, 5], [10, 20, 30], *ranges)[1:] == pytest.approx(
        strength([0, 5], [10, 20, 30])[1:]
    )
