"""Growth of a tree on 200,000 rows of 41 features, beside scikit-learn: held-out loss first, then speed."""

import numpy as np
import pytest

from baycarp.trees import Growth, fit, log_losses

ROWS, FEATURES, DEPTH, LEAST = 200_000, 41, 12, 50


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    x = rng.random((2 * ROWS, FEATURES))
    chances = np.exp(np.stack([3 * x[:, 0], 3 * x[:, 1] * x[:, 2], np.sin(9 * x[:, 3])], 1))
    shares = (chances / chances.sum(1, keepdims=True)).cumsum(1)
    return x, (rng.random((2 * ROWS, 1)) > shares).sum(1).clip(0, 2).astype(np.uint8)


def ours(x, y):
    return fit(x, y, 3, Growth(DEPTH, LEAST, 1e-9))


def theirs(x, y):
    tree = pytest.importorskip("sklearn.tree")
    return tree.DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH, min_samples_leaf=LEAST).fit(x, y)


def test_held_out_losses_are_close(rows):
    x, y = rows
    losses = [
        log_losses(probabilities.clip(1e-6), y[ROWS:]).mean()
        for probabilities in (
            ours(x[:ROWS], y[:ROWS])(x[ROWS:]),
            theirs(x[:ROWS], y[:ROWS]).predict_proba(x[ROWS:]),
        )
    ]
    assert losses[0] == pytest.approx(losses[1], abs=0.01)


@pytest.mark.benchmark(group="tree of 200,000 x 41")
@pytest.mark.parametrize("grow", [ours, theirs])
def test_growth(benchmark, rows, grow):
    x, y = rows
    benchmark.pedantic(grow, (x[:ROWS], y[:ROWS]), rounds=1)
