"""Rank of seven cards on every level beside eval7, phevaluator, treys and pokerkit; the census of all hands.

Answers are compared before anything is timed. Peers are skipped where absent. They have no batch form: theirs
is a loop over fewer hands, and ``extra_info["hands"]`` says how many a round ranks. ``rank_instructions.c``
counts instructions.
"""

import warnings
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from baycarp.card import DECK, text
from baycarp.kernels import simd
from baycarp.kernels.hands import census, rank

HANDS = 1_000_000


@cache
def hands():
    rng = np.random.default_rng(1)
    return np.argpartition(rng.random((HANDS, 52), dtype=np.float32), 7, axis=1)[:, :7].astype(np.uint8)


def ranked_by_eval7(deals):
    with warnings.catch_warnings(action="ignore"):  # its parser of ranges
        eval7 = pytest.importorskip("eval7")
    deck = [eval7.Card(name) for name in DECK]
    objects = [[deck[card] for card in deal] for deal in deals.tolist()]
    return lambda: [eval7.evaluate(deal) for deal in objects]


def ranked_by_phevaluator(deals):
    evaluate = pytest.importorskip("phevaluator._pheval").evaluate_7cards
    rows = deals.tolist()
    return lambda: [-evaluate(*row) for row in rows]


def ranked_by_treys(deals):
    treys = pytest.importorskip("treys")
    evaluate = treys.Evaluator().evaluate
    deck = [treys.Card.new(name) for name in DECK]
    rows = [[deck[card] for card in deal] for deal in deals.tolist()]
    return lambda: [-evaluate(row[:2], row[2:]) for row in rows]


def ranked_by_pokerkit(deals):
    pokerkit = pytest.importorskip("pokerkit")
    best = pokerkit.StandardHighHand.from_game
    rows = [list(pokerkit.Card.parse(text(deal))) for deal in deals]
    return lambda: [best(row) for row in rows]


PEERS = {
    "eval7": (ranked_by_eval7, 20_000),
    "phevaluator": (ranked_by_phevaluator, 20_000),
    "treys": (ranked_by_treys, 2_000),
    "pokerkit": (ranked_by_pokerkit, 200),
}


@pytest.mark.benchmark(group="rank of 7 cards, batch")
@pytest.mark.parametrize("level", simd.AVAILABLE)
def test_baycarp_batch(benchmark, level):
    benchmark.extra_info["hands"] = HANDS
    with simd.use("base"):
        expected = rank(hands())
    with simd.use(level):
        np.testing.assert_array_equal(rank(hands()), expected)
        benchmark(rank, hands())


@pytest.mark.benchmark(group="rank of 7 cards, batch")
@pytest.mark.parametrize("peer", PEERS)
def test_peer_batch(benchmark, peer):
    ranked_by, count = PEERS[peer]
    few = hands()[:count]
    ranked = ranked_by(few)
    theirs, ours = ranked(), rank(few).tolist()
    order = sorted(range(count), key=ours.__getitem__)
    for one, next_one in pairwise(order):
        assert (theirs[one] < theirs[next_one]) == (ours[one] < ours[next_one])
        assert (theirs[one] == theirs[next_one]) == (ours[one] == ours[next_one])
    benchmark.extra_info["hands"] = count
    benchmark(ranked)


@pytest.mark.benchmark(group="rank of 7 cards, one hand a call")
@pytest.mark.parametrize("form", ["uint8 array", "list", "text"])
def test_baycarp_one(benchmark, form):
    hand = hands()[0]
    forms = {"uint8 array": hand, "list": hand.tolist(), "text": text(hand)}
    assert rank(forms[form]) == rank(hands()[:1])[0]
    benchmark(rank, forms[form])


@pytest.mark.benchmark(group="rank of 7 cards, one hand a call")
@pytest.mark.parametrize("form", ["ids, compiled", "ids", "text"])
def test_phevaluator_one(benchmark, form):
    phevaluator = pytest.importorskip("phevaluator")
    hand = hands()[0].tolist()
    given = [DECK[card] for card in hand] if form == "text" else hand
    compiled = pytest.importorskip("phevaluator._pheval").evaluate_7cards
    benchmark(compiled if form == "ids, compiled" else phevaluator.evaluate_cards, *given)


@pytest.mark.benchmark(group="all hands of 7 cards")
def test_baycarp_census(benchmark):
    counts = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)
    assert benchmark(census) == counts
