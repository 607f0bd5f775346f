"""Acts by holding and by hypothesis against the product over acts, written out in double precision."""

import numpy as np
import pytest

from baycarp.card import HOLDS, blocked_by, holding_index
from baycarp.errors import ArgumentError
from baycarp.kernels.evidence import (
    alternatives,
    by_holding,
    by_hypothesis,
    mixed_choices,
    strength_buckets,
    sum_by_label,
    weigh_top_labels,
)

HYPOTHESES, BUCKETS, BLOCKED = 13, 5, 255
CARDS = (7, 50)


def drawn(seed, acts, streets=3):
    """Acts on some streets; the boards of the later ones block some holdings."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(BUCKETS, size=1326).astype(np.uint8) for _ in range(streets)]
    for street, code in enumerate(codes):
        code[HOLDS[20 : 20 + street].any(axis=0)] = BLOCKED
    tables = [rng.random((BUCKETS, HYPOTHESES)).astype(np.float32) for _ in range(acts)]
    return [(codes[number % streets], table) for number, table in enumerate(tables)]


def products(acts, known=CARDS):
    """Of each hypothesis and holding; 0 where the holding is impossible."""
    out = np.ones((HYPOTHESES, 1326)) * ~HOLDS[list(known)].any(axis=0)
    for codes, table in acts:
        out *= np.where(codes == BLOCKED, 0.0, table.astype(np.float64)[np.minimum(codes, BUCKETS - 1)].T)
    return out


@pytest.mark.parametrize("acts", [0, 1, 4, 9])
def test_several_players_at_once(acts):
    rng = np.random.default_rng(acts)
    players = [(drawn(seed, acts), rng.random(HYPOTHESES), rng.random()) for seed in range(3)]
    found = by_holding(players, CARDS)
    for row, (done, weights, rest) in zip(found, players, strict=True):
        each = products(done)
        possible, mean = each.any(axis=0), weights @ each
        mixed = (1 - rest) * mean + rest * mean[possible].mean()
        assert row == pytest.approx(np.where(possible, mixed, 0.0), rel=1e-6)


def test_the_mean_over_holdings_and_one_of_them():
    acts = drawn(4, 5)
    each = products(acts)
    possible = each.any(axis=0)
    assert by_hypothesis(acts, HYPOTHESES, CARDS) == pytest.approx(each[:, possible].mean(axis=1), rel=1e-6)
    holding = holding_index(51, 49)
    assert by_hypothesis(acts, HYPOTHESES, CARDS, holding) == pytest.approx(each[:, holding], rel=1e-6)


@pytest.mark.parametrize("acts", [0, 4])
def test_alternatives_of_one_more_act(acts):
    rng = np.random.default_rng(acts)
    before, weights = drawn(acts, acts), rng.random(HYPOTHESES)
    ((codes, _),) = drawn(9, 1, streets=1)
    tables = rng.random((3, BUCKETS, HYPOTHESES)).astype(np.float32)
    each = np.array([weights @ products([*before, (codes, table)]) for table in tables])
    possible = each.any(axis=0)
    found = alternatives(before, (codes, tables), weights, CARDS)
    assert found == pytest.approx(each[:, possible].mean(axis=1), rel=1e-6)
    holding = int(np.flatnonzero(possible)[3])
    assert alternatives(before, (codes, tables), weights, CARDS, holding) == pytest.approx(
        each[:, holding], rel=1e-6
    )


def test_choices_are_mixed_over_powers_with_buckets_of_their_own():
    rng = np.random.default_rng(6)
    table, weights = rng.random((3, 2, BUCKETS, 40), np.float32), rng.random((3, 2), np.float32)
    codes = rng.integers(BUCKETS, size=(2, 9)).astype(np.uint8)
    mixed = sum(weights[:, power, None, None] * table[:, power, codes[power]] for power in range(2))
    assert mixed_choices(table, weights, codes) == pytest.approx(mixed / mixed.sum(axis=0), rel=1e-5)
    with pytest.raises(ArgumentError, match="buckets"):
        mixed_choices(table, weights, codes + np.uint8(BUCKETS))
    with pytest.raises(ArgumentError, match="weights"):
        mixed_choices(table, weights[:, :1].copy(), codes)


def test_sums_by_label():
    rng = np.random.default_rng(2)
    weights, label = rng.random((2, 1326)), rng.integers(4, size=1326).astype(np.uint8)
    expected = [[row[label == number].sum() for number in range(3)] for row in weights]
    assert sum_by_label(weights, label, 3) == pytest.approx(np.array(expected))


def test_top_labels_are_those_of_a_stable_sort():
    rng = np.random.default_rng(4)
    label = rng.integers(5, size=1326).astype(np.uint8)  # label 4 has no chance
    chances, counts = rng.integers(4, size=(40, 4)) / 4, rng.integers(1, 5, size=40).tolist()
    weights = weigh_top_labels(chances, counts, label, CARDS)
    for row, count, found in zip(chances, counts, weights, strict=True):
        expected = np.isin(label, np.argsort(-row, kind="stable")[:count]) & ~blocked_by(CARDS)
        assert found.tolist() == expected.tolist()
    assert len({id(each) for each in weights}) == len({each.tobytes() for each in weights})


def test_the_next_label_is_added_while_no_holding_is_left():
    label = np.full(1326, 2, np.uint8)
    label[holding_index(1, 0)], label[holding_index(3, 2)] = 0, 1
    found = weigh_top_labels(np.array([[0.5, 0.3, 0.2]] * 2), [1, 2], label, [0, 3])
    expected = (label == 2) & ~blocked_by([0, 3])
    assert found[0] is found[1]
    assert found[0].tolist() == expected.tolist()
    assert weigh_top_labels(np.ones((1, 3)), [1], np.full(1326, 3, np.uint8), ()) == [None]


def test_labels_that_do_not_fit_are_refused():
    label = np.zeros(1326, np.uint8)
    for chances, counts in (([[0.5] * 65], [1]), ([[]], [1]), ([[0.5]], [1, 1])):
        with pytest.raises(ArgumentError, match="1 to 64"):
            weigh_top_labels(np.array(chances), counts, label, ())
    with pytest.raises(ArgumentError, match="count"):
        weigh_top_labels(np.array([[0.5]]), [2], label, ())


def test_buckets_are_numpys_search_of_the_effective_strength():
    rng = np.random.default_rng(3)
    hs, ppot, edges = rng.random(1326), rng.random(1326) / 2, np.array([0.25, 0.5, 0.75])
    hs[:3], hs[5], ppot[3:6] = edges, np.nan, 0  # on an edge, and blocked
    found = strength_buckets(hs, ppot, edges, 0.2)
    expected = np.searchsorted(edges, hs + (1 - hs) * ppot, "right")
    expected[(hs < 0.5) & (ppot >= 0.2)] += 4
    expected[5] = BLOCKED
    assert found.tolist() == expected.tolist()
    with pytest.raises(ArgumentError, match="1326 each"):
        strength_buckets(hs[:10], ppot, edges, 0.2)


def test_arrays_that_do_not_fit_are_refused():
    acts, weights = drawn(1, 2), np.ones(HYPOTHESES)
    short = [(codes, table[:-1].copy()) for codes, table in acts]
    for wrong in (short, [(acts[0][0][:9], acts[0][1])], drawn(1, 5, streets=5)):
        with pytest.raises(ArgumentError, match="expected"):
            by_holding([(wrong, weights, 0.0)], ())
    with pytest.raises(ArgumentError, match="12 hypotheses"):
        by_holding([(acts, weights[1:], 0.0)], ())
    with pytest.raises(ArgumentError, match="has a bucket"):
        by_hypothesis(acts, HYPOTHESES, (), holding_index(20, 3))
    with pytest.raises(ArgumentError, match="label"):
        sum_by_label(np.ones((1, 1326)), np.zeros(3, np.uint8), 2)
