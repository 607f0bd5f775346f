"""The model of an individual beside its formulas, and its membership beside the clusters'."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.game import Action, State, Variant
from baycarp.kernels.search import CHOICES, INPUTS
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.individual import PRIOR, Individual, PredictedAct
from baycarp.opponents.moves.players import BLIND, Players
from baycarp.opponents.moves.reading import Reader
from baycarp.trees import DecisionTree

TWO = Variant.load("holdem.nolimit.2p.100bb")


def leaf(fold, call):
    return [fold, call, *[(1 - fold - call) / (CHOICES - 2)] * (CHOICES - 2)]


def halves(weak, strong):
    """Trees of two leaves: buckets below 15, and the others."""
    nodes = np.array([(14.5, INPUTS - 1, 1), (0, -1, 0), (0, -1, 1)], NODE)
    return (DecisionTree(nodes, np.array([leaf(*weak), leaf(*strong)])),) * 8


@pytest.fixture
def players():
    tight, loose = halves((0.8, 0.15), (0.05, 0.15)), halves((0.1, 0.8), (0.1, 0.8))
    return Players((tight, loose, tight), (0.75, 0.25))


def mixture(first, second):
    return np.array([first, second, *[0.0] * len(BLIND)])


def test_without_an_action_it_is_the_mixture(players):
    found = Individual(players).values(mixture(0.75, 0.25))
    expected = 0.75 * np.array([leaf(0.8, 0.15), leaf(0.05, 0.15)]) + 0.25 * np.array([leaf(0.1, 0.8)] * 2)
    assert len(found) == 8
    for values in found:
        assert values == pytest.approx(expected)


def test_an_action_counts_in_leaves_and_shares(players):
    """A call with a holding that is weak with probability 0.3, by the definition."""
    model, weak = Individual(players), 0.3
    buckets = np.repeat([3, 20], 663).astype(np.uint8)
    holdings = np.repeat([weak / 663, (1 - weak) / 663], 663)
    leaves = (np.arange(OUTS.count) >= 15).astype(np.intp)
    by_leaf = np.array([values[leaves] for values in players.leaf_values[1]])
    chances = np.concatenate([by_leaf, by_leaf[:1]])  # the last one is the individual's
    model.learn([PredictedAct(1, 1, leaves, buckets, chances)], holdings, mixture(1.0, 0.0))
    base = np.array([leaf(0.8, 0.15), leaf(0.05, 0.15)])
    expected = weak * base[0] + (1 - weak) * base[1]
    factor = np.repeat(
        [
            PRIOR / (PRIOR + expected[0]),
            (PRIOR + 1) / (PRIOR + expected[1]),
            PRIOR / (PRIOR + expected[2:].sum()),
        ],
        [1, 1, CHOICES - 2],
    )
    corrected = base * factor
    corrected /= corrected.sum(axis=1, keepdims=True)
    counts = np.zeros((2, CHOICES))
    counts[:, 1] = weak, 1 - weak
    found = model.values(mixture(1.0, 0.0))
    assert found[1] == pytest.approx(
        (PRIOR * corrected + counts) / (PRIOR + counts.sum(axis=1, keepdims=True))
    )
    assert found[0] == pytest.approx(base)  # another situation


def folded():
    """A hand with raises before the flop and a fold to a bet on it, no holding of the folder shown."""
    state = State(TWO)
    state.apply(state.named("raise"))
    state.apply(state.named("raise"))
    state.apply(state.named("call"))
    state.deal(board="9s8d3c")
    state.apply(Action("bet", 500))
    state.apply(Action("fold"))
    return state


def test_what_no_cluster_explains_becomes_the_individuals(players):
    """Before the flop all raises, on it all folds: no cluster plays so, the individual's model learns it."""
    reader, played, names = Reader(players), folded(), ("ann", "bob")
    seat = next(act.seat for act in played.acts if act.action.name == "fold")
    assert reader.membership(names[seat])[-1] == 0.5
    for number in range(25):
        reader.learn(played.observe(1 - seat, names, number))
    assert reader.membership(names[seat])[-1] > 0.9
    row = np.zeros((1, INPUTS))
    folds = reader.policies(State(TWO).observe(1 - seat, names, 99)).chances(row, 3)[:, 0, 0]
    assert folds[-2] > 0.9 > folds[1]  # to a bet on the flop: the individual's, and the loose cluster's
    alone = Reader(players, own=0)
    alone.learn(played.observe(1 - seat, names))
    assert alone.membership(names[seat])[-1] == 0


@pytest.mark.parametrize("own", [-0.1, 1.0, np.nan])
def test_a_share_outside_its_range_is_refused(players, own):
    with pytest.raises(ArgumentError, match="own"):
        Reader(players, own=own)
