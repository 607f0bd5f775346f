"""Pooled textures: what one has learned, all have, and nothing is lost."""

import numpy as np
import pytest

from baycarp.game import Variant
from baycarp.kernels.cfr import Betting
from baycarp.responses.suits import flops
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.limit.pooling import pool, shares_of

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
TREE = limit_betting(GAME)


@pytest.fixture(autouse=True)
def few_boards(monkeypatch):
    monkeypatch.setattr("baycarp.solvers.buckets.abstraction._TEXTURES", 40)
    monkeypatch.setattr("baycarp.solvers.limit.pooling.BOARDS", 400)


def blocks(table, counts):
    """The tables of the streets by block, node, action, bucket and lane."""
    first = 0
    for street, count in zip(TREE.streets, counts, strict=True):
        shape = (len(street.entries), len(street.actors), 3, count, 8)
        yield table[first : first + int(np.prod(shape))].reshape(shape).copy()
        first += int(np.prod(shape))


def test_each_texture_gets_its_share_of_the_sum():
    abstraction = parse_buckets("p5,t3d2,t2p4", 1)
    shares = shares_of(abstraction)
    assert [None if own is None else len(own) for own in shares] == [None, None, 3, 2]
    betting = Betting(TREE.streets, abstraction.counts)
    table = np.random.default_rng(2).normal(size=betting.cells).astype(np.float32)
    before = list(blocks(table, abstraction.counts))
    pool(betting, TREE, (shares, shares), table)
    for was, new, own in zip(before, blocks(table, abstraction.counts), shares, strict=True):
        if own is None:
            assert (was == new).all()
            continue
        shape = (*was.shape[:3], len(own), -1, 8)
        together = was.reshape(shape).sum(axis=3)
        for texture, share in enumerate(own):
            part = new.reshape(shape)[:, :, :, texture]
            np.testing.assert_allclose(part, share * together, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_shares_are_those_of_the_boards():
    abstraction = parse_buckets("t4p2,t2p5+,t3p4", 1)
    _, flop, turn, river = shares_of(abstraction)
    assert turn is None  # its buckets begin with those of the flop
    np.testing.assert_allclose([flop.sum(), river.sum()], 1)
    counts = np.zeros(4)
    for board, number in flops().items():
        counts[abstraction.rules[0].texture(board)] += number
    np.testing.assert_allclose(flop, counts / 22100, atol=0.08)
