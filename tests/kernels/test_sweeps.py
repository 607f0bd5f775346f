"""Sweeps against single holdings, against the definition, and under permutations of suits."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import strength as reference
from reference.kernels import naive_sweep, naive_sweep_expected

from baycarp import evaluation
from baycarp.card import HOLDINGS, as_cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.kernels import simd
from baycarp.kernels.hands import rank
from baycarp.kernels.sweeps import share, sweep, sweep_expected, sweep_expected_batch, sweep_potential

SHARING = (HOLDINGS[:, None, :, None] == HOLDINGS[None, :, None, :]).any(axis=(2, 3))
"""Whether two holdings have a card in common."""


def deal(seed, cards):
    rng = np.random.default_rng(seed)
    return rng, rng.permutation(52)[:cards].astype(np.uint8)


def whole_weights(rng, share):
    return np.where(rng.random(1326) < share, rng.integers(1, 1000, 1326), 0).astype(float)


def blocked(board):
    return np.isin(HOLDINGS, as_cards(board)).any(axis=1)


def one_by_one(board, weights):
    """Strength of each holding alone; nan without strength."""
    found = np.full(1326, np.nan)
    for index in np.flatnonzero(~blocked(board)):
        try:
            found[index] = evaluation.hand_strength(HOLDINGS[index], board, weights)
        except RangeError:
            assert not weights[~blocked(board) & ~SHARING[index]].any()
    return found


@pytest.mark.parametrize("cards", [3, 4, 5])
@pytest.mark.parametrize("live", [1.0, 0.3, 0.002])
def test_strength_equals_that_of_single_holdings(cards, live):
    rng, board = deal(cards, cards)
    weights = whole_weights(rng, live)
    assert np.array_equal(sweep(board, weights), one_by_one(board, weights), equal_nan=True)
    assert np.array_equal(sweep(board), one_by_one(board, np.ones(1326)), equal_nan=True)


def test_any_weights_are_accepted():
    """The weights of a posterior are not integers: the other kernel rounds sums."""
    rng, board = deal(0, 3)
    weights = rng.random(1326) ** 8
    assert sweep(board, weights) == pytest.approx(one_by_one(board, weights), rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_strength_equals_the_definition(cards):
    rng, board = deal(10 + cards, cards)
    weights = whole_weights(rng, 0.5)
    hs = sweep(board, weights)
    for index in rng.choice(np.flatnonzero(~blocked(board)), 5, replace=False):
        assert hs[index] == float(reference.strength(HOLDINGS[index], board, weights, 0)[0])


@pytest.mark.parametrize("cards", [3, 4])
def test_potential_equals_that_of_single_holdings(cards):
    _, board = deal(20 + cards, cards)
    found = np.transpose(sweep_potential(board))
    assert np.array_equal(np.isnan(found).all(axis=1), blocked(board))
    assert np.array_equal(found[:, 0], sweep(board), equal_nan=True)
    for index in np.flatnonzero(~blocked(board)):
        assert tuple(found[index]) == evaluation.strength(HOLDINGS[index], board, ahead=1)


def test_potential_equals_the_definition():
    _, (*hole, a, b, c, d) = deal(30, 6)
    found = [figure[holding_index(*hole)] for figure in sweep_potential([a, b, c, d])]
    assert found == list(map(float, reference.strength(hole, [a, b, c, d], [1] * 1326, 1)))


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [("AdQc", "3h4cJh", (0.5851, 0.1083, 0.1454)), ("8d7d", "9d6c2d", (0.1152, 0.4077, 0.0750))],
)
def test_examples_of_papp(hole, board, expected):
    """Papp (1998), sections 5.2 and 5.3, one card ahead."""
    index = holding_index(*map(int, as_cards(hole)))
    assert [figure[index] for figure in sweep_potential(board)] == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("board", ["Qs7d2c", "Qs7d2cTc", "Qs7d2cTc9h"])
def test_expected_strength_equals_that_of_single_holdings(board):
    means, squares = sweep_expected(board)
    assert np.array_equal(np.isnan(means), blocked(board))
    assert np.array_equal(np.isnan(squares), blocked(board))
    for index in np.flatnonzero(~blocked(board))[:: 300 if len(board) == 6 else 30]:
        alone = evaluation.expected_strength(HOLDINGS[index], board)
        assert (means[index], squares[index]) == pytest.approx(alone, rel=1e-12)


def test_expected_strength_on_the_river_is_strength():
    hs = sweep("Qs7d2cTc9h")
    means, squares = sweep_expected("Qs7d2cTc9h")
    assert np.array_equal(means, hs, equal_nan=True)
    assert squares == pytest.approx(hs * hs, rel=1e-15, nan_ok=True)


def all_alike(board):
    """E[HS] and E[HS^2] from integers: the rivals beaten, of 990, on each complete board, ties half."""
    sums, counts = np.zeros((2, 1326), object), np.zeros(1326, int)
    rest = np.setdiff1d(np.arange(52), board)
    for cards in itertools.combinations(rest.tolist(), 5 - len(board)):
        doubled = naive_sweep([*board, *cards], np.ones(1326)) * 2 * 990
        live = ~np.isnan(doubled)
        whole = np.rint(doubled[live]).astype(int).astype(object)
        assert np.allclose(doubled[live], whole.astype(float), rtol=0, atol=1e-9)
        sums[:, live] += whole, whole * whole
        counts += live
    with np.errstate(invalid="ignore"):
        boards = np.where(counts, counts, -1).astype(object)
        found = np.array([sums[0] / (1980 * boards), sums[1] / (1980 * 1980 * boards)], float)
    return np.where(counts, found, np.nan)


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_expected_strength_against_a_uniform_range_is_exact(cards):
    _, board = deal(60 + cards, cards)
    assert np.array_equal(sweep_expected(board), all_alike(board), equal_nan=True)


@pytest.mark.parametrize("cards", [3, 4, 5])
@pytest.mark.parametrize("live", [1.0, 0.3, 0.002])
def test_expected_strength_against_a_range(cards, live):
    """With narrow ranges some holdings have no rival, on some boards or on all."""
    rng, board = deal(70 + cards, cards)
    weights = whole_weights(rng, live)
    found = sweep_expected(board, weights)
    assert np.array_equal(found, naive_sweep_expected(board, weights), equal_nan=True)
    power = sweep_expected(board, weights * 2.0**-40)
    assert np.array_equal(found, power, equal_nan=True)


def test_expected_strength_equals_the_definition():
    """A holding on a turn board: the mean over the rivers of its strength against the range."""
    rng, board = deal(75, 4)
    weights = whole_weights(rng, 0.5)
    index = rng.choice(np.flatnonzero(~blocked(board)))
    rivers = np.setdiff1d(np.arange(52), [*board, *HOLDINGS[index]])
    each = [float(reference.strength(HOLDINGS[index], [*board, card], weights, 0)[0]) for card in rivers]
    means, squares = sweep_expected(board, weights)
    assert means[index] == pytest.approx(np.mean(each), abs=1e-12)
    assert squares[index] == pytest.approx(np.mean(np.square(each)), abs=1e-12)


@pytest.mark.parametrize("name", simd.AVAILABLE)
@pytest.mark.parametrize("board", ["Qs7d2c", "9h6c2h", "Qh9h4h", "8c8d8h"])
def test_every_level_gives_the_same_bits(name, board):
    weights = np.random.default_rng(9).random(1326)
    best = [sweep(board, weights), *sweep_expected(board), *sweep_expected(board, weights)]
    with simd.use(name):
        here = [sweep(board, weights), *sweep_expected(board), *sweep_expected(board, weights)]
    assert np.array_equal(here, best, equal_nan=True)


def test_many_boards_equal_single_boards():
    rng, _ = deal(80, 0)
    weights = rng.random(1326)
    boards = np.array([rng.permutation(52)[:4] for _ in range(5)], dtype=np.uint8)
    for against in (None, weights):
        together = sweep_expected_batch(boards, against)
        for row, board in enumerate(boards):
            alone = sweep_expected(board, against)
            assert np.array_equal([figure[row] for figure in together], alone, equal_nan=True)
    assert sweep_expected_batch(boards[:0])[0].shape == (0, 1326)


def test_invalid_boards_of_a_batch_are_refused():
    with pytest.raises(CardError, match=r"boards: expected shape \(n, 3\).* got \(3,\)"):
        sweep_expected_batch(np.array([1, 2, 3]))
    with pytest.raises(CardError, match="duplicate card '2d' in board"):
        sweep_expected_batch(np.array([[5, 9, 13], [1, 2, 1]]))
    with pytest.raises(CardError, match=r"card id 300 in board"):
        sweep_expected_batch(np.array([[5, 9, 300]]))
    with pytest.raises(CardError, match="expected 3 or 4 or 5 cards, got 0"):
        sweep_expected("", np.ones(1326))


@pytest.mark.slow
def test_expected_strength_before_the_flop():
    """Strength on the river, over all 2,598,960 boards; AhKh as in odds tables."""
    means, squares = sweep_expected("")
    assert np.ptp([means[holding_index(4 * 12 + suit, 4 * 11 + suit)] for suit in range(4)]) == 0
    assert means[holding_index(50, 46)] == pytest.approx(0.670446, abs=1e-6)
    assert np.nanmean(means) == pytest.approx(0.5, abs=1e-15)
    assert (squares >= means**2).all()


@pytest.mark.slow
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_sweeps_have_the_bits_of_the_naive_enumeration(cards):
    """More than 600 situations with two ranges each, 3,600 ranges in all."""
    for seed in range(600):
        rng, board = deal(1000 * cards + seed, cards)
        for live in (rng.random(), rng.random() ** 4):
            weights = whole_weights(rng, live)
            assert np.array_equal(sweep(board, weights), naive_sweep(board, weights), equal_nan=True)
        found = sweep_expected(board, weights)
        assert np.array_equal(found, naive_sweep_expected(board, weights), equal_nan=True)
        if seed % 50 == 0:
            assert np.array_equal(sweep_expected(board), all_alike(board), equal_nan=True)


def mixed(suits):
    """The place of each holding after a permutation of suits."""
    renamed = HOLDINGS // 4 * 4 + np.array(suits)[HOLDINGS % 4]
    return np.array([holding_index(*pair) for pair in renamed.tolist()])


def with_other_suits(seed, suits, cards):
    """A board and weights, the same after a permutation of suits, and the new place of each holding."""
    rng, board = deal(seed, cards)
    to, weights, moved = mixed(suits), rng.random(1326), np.empty(1326)
    moved[to] = weights
    return (board, weights), (board // 4 * 4 + np.array(suits)[board % 4], moved), to


@given(st.integers(0, 2**32), st.permutations(range(4)), st.integers(3, 5))
@settings(max_examples=30, deadline=None)
def test_suits_have_no_order(seed, suits, cards):
    (board, weights), (other, moved), to = with_other_suits(seed, suits, cards)
    assert np.array_equal(sweep(other, moved)[to], sweep(board, weights), equal_nan=True)


@given(st.integers(0, 2**32), st.permutations(range(4)), st.integers(3, 5))
@settings(max_examples=10, deadline=None)
def test_suits_have_no_order_in_expected_strength(seed, suits, cards):
    (board, weights), (other, moved), to = with_other_suits(seed, suits, cards)
    for here, there in ((None, None), (weights, moved)):
        found, same = sweep_expected(board, here), sweep_expected(other, there)
        assert np.array_equal(np.array(same)[:, to], found, equal_nan=True)


def test_twins_change_nothing():
    """Boards that differ by a swap of equivalent suits are computed once."""
    board = "Qh9h4h"
    high, low = HOLDINGS.max(axis=1), HOLDINGS.min(axis=1)
    weights = 1.0 + high // 4 * 13 + low // 4 + 100 * (high % 4 == low % 4)
    found = sweep_expected(board, weights)
    assert np.array_equal(found, naive_sweep_expected(board, weights), equal_nan=True)
    apart = weights + 2.0**-20 * (np.arange(1326) == holding_index(49, 1))
    assert sweep_expected(board, apart) == pytest.approx(np.array(found), abs=1e-7, nan_ok=True)


def test_suits_have_no_order_in_potentials():
    to = mixed([2, 0, 3, 1])  # c d h s to h c s d
    for here, there in zip(sweep_potential("9d6c2d"), sweep_potential("9c6h2c"), strict=True):
        assert np.array_equal(there[to], here, equal_nan=True)


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_a_blocker_removes_exactly_its_combinations(cards):
    """A range of one holding: the holdings with a strength are those that share no card with it."""
    rng, board = deal(40 + cards, cards)
    for lone in rng.choice(np.flatnonzero(~blocked(board)), 20, replace=False):
        hs = sweep(board, np.arange(1326) == lone)
        meets = ~blocked(board) & ~SHARING[lone]
        assert np.array_equal(~np.isnan(hs), meets)
        theirs = rank([*HOLDINGS[lone], *board])
        for index in np.flatnonzero(meets)[::20]:
            ours = rank([*HOLDINGS[index], *board])
            assert hs[index] == (0.5 if ours == theirs else ours > theirs)


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_a_blocked_range_gives_nan(seed):
    """Every holding of the range shares a card with ours: a rounding error must not count as weight."""
    rng, board = deal(seed, 4)
    ours = rng.choice(np.flatnonzero(~blocked(board)))
    hs = sweep(board, rng.random(1326) ** 3 * SHARING[ours])
    assert np.isnan(hs[ours])
    assert ((hs >= 0) & (hs <= 1) | np.isnan(hs)).all()
    assert np.isnan(sweep(board, np.zeros(1326))).all()


@pytest.mark.parametrize(("lesser", "counts"), [(2.0**-39, True), (2.0**-43, False)])
def test_a_very_small_weight_counts_as_0(lesser, counts):
    weights = np.zeros(1326)
    weights[holding_index(51, 3)] = 1  # As2s
    weights[holding_index(46, 42)] = lesser  # KhQh
    aces = sweep("3h4cJh", weights)[holding_index(51, 50)]  # their only rival is KhQh
    assert aces == 1 if counts else np.isnan(aces)


def test_sweeps_depend_on_proportions_alone():
    rng, board = deal(50, 3)
    weights = rng.random(1326)
    for power in (-1000, -40, 40, 900):
        assert np.array_equal(sweep(board, weights * 2.0**power), sweep(board, weights), equal_nan=True)


def test_without_weights_the_range_is_uniform():
    assert np.array_equal(sweep("3h4cJh"), sweep("3h4cJh", np.ones(1326)), equal_nan=True)


@pytest.mark.parametrize("measured", [sweep, sweep_expected, sweep_potential])
def test_invalid_boards_are_refused(measured):
    with pytest.raises(CardError, match=r"board '3h4c': expected (0 or )?3 or 4"):
        measured("3h4c")
    with pytest.raises(CardError, match="duplicate card '3h' in board"):
        measured("3h4c3h")
    with pytest.raises(CardError, match="card id 52 in board"):
        measured([52, 3, 7])


def test_potential_on_the_river_is_refused():
    with pytest.raises(CardError, match="board '3h4cJh9d2s': expected 3 or 4 cards, got 5"):
        sweep_potential("3h4cJh9d2s")


def test_an_invalid_range_is_refused():
    with pytest.raises(RangeError, match=r"weight -1\.0 at 7"):
        sweep("3h4cJh", -1.0 * (np.arange(1326) == 7))
    with pytest.raises(RangeError, match=r"expected 1326 numbers, got shape \(169,\)"):
        sweep("3h4cJh", np.ones(169))


@pytest.mark.parametrize(
    ("hole", "expected"), [("AsAh", 0.852037), ("AsKs", 0.670446), ("JhTh", 0.575281), ("3c2d", 0.323032)]
)
def test_share_equals_odds_tables(hole, expected):
    """Heads-up: exact figures over all 2,097,572,400 deals."""
    mean, error = share(hole, 2, 200_000, seed=3)
    assert mean == pytest.approx(expected, abs=4 * error)
    assert error < 0.0012


@pytest.mark.slow
def test_share_equals_the_full_enumeration():
    mean, error = share("8d7d", 2, 2_000_000, seed=3)
    assert mean == pytest.approx(evaluation.equity("8d7d", np.ones(1326)), abs=4 * error)


@pytest.mark.parametrize("players", [3, 10])
@pytest.mark.parametrize("hole", ["AhAd", "7c2d", "Ts9s"])
def test_share_equals_plain_deals(hole, players):
    """Shuffle, deal, rank all players, divide the pot among the best."""
    deals, rng = 20_000, np.random.default_rng(players)
    rest = np.setdiff1d(np.arange(52), as_cards(hole)).astype(np.uint8)
    dealt = rng.permuted(np.tile(rest, (deals, 1)), axis=1)
    board, others = dealt[:, :5], dealt[:, 5 : 3 + 2 * players].reshape(deals, -1, 2)
    hands = [np.tile(as_cards(hole), (deals, 1)), *others.swapaxes(0, 1)]
    ranks = np.array([rank(np.hstack([pair, board])) for pair in hands])
    shares = np.where(ranks[0] == ranks.max(axis=0), 1 / (ranks == ranks.max(axis=0)).sum(axis=0), 0)
    mean, error = share(hole, players, deals, seed=1)
    plain_error = shares.std() / deals**0.5
    assert error == pytest.approx(plain_error, rel=0.1)
    assert mean == pytest.approx(shares.mean(), abs=4 * np.hypot(error, plain_error))


def test_share_repeats_with_its_seed():
    assert share("JhTh", 7, 5000, 8) == share([38, 34], 7, 5000, 8) != share("JhTh", 7, 5000, 9)


@pytest.mark.parametrize(
    ("players", "deals", "message"),
    [
        (1, 10, "players: expected 2..10, got 1"),
        (11, 10, "got 11"),
        (2, 1, "deals: expected 2.*, got 1"),
    ],
)
def test_share_of_an_invalid_deal_is_refused(players, deals, message):
    with pytest.raises(ValueError, match=message):
        share("JhTh", players, deals, seed=0)
    with pytest.raises(CardError, match="hole cards 'Jh': expected 2 cards, got 1"):
        share("Jh", 2, 10, seed=0)
