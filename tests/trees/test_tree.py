"""Histogram trees: scikit-learn as the referee, weights as copies, held-out limits, refused input."""

import math

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.kernels.trees import NODE, add_values, grow_classes, grow_gradients
from baycarp.trees import Bins, DecisionTree, Growth, fit, log_losses


def rows_of(seed, rows=1500, features=6, values=12):
    """Few values, so that bins lose nothing; classes that depend on three features."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, values, (rows, features)).astype(float)
    chances = 1 / (1 + np.exp(-np.stack([x[:, 0] - 6, x[:, 1] - x[:, 2], 0 * x[:, 0]], 1)))
    chances /= chances.sum(1, keepdims=True)
    return x, (rng.random((rows, 1)) > chances.cumsum(1)).sum(1).clip(0, 2).astype(np.uint8)


def entropy(classes, weights):
    shares = np.bincount(classes, weights) / weights.sum()
    return -sum(share * math.log(share) for share in shares if share > 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_is_that_of_scikit_learn(seed):
    sklearn = pytest.importorskip("sklearn.tree")
    x, y = rows_of(seed)
    asked, _ = rows_of(seed + 100)
    for depth, least in ((1, 5), (3, 20), (8, 40)):
        tree = fit(x, y, 3, Growth(depth, least, prior=1e-9))
        referee = sklearn.DecisionTreeClassifier(criterion="entropy", max_depth=depth, min_samples_leaf=least)
        expected = referee.fit(x, y).predict_proba(asked)
        # equal gains may be broken otherwise, far down
        same = np.isclose(tree(asked), expected, atol=1e-6).all(1).mean()
        assert same > (0.999 if depth < 8 else 0.9)
        assert len(tree.values) == referee.get_n_leaves() or depth == 8


def test_the_root_is_the_split_of_greatest_gain():
    x, y = rows_of(5, rows=300)
    weights = np.random.default_rng(1).random(300) * 3
    tree = fit(x, y, 3, Growth(1, 0.1), weights)
    losses = {}
    for feature in range(x.shape[1]):
        for edge in np.arange(11) + 0.5:
            sides = [x[:, feature] <= edge, x[:, feature] > edge]
            losses[feature, edge] = sum(
                weights[s].sum() * entropy(y[s], weights[s]) for s in sides if s.any()
            )
    root = tree.nodes[0]
    assert (root["feature"], root["threshold"]) == min(losses, key=losses.get)


def test_a_weight_is_a_number_of_copies():
    x, y = rows_of(7, rows=400)
    copies = np.random.default_rng(2).integers(0, 4, 400)
    bins = Bins.of(x)
    weighted = fit(x, y, 3, Growth(5, 10), copies.astype(float), bins)
    copied = fit(np.repeat(x, copies, 0), np.repeat(y, copies), 3, Growth(5, 10), bins=bins)
    assert (weighted.nodes == copied.nodes).all()
    assert weighted.values == pytest.approx(copied.values)


def test_leaves_are_laplace_frequencies_and_respect_the_limits():
    x, y = rows_of(3)
    nodes, values, leaf = grow_classes(
        (bins := Bins.of(x))(x), bins.edges, y, np.ones(len(y)), 3, depth=4, least=60, prior=2
    )
    for number, row in enumerate(values):
        counts = np.bincount(y[leaf == number], minlength=3)
        assert counts.sum() >= 60
        assert row == pytest.approx((counts + 2) / (counts.sum() + 6))
    assert len(values) <= 16
    assert DecisionTree(nodes, values)(x) == pytest.approx(values[leaf])


def test_a_gradient_tree_is_newtons_step_in_each_leaf():
    rng = np.random.default_rng(4)
    x, slopes, curvatures = rng.random((900, 4)), rng.normal(size=900), rng.random(900)
    bins = Bins.of(x)
    _, values, leaf = grow_gradients(bins(x), bins.edges, slopes, curvatures, 3, 5, 2)
    for number, (value,) in enumerate(values):
        inside = leaf == number
        assert curvatures[inside].sum() >= 5
        assert value == pytest.approx(-slopes[inside].sum() / (curvatures[inside].sum() + 2))
    assert len(values) == 8


def test_the_log_loss_on_fresh_rows_is_least_between_no_comparison_and_too_many():
    x, y = rows_of(11, rows=4000)
    fresh, truth = rows_of(12, rows=4000)
    growths = Growth(0), Growth(6, 50.0), Growth(24, 0.5)
    none, some, most = (log_losses(fit(x, y, 3, growth)(fresh), truth).mean() for growth in growths)
    assert none == pytest.approx(entropy(truth, np.ones(len(truth))), abs=0.01)
    assert some < min(none, most)


def test_bins_hold_their_values():
    x = np.random.default_rng(3).exponential(size=(5000, 2))
    bins = Bins.of(x)
    found = bins(x)
    for feature in range(2):
        edges = np.concatenate([[-np.inf], bins.edges[feature]])
        assert (edges[found[:, feature]] < x[:, feature]).all()
        assert (x[:, feature] <= edges[found[:, feature].astype(int) + 1]).all()
        assert np.bincount(found[:, feature]).max() < 5000 / 40


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bins": np.full((4, 2), 64, np.uint8)}, "below 64"),
        ({"classes": [0, 1, 2, 0]}, "below 2"),
        ({"classes": [0, 1, 256, 0]}, "below 2"),
        ({"classes": [0, 1, 0.5, 0]}, "whole numbers"),
        ({"weights": [1, 1, -1, 1]}, "at least 0"),
        ({"weights": [1, 1, np.nan, 1]}, "finite"),
        ({"depth": 25}, "depth"),
        ({"least": 0}, "least"),
        ({"least": 10**400}, "least"),
        ({"bins": [[1], [1, 2]]}, "bins"),
        ({"weights": [1, 1, 10**400, 1]}, "weights"),
        ({"prior": np.inf}, "prior"),
        ({"edges": np.zeros((2, 3))}, "edges"),
    ],
)
def test_bad_input_is_named(change, message):
    given = {
        "bins": np.zeros((4, 2), np.uint8),
        "edges": np.full((2, 64), np.inf),
        "classes": [0, 1, 0, 1],
        "weights": np.ones(4),
        "width": 2,
        "depth": 3,
        "least": 1,
        "prior": 1,
    }
    with pytest.raises(ArgumentError, match=message):
        grow_classes(**(given | change))


@pytest.mark.parametrize(
    "nodes",
    [[(0, 0, 0)], [(0, 0, 1), (0, -1, 0)], [(0, 5, 1), (0, -1, 0), (0, -1, 0)], [(0, -1, 1)], [(0, -1, -1)]],
)
def test_nodes_that_are_no_tree_are_refused(nodes):
    with pytest.raises(ArgumentError, match="expected a tree"):
        add_values(np.array(nodes, NODE), np.ones((1, 2)), np.zeros((3, 2)), np.zeros((3, 2)))


def test_rows_are_numbers_of_64_bits():
    leaf = np.array([(0, -1, 0)], NODE)
    with pytest.raises(ArgumentError, match="rows"):
        add_values(leaf, np.ones((1, 2)), [[10**400, 0]], np.zeros((1, 2)))
    with pytest.raises(ArgumentError, match="values"):
        add_values(leaf, [[10**400, 0]], np.zeros((1, 2)), np.zeros((1, 2)))


def test_a_leaf_alone_has_its_values_for_every_row():
    tree = DecisionTree.leaf([0.2, 0.8])
    assert tree(np.zeros((3, 1))).tolist() == [[0.2, 0.8]] * 3
    assert tree.leaves(np.zeros((3, 1))).tolist() == [0, 0, 0]


def test_rows_of_one_leaf_have_its_values():
    x, y = rows_of(3, rows=400)
    tree = fit(x, y, 3, Growth(4, 20.0))
    leaves = tree.leaves(x)
    assert len(set(leaves.tolist())) == len(tree.values) > 4
    assert np.array_equal(tree.values[leaves], tree(x))
