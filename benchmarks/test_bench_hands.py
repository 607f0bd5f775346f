"""Rank of seven cards on every level beside eval7, phevaluator, treys and pokerkit; the census of all hands.

Results are compared before anything is timed. Libraries that are not installed are skipped. They have no
batch form: theirs is a loop over fewer hands, and ``extra_info["hands"]`` is the number that a round ranks.
``rank_instructions.c`` counts instructions.
"""

from functools import cache

import numpy as np
import pytest

from baycarp.card import DECK, text
from baycarp.kernels import simd
from baycarp.kernels.hands import census, rank
from benchmarks.parts.ranking import random_hands
from benchmarks.rivals import ranks

HANDS = 1_000_000
PEERS = {"eval7": 20_000, "phevaluator": 20_000, "treys": 2_000, "pokerkit": 200}


@cache
def hands():
    return random_hands(HANDS)


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
    few = hands()[: PEERS[peer]]
    ranked = ranks.installed(peer, few)
    if ranked is None:
        pytest.skip(f"{peer} is not installed")
    ranks.alike(peer, ranked(), rank(few))
    benchmark.extra_info["hands"] = len(few)
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
