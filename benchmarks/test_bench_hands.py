"""Rank of seven cards beside eval7 and phevaluator: a batch of 1,000,000 hands, and one hand a call.

Answers are compared before anything is timed. Peers are skipped where absent. They have no batch form: theirs
is a loop over fewer hands, and ``extra_info["hands"]`` says how many a round ranks.
"""

import warnings
from functools import cache

import numpy as np
import pytest

from baycarp.card import DECK
from baycarp.kernels.hands import rank

HANDS, PEER_HANDS = 1_000_000, 20_000


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
    phevaluator = pytest.importorskip("phevaluator")
    rows = deals.tolist()
    return lambda: [-phevaluator.evaluate_cards(*row) for row in rows]


def dense(ranks):
    return np.unique(np.asarray(ranks), return_inverse=True)[1]


PEERS = {"eval7": ranked_by_eval7, "phevaluator": ranked_by_phevaluator}


@pytest.mark.benchmark(group="rank of 7 cards, batch")
def test_baycarp_batch(benchmark):
    benchmark.extra_info["hands"] = HANDS
    benchmark(rank, hands())


@pytest.mark.benchmark(group="rank of 7 cards, batch")
@pytest.mark.parametrize("peer", PEERS)
def test_peer_batch(benchmark, peer):
    few = hands()[:PEER_HANDS]
    ranked = PEERS[peer](few)
    np.testing.assert_array_equal(dense(ranked()), dense(rank(few)))
    benchmark.extra_info["hands"] = PEER_HANDS
    benchmark(ranked)


@pytest.mark.benchmark(group="rank of 7 cards, one hand a call")
@pytest.mark.parametrize("form", ["uint8 array", "list", "text"])
def test_baycarp_one(benchmark, form):
    hand = hands()[0]
    forms = {"uint8 array": hand, "list": hand.tolist(), "text": "".join(DECK[card] for card in hand)}
    assert rank(forms[form]) == rank(hands()[:1])[0]
    benchmark(rank, forms[form])


@pytest.mark.benchmark(group="rank of 7 cards, one hand a call")
def test_phevaluator_one(benchmark):
    phevaluator = pytest.importorskip("phevaluator")
    hand = hands()[0].tolist()
    benchmark(lambda: phevaluator.evaluate_cards(*hand))
