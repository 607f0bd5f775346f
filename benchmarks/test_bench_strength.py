"""Strength, potential, expected strength and equity; their definitions, and eval7 in a loop, are rivals."""

import itertools

import numpy as np
import pytest
from reference.kernels import naive_expected_strength, naive_strength

from baycarp.card import as_cards, holding_index, text
from baycarp.evaluation import equity, expected_strength, strength

SPOTS = {
    "flop, rainbow": ("AhKd", "Qs7d2c"),
    "flop, two-tone": ("8h7h", "9h6c2h"),
    "flop, monotone": ("AsKd", "Qh9h4h"),
    "turn": ("AhKd", "Qs7d2cTc"),
    "river": ("AhKd", "Qs7d2cTc9h"),
}


def holdings_of(share):
    """A range that holds about so much of all holdings."""
    rng = np.random.default_rng(1)
    return np.where(rng.random(1326) < share, rng.integers(1, 256, 1326), 0).astype(float)


def loop(eval7, hole, board):
    """(HS, PPot, NPot) by the textbook's loop, our own rank kept by board."""
    ours, table = ([eval7.Card(text([card])) for card in as_cards(cards)] for cards in (hole, board))
    rest = [card for card in eval7.Deck().cards if card not in ours + table]
    rank, own, now, then = eval7.evaluate, {}, np.zeros(3), np.zeros((3, 3))
    futures = list(itertools.combinations(rest, 5 - len(table)))
    for future in futures:
        own[future] = rank([*ours, *table, *future])
    today = rank(ours + table)
    for pair in itertools.combinations(rest, 2):
        theirs = rank([*pair, *table])
        row = 1 + (today > theirs) - (today < theirs)
        now[row] += 1
        for future in futures:
            if pair[0] not in future and pair[1] not in future:
                theirs = rank([*pair, *table, *future])
                then[row, 1 + (own[future] > theirs) - (own[future] < theirs)] += 1
    total = then.sum(axis=1)
    gained, lost = 2 * then[0, 2] + then[0, 1] + then[1, 2], 2 * then[2, 0] + then[2, 1] + then[1, 0]
    hs = (2 * now[2] + now[1]) / (2 * now.sum())
    return hs, gained / (2 * total[0] + total[1]), lost / (2 * total[2] + total[1])


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("spot", SPOTS)
def test_strength(benchmark, spot, share):
    benchmark.group = f"strength: {spot}"
    hs, ppot, npot = benchmark(strength, *SPOTS[spot], holdings_of(share))
    assert 0 < hs < 1
    assert (ppot > 0) == (npot > 0) == (spot != "river")


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("spot", SPOTS)
def test_strength_by_the_loop(benchmark, spot, shared):
    benchmark.group = f"strength: {spot}"
    weights = holdings_of(1.0)
    found = benchmark(naive_strength, *SPOTS[spot], weights, shared=shared)
    assert found == strength(*SPOTS[spot], weights)


def test_strength_by_eval7(benchmark):
    benchmark.group = "strength: flop, rainbow"
    eval7 = pytest.importorskip("eval7")
    spot = SPOTS["flop, rainbow"]
    found = benchmark.pedantic(loop, (eval7, *spot), rounds=1)
    assert found == strength(*spot)


@pytest.mark.parametrize("spot", SPOTS)
def test_expected_strength(benchmark, spot):
    benchmark.group = f"expected strength: {spot}"
    hole, board = SPOTS[spot]
    mean, _ = benchmark(expected_strength, hole, board)
    assert mean == pytest.approx(equity(hole, np.ones(1326), board))


@pytest.mark.parametrize("spot", SPOTS)
def test_expected_strength_by_the_loop(benchmark, spot):
    benchmark.group = f"expected strength: {spot}"
    assert benchmark(naive_expected_strength, *SPOTS[spot]) == expected_strength(*SPOTS[spot])


@pytest.mark.parametrize("spot", SPOTS)
def test_expected_strength_of_every_holding(benchmark, spot):
    benchmark.group = f"expected strength: {spot}"
    hole, board = SPOTS[spot]
    means, _ = benchmark(expected_strength, None, board)
    index = holding_index(*map(int, as_cards(hole)))
    assert means[index] == pytest.approx(expected_strength(hole, board)[0])


@pytest.mark.parametrize("against", ["holding", "range"])
@pytest.mark.parametrize("spot", SPOTS)
def test_equity(benchmark, spot, against):
    benchmark.group = f"equity: {spot}"
    hole, board = SPOTS[spot]
    first = hole if against == "holding" else holdings_of(1.0)
    share = benchmark(equity, first, holdings_of(0.4), board)
    assert share + equity(holdings_of(0.4), first, board) == pytest.approx(1)


def test_equity_preflop(benchmark):
    benchmark.group = "equity: pre-flop"
    assert benchmark(equity, "AhAd", "KsKc") == (1388072 + 6538 / 2) / 1712304
