"""Corrected folds beside the rule of van der Kleij (2010), section 6.2.1, written out by bucket."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.kernels.search import INPUTS
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.buckets import SQUARES
from baycarp.opponents.moves.fold_correction import with_corrected_folds
from baycarp.opponents.moves.players import Players
from baycarp.rules.features import SITUATIONS
from baycarp.trees import DecisionTree

LEAF = (0.5, 0.3, *(0.2 / 8,) * 8)


def by_every_bucket():
    """A tree whose every bucket has a leaf of its own, all alike."""
    nodes, count = [], SQUARES.count
    for bucket in range(count - 1):
        nodes += [(bucket + 0.5, INPUTS - 1, 2 * bucket + 1), (0, -1, bucket)]
    nodes.append((0, -1, count - 1))
    for at in range(0, 2 * count - 2, 2):  # the children of a node are adjacent
        nodes[at] = (nodes[at][0], INPUTS - 1, at + 1)
    return DecisionTree(np.array(nodes, NODE), np.array([LEAF] * count))


@pytest.fixture
def corrected():
    row = (by_every_bucket(),) * len(SITUATIONS)
    return with_corrected_folds(Players((row, row), (1.0,), SQUARES))


def test_folds_are_mixed_with_the_rank_by_a_weight_that_grows_with_the_bucket(corrected):
    shares = SQUARES.shares[1]
    middles = np.cumsum(shares) - shares / 2
    tree = corrected.trees[0][3]  # the flop, a bet to call
    for bucket in range(SQUARES.count):
        weight = 1.3 ** (bucket + 1)
        fold = (0.5 + weight * (1 - middles[bucket])) / (1 + weight)
        values = tree(np.full((1, INPUTS), float(bucket)))[0]
        assert values[0] == pytest.approx(fold)
        assert values.sum() == pytest.approx(1)
        assert values[1] / values[2] == pytest.approx(LEAF[1] / LEAF[2])
    assert tree(np.full((1, INPUTS), 19.0))[0][0] < 0.02 < 0.5 < tree(np.full((1, INPUTS), 0.0))[0][0]


def test_where_a_check_is_free_nothing_changes(corrected):
    for situation in range(0, len(SITUATIONS), 2):
        assert (corrected.trees[0][situation].values == LEAF).all()


def test_a_leaf_of_all_buckets_has_their_mean():
    row = (DecisionTree.leaf(LEAF),) * len(SITUATIONS)
    found = with_corrected_folds(Players((row, row), (1.0,), SQUARES)).trees[1][7].values[0, 0]
    shares = SQUARES.shares[3, :10]
    weight = shares @ 1.3 ** np.linspace(1, 20, 10)
    baseline = shares @ (1 - (np.cumsum(shares) - shares / 2))
    assert found == pytest.approx((0.5 + weight * baseline) / (1 + weight))


def test_a_base_out_of_its_range_is_refused(corrected):
    with pytest.raises(ArgumentError, match=r"base 0\.5"):
        with_corrected_folds(corrected, 0.5)
