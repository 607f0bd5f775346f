"""Sampled deals against the buckets of the rules and the evaluator."""

import numpy as np
import pytest

from baycarp.card import holding_index
from baycarp.errors import ArgumentError
from baycarp.kernels.hands import rank
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.nolimit.deals import dealer

DEALS = 400


def tables(text):
    """Any numbers as the buckets of flop and turn; making real ones takes seconds."""
    abstraction, draw = parse_buckets(text, 1), np.random.default_rng(2)
    flops, turns = (
        draw.integers(0, rule.count, (boards, 1326)).astype(np.uint16)
        for rule, boards in zip(abstraction.rules[:2], (1755, 16432), strict=True)
    )
    return BucketTables(abstraction, flops, turns)


@pytest.mark.parametrize("text", ["p9,v7,p50", "p5,p4+,p6", "p5,p4+,p6+", "p3,p3,p1"])
def test_buckets_are_those_of_the_tables(text):
    made = tables(text)
    dealt = dealer(made)
    assert dealt.counts == made.abstraction.counts
    for deal in dealt.deals(3, 0, DEALS):
        expected = made.buckets(deal["cards"][4:])
        for player in (0, 1):
            holding = holding_index(*deal["cards"][2 * player : 2 * player + 2].tolist())
            assert deal["buckets"][player].tolist() == expected[:, holding].tolist()


def test_winners_are_those_of_the_evaluator():
    deals = dealer(tables("p2,p2,p2")).deals(5, 7, DEALS)
    cards = deals["cards"]
    first, second = (rank(np.delete(cards, other, axis=1)).astype(int) for other in ((2, 3), (0, 1)))
    assert (deals["won"] == np.sign(first - second)).all()
    assert 0 < (deals["won"] == 0).sum() < DEALS / 10


def test_deals_depend_on_seed_and_number_alone():
    deals = dealer(tables("p2,p2,p2")).deals
    whole = deals(5, 0, 50)
    assert (deals(5, 20, 10) == whole[20:30]).all()
    assert (deals(6, 0, 50)["cards"] != whole["cards"]).any()


def test_every_card_is_dealt_everywhere():
    """Chi-square of 52 cards in each of nine places; 99.9 % of the distribution with 51 degrees is 87.97."""
    deals = dealer(tables("p2,p2,p2")).deals(1, 0, 5200)
    for place in range(9):
        counts = np.bincount(deals["cards"][:, place], minlength=52)
        assert ((counts - 100) ** 2 / 100).sum() < 88
    assert (np.sort(deals["cards"], axis=1)[:, 1:] != np.sort(deals["cards"], axis=1)[:, :-1]).all()


def test_rivers_have_percentiles():
    with pytest.raises(ArgumentError, match="expected percentiles"):
        dealer(tables("p2,p2,v2"))
