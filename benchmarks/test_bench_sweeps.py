"""Every holding at once, beside holding by holding, board by board, pair by pair, eval7 and pokerkit."""

import numpy as np
import pytest
from reference.kernels import naive_equity, naive_sweep, naive_sweep_expected

from baycarp.card import HOLDINGS, HOLDS, as_cards, holding_index
from baycarp.kernels.hands import rank
from baycarp.kernels.strength import equity, expected_strength, strength
from baycarp.kernels.sweeps import share, sweep, sweep_expected, sweep_potential
from benchmarks.rivals.sweeps import eval7_sweep

BOARDS = {"flop": "Qs7d2c", "flop, monotone": "Qh9h4h", "turn": "Qs7d2cTc", "river": "Qs7d2cTc9h"}
STREETS = pytest.mark.parametrize("street", BOARDS)
WEIGHTS = np.random.default_rng(1).integers(1, 256, 1326).astype(float)


def free(board):
    return ~HOLDS[as_cards(board)].any(axis=0)


def by_holding(board, weights, ahead):
    """(HS, PPot, NPot) of every holding by itself; float64, shape (3, 1326)."""
    found = np.full((3, 1326), np.nan)
    for index in np.flatnonzero(free(board)):
        found[:, index] = strength(HOLDINGS[index], board, weights, ahead)
    return found


def ranks(cards):
    """The rank of every holding with the cards; -1 where they block it."""
    found = np.full(1326, -1)
    left = free(cards)
    table = np.tile(as_cards(cards), (left.sum(), 1))
    found[left] = rank(np.hstack([HOLDINGS[left], table]))
    return found


def by_pair(board):
    """The potentials by the textbook's loop over pairs and next cards, the inner loop an array's."""
    board, now, left = as_cards(board), ranks(board), free(board)
    later = [ranks([*board, card]) for card in np.setdiff1d(np.arange(52), board)]
    ppot, npot = np.full((2, 1326), np.nan)
    for index in np.flatnonzero(left):
        apart = left & ~HOLDS[HOLDINGS[index]].any(axis=0)
        before, counts = np.sign(now[index] - now), np.zeros(9)
        for then in later:
            if then[index] >= 0:
                moved = before + 1 + 3 * (np.sign(then[index] - then) + 1)
                counts += np.bincount(moved[apart & (then >= 0)], minlength=9)
        to = counts.reshape(3, 3).T  # behind, tied, ahead: before by after
        total = to.sum(axis=1)
        hope, risk = 2 * total[0] + total[1], 2 * total[2] + total[1]
        ppot[index] = (2 * to[0, 2] + to[0, 1] + to[1, 2]) / hope if hope else 0
        npot[index] = (2 * to[2, 0] + to[2, 1] + to[1, 0]) / risk if risk else 0
    return ppot, npot


@STREETS
def test_sweep(benchmark, street):
    benchmark.group = f"sweep: {street}"
    assert np.isfinite(benchmark(sweep, BOARDS[street], WEIGHTS)[free(BOARDS[street])]).all()


@STREETS
def test_sweep_by_holding(benchmark, street):
    benchmark.group = f"sweep: {street}"
    found = benchmark.pedantic(by_holding, (BOARDS[street], WEIGHTS, 0), rounds=3)
    assert np.array_equal(found[0], sweep(BOARDS[street], WEIGHTS), equal_nan=True)


@pytest.mark.parametrize("street", ["flop", "flop, monotone", "turn"])
def test_potential(benchmark, street):
    benchmark.group = f"sweep with potential: {street}"
    assert np.isfinite(np.transpose(benchmark(sweep_potential, BOARDS[street]))[free(BOARDS[street])]).all()


@pytest.mark.parametrize("street", ["flop", "flop, monotone", "turn"])
def test_potential_by_holding(benchmark, street):
    benchmark.group = f"sweep with potential: {street}"
    found = benchmark.pedantic(by_holding, (BOARDS[street], None, 1), rounds=1)
    assert np.array_equal(found, sweep_potential(BOARDS[street]), equal_nan=True)


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_potential_by_pair(benchmark, street):
    benchmark.group = f"sweep with potential: {street}"
    found = benchmark.pedantic(by_pair, (BOARDS[street],), rounds=1)
    assert np.array_equal(found, sweep_potential(BOARDS[street])[1:], equal_nan=True)


@STREETS
def test_expected(benchmark, street):
    benchmark.group = f"sweep, expected: {street}"
    means, _ = benchmark.pedantic(sweep_expected, (BOARDS[street],), rounds=3)
    some = np.flatnonzero(free(BOARDS[street]))[::200]
    alone = [expected_strength(HOLDINGS[index], BOARDS[street])[0] for index in some]
    assert means[some] == pytest.approx(alone, rel=1e-12)


@STREETS
def test_expected_against_a_range(benchmark, street):
    benchmark.group = f"sweep, expected against a range: {street}"
    found = benchmark.pedantic(sweep_expected, (BOARDS[street], WEIGHTS), rounds=9)
    assert np.array_equal(found, naive_sweep_expected(BOARDS[street], WEIGHTS), equal_nan=True)


@STREETS
def test_expected_by_board(benchmark, street):
    """Each complete board ranked, sorted and swept by itself."""
    benchmark.group = f"sweep, expected against a range: {street}"
    benchmark.pedantic(naive_sweep_expected, (BOARDS[street], WEIGHTS), rounds=9)


@STREETS
def test_sweep_by_sorting(benchmark, street):
    benchmark.group = f"sweep: {street}"
    found = benchmark(naive_sweep, BOARDS[street], WEIGHTS)
    assert np.array_equal(found, sweep(BOARDS[street], WEIGHTS), equal_nan=True)


def test_sweep_by_eval7(benchmark):
    """On the river, every holding against every other."""
    board = BOARDS["river"]
    theirs = eval7_sweep(board)
    if theirs is None:
        pytest.skip("eval7 is not installed")
    benchmark.group = "sweep: river"
    found = benchmark.pedantic(theirs, rounds=3)
    left = free(board)  # eval7 answers for blocked holdings too
    assert found[left] == pytest.approx(sweep(board)[left], abs=1e-6)


@STREETS
def test_equity(benchmark, street):
    """A whole range against a range."""
    benchmark.group = f"equity of two ranges: {street}"
    whole, board = np.ones(1326), BOARDS[street]
    benchmark(equity, whole, WEIGHTS, board)
    assert equity(whole, WEIGHTS, board) + equity(WEIGHTS, whole, board) == pytest.approx(1, abs=1e-14)


@STREETS
def test_equity_by_pair(benchmark, street):
    """One holding in a hundred of the whole range, pair by pair."""
    benchmark.group = f"equity of two ranges: {street}"
    some = (np.arange(1326) % 100 == 0).astype(float)
    won, total = benchmark.pedantic(naive_equity, (some, WEIGHTS, BOARDS[street]), rounds=3)
    assert equity(some, WEIGHTS, BOARDS[street]) == won / total


def test_equity_by_pokerkit(benchmark):
    """One holding against one, a thousand sampled boards."""
    pokerkit = pytest.importorskip("pokerkit")
    benchmark.group = "equity of two ranges: flop"
    ranges = [{frozenset(pokerkit.Card.parse(text))} for text in ("AhKd", "9s9c")]
    board = list(pokerkit.Card.parse(BOARDS["flop"]))
    found = benchmark.pedantic(
        pokerkit.calculate_equities,
        (ranges, board, 2, 5, pokerkit.Deck.STANDARD, (pokerkit.StandardHighHand,)),
        {"sample_count": 1000},
        rounds=1,
    )
    ours = [np.arange(1326) == holding_index(*map(int, as_cards(text))) for text in ("AhKd", "9s9c")]
    assert found[0] == pytest.approx(equity(*ours, BOARDS["flop"]), abs=0.06)


@pytest.mark.parametrize("players", [2, 7])
def test_share(benchmark, players):
    """A hundred thousand deals."""
    benchmark.group = f"share: {players} players"
    mean, error = benchmark.pedantic(share, ("AhAd", players, 100_000, 1), rounds=3)
    assert mean == pytest.approx({2: 0.8520, 7: 0.4355}[players], abs=4 * error)
