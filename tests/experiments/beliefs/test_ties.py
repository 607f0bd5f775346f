"""Scores of many beliefs against a sort of each, enumerated tie-breakings, and calibrated beliefs."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from baycarp.card import HOLDS, cards, holding_index
from baycarp.rules.hand import GROUP_OF, GROUPS, hand_types
from experiments.beliefs.scores import (
    NEAR,
    among,
    free_of,
    reciprocal,
    score,
    score_types,
    tenths,
    type_masses,
)

NO_BOARD = np.full((1, 5), 255, np.uint8)


def board_of(text):
    found = np.full((1, 5), 255, np.uint8)
    found[0, : len(cards(text))] = cards(text)
    return found


def test_a_belief_is_scored_by_hand():
    belief = np.zeros((1, 1326))
    aces, trash = holding_index(*cards("AhAd").tolist()), holding_index(*cards("7c2d").tolist())
    belief[0, aces], belief[0, trash] = 0.25, 0.75
    board = tuple(cards("As9h4c").tolist())
    found = score(belief, np.array([aces]), board_of("As9h4c"))
    assert found["loss"][0] == pytest.approx(np.log(4))
    assert found["entropy"][0] == pytest.approx(0.25 * np.log(4) + 0.75 * np.log(4 / 3))
    assert (found["above"][0], found["tied"][0], found["below"][0], found["beside"][0]) == (1, 1, 0, 0.25)
    assert (found["group_above"][0], found["group_tied"][0], found["sure"][0]) == (1, 1, 0.75)
    assert found["brier"][0] == pytest.approx(0.75**2 + 0.75**2)
    masses = np.vstack([type_masses(belief[0], board), np.full(17, np.nan)])
    types = score_types(masses, np.array([hand_types(list(board))[aces], 0]))
    assert (types["type_above"][0], types["type_tied"][0]) == (1, 1)
    assert types["brier_type"][0] == pytest.approx(0.75**2 + 0.75**2)
    assert all(np.isnan(types[name][1]) for name in types)
    assert score(belief, np.array([trash]), NO_BOARD)["group_above"][0] == 0


@pytest.mark.parametrize(
    "wrong",
    [np.zeros(1326), np.full(1326, 1.0), np.ones(10) / 10, -np.ones(1326) / 1326, np.full(1326, np.nan)],
)
def test_invalid_beliefs_are_refused(wrong):
    with pytest.raises(ValueError, match=r"1,326 probabilities"):
        score(wrong[None], np.array([0]), NO_BOARD)


def ranks_of_every_order(levels, truth):
    """The rank of the truth in each order of states by level, greatest first."""
    for order in permutations(range(len(levels))):
        if all(levels[a] >= levels[b] for a, b in pairwise(order)):
            yield 1 + order.index(truth)


@pytest.mark.parametrize(
    "levels", [(3, 1, 1, 1, 2, 0), (1, 1, 1, 1, 1, 1), (5, 4, 3, 2, 1, 0), (2, 2, 1, 1, 0, 0)]
)
def test_ranks_are_the_mean_over_every_tie_breaking(levels):
    for truth, level in enumerate(levels):
        above = np.array([float(sum(other > level for other in levels))])
        tied = np.array([float(levels.count(level))])
        ranks = np.array(list(ranks_of_every_order(levels, truth)))
        assert reciprocal(above, tied)[0] == pytest.approx((1 / ranks).mean())
        for k in range(1, 7):
            assert among(above, tied, k)[0] == pytest.approx((ranks <= k).mean())


def test_every_score_is_that_of_a_sort():
    rng = np.random.default_rng(3)
    board = rng.choice(52, 4, replace=False)
    boards = np.tile(np.append(board, 255).astype(np.uint8), (30, 1))
    free = ~HOLDS[board].any(axis=0)
    assert (free_of(boards) == free).all()
    levels = rng.integers(0, 6, (30, 1326)) * free  # many ties, and possible holdings that are excluded
    beliefs = levels / levels.sum(axis=1, keepdims=True)
    truths = rng.choice(np.flatnonzero(free), 30)
    found = score(beliefs, truths, boards)
    for row, (level, truth) in enumerate(zip(levels, truths, strict=True)):
        order = sorted(np.flatnonzero(free), key=lambda holding: -level[holding])
        places = [place for place, holding in enumerate(order) if level[holding] == level[truth]]
        assert (found["above"][row], found["tied"][row]) == (places[0], len(places))
        share = level / level.sum()
        assert found["below"][row] == pytest.approx(
            sum(share[order[place]] for place in range(places[-1] + 1, len(order)))
        )
        assert found["beside"][row] == pytest.approx(len(places) * share[truth])
        groups = [share[np.equal(GROUP_OF, group)].sum() for group in range(len(GROUPS))]
        assert found["sure"][row] == pytest.approx(max(groups))
        assert found["group_above"][row] == sum(mass > groups[GROUP_OF[truth]] + 1e-12 for mass in groups)


def test_rounding_breaks_no_tie():
    """Groups of one probability, whose sums differ in the last bit: the first four hold two fifths."""
    rng = np.random.default_rng(5)
    sizes = np.bincount(GROUP_OF, minlength=len(GROUPS))
    belief = (1 / sizes / len(GROUPS))[GROUP_OF] * (1 + rng.uniform(-1e-15, 1e-15, 1326))
    truths = rng.integers(0, 1326, 200)
    found = score(np.tile(belief / belief.sum(), (200, 1)), truths, np.tile(NO_BOARD, (200, 1)))
    assert set(among(found["group_above"], found["group_tied"], 4)) == {4 / len(GROUPS)}
    by_order = [
        np.argsort(-np.bincount(GROUP_OF, belief), kind="stable").tolist().index(g) < 4
        for g in GROUP_OF[truths]
    ]
    assert abs(np.mean(by_order) - 0.4) > 0.1  # what a stable sort makes of it: the labels' own frequencies
    assert NEAR < 1e-6


def drawn(rng, beliefs):
    """A truth of each belief, drawn from it."""
    return (beliefs.cumsum(axis=1) > rng.random((len(beliefs), 1))).argmax(axis=1)


def test_a_calibrated_belief_has_a_tenth_of_the_truths_in_each_tenth():
    rng, rows = np.random.default_rng(1), 4000
    beliefs = np.repeat(rng.dirichlet(np.full(60, 0.3), rows), 20, axis=1)  # 20 ties of each value
    beliefs = np.pad(beliefs, ((0, 0), (0, 126))) / beliefs.sum(axis=1, keepdims=True)
    boards = np.tile(NO_BOARD, (rows, 1))
    found = score(beliefs, drawn(rng, beliefs), boards)
    places = tenths(found["below"], found["beside"])
    assert places.sum(axis=1) == pytest.approx(1)
    error = places.std(axis=0) / np.sqrt(rows)
    assert (abs(places.mean(axis=0) - 0.1) < 4 * error).all()
    assert found["loss"].mean() == pytest.approx(found["entropy"].mean(), abs=0.05)


@pytest.mark.parametrize("power", [2.0, 0.5])
def test_a_belief_too_sharp_or_too_flat_has_not(power):
    rng, rows = np.random.default_rng(2), 2000
    beliefs = rng.dirichlet(np.full(1326, 0.5), rows)
    truths = drawn(rng, beliefs)
    wrong = beliefs**power
    found = score(wrong / wrong.sum(axis=1, keepdims=True), truths, np.tile(NO_BOARD, (rows, 1)))
    places = tenths(found["below"], found["beside"]).mean(axis=0)
    assert (places[0] > 0.13) if power > 1 else (places[0] < 0.08)


def test_a_truth_that_the_belief_excludes_is_at_the_very_beginning():
    belief = np.zeros((1, 1326))
    belief[0, :4] = 0.25
    found = score(belief, np.array([700]), board_of("2c2d2h"))
    assert tenths(found["below"], found["beside"]).tolist() == [[1.0] + [0.0] * 9]
    assert found["below"][0] + found["beside"][0] == 0
    blocked = HOLDS[[0, 1, 2]].any(axis=0)
    assert found["tied"][0] == 1326 - blocked.sum() - (4 - blocked[:4].sum())
