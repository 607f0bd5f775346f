"""The clusters as an opponent model, beside Bayes written out over their shares of each choice."""

import numpy as np
import pytest

from baycarp.card import blocked_by
from baycarp.game import Action, HandOver, State, Variant
from baycarp.kernels.search import CHOICES, INPUTS
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.buckets import buckets_on
from baycarp.opponents.moves.model import ByMoves
from baycarp.opponents.moves.players import BLIND, BLIND_SHARE, Players, load_players
from baycarp.rules.features import SITUATIONS
from baycarp.rules.hand import GROUP_OF, GROUPS
from baycarp.trees import DecisionTree

GAME = Variant.load("holdem.nolimit.2p.100bb")
NAMES = ("ann", "bob")
HOLE = "AhAd"
SHARE = 0.75
TIGHT, LOOSE = ((0.8, 0.15), (0.05, 0.15)), ((0.1, 0.8), (0.1, 0.8))
"""Fold and call below and above the middle bucket."""


def tree(below, above):
    nodes = np.array([(14.5, INPUTS - 1, 1), (0, -1, 0), (0, -1, 1)], NODE)
    rows = [[*each, *[(1 - sum(each)) / (CHOICES - 2)] * (CHOICES - 2)] for each in (below, above)]
    return DecisionTree(nodes, np.array(rows))


@pytest.fixture
def model():
    tight, loose = ((tree(*each),) * len(SITUATIONS) for each in (TIGHT, LOOSE))
    return ByMoves(Players((tight, loose, tight), (SHARE, 1 - SHARE))).new(None)


@pytest.fixture
def observation():
    """Ann (position 0) has called a raise before the flop."""
    state = State(GAME)
    for name in ("raise", "call"):
        state.apply(state.named(name))
    state.deal({1: HOLE}, "Kc7d2s")
    state.apply(Action("bet", 100))
    return state.observe(1, NAMES)


def by_hand(observation, kind):
    """The posterior after one choice of Ann: a mean over clusters, blind players, and the mixture of both."""
    weak = buckets_on((), 2) < 15
    informed = (1 - BLIND_SHARE * len(BLIND)) * np.array([SHARE, 1 - SHARE])

    def chance(below, above):
        three = [np.array([fold, call, 1 - fold - call]) for fold, call in (below, above)]
        return np.where(weak, three[0][kind], three[1][kind])

    of_clusters = [chance(*TIGHT), chance(*LOOSE), *(np.full(len(weak), each[kind]) for each in BLIND)]
    mixture = np.array([*informed, *[BLIND_SHARE] * len(BLIND)]) @ np.array(of_clusters)
    free = ~blocked_by([*observation.hole, *observation.board])
    held = mixture * free
    return held / held.max()


def test_the_belief_is_the_posterior_of_the_holding_by_all_clusters(model, observation):
    belief = model.believe(observation, 0, "ann")
    first, second = belief.evidence
    assert belief.evidence == {first: "checks or calls", second: "bets or raises"}
    only_first = {first: "checks or calls"}
    weights = model.suppose(observation, 0, "ann", only_first).weights
    assert weights == pytest.approx(by_hand(observation, 1), rel=1e-4)
    held = belief.weights / belief.weights.sum()
    assert belief.group_chances == pytest.approx(np.bincount(GROUP_OF, held, len(GROUPS)))
    assert belief.type_chances.sum() == pytest.approx(1)


def test_what_is_supposed_replaces_an_act(model, observation):
    belief = model.believe(observation, 0, "ann")
    assert model.suppose(observation, 0, "ann", belief.evidence).weights == pytest.approx(belief.weights)
    first = next(iter(belief.evidence))
    raised = model.suppose(observation, 0, "ann", {first: "bets or raises"}).weights
    assert raised == pytest.approx(by_hand(observation, 2), rel=1e-4)
    nothing = model.suppose(observation, 0, "ann", {}).weights
    assert np.array_equal(nothing, ~blocked_by([*observation.hole, *observation.board]))


def test_another_act_is_possible_but_no_fold(model, observation):
    evidence = model.believe(observation, 0, "ann").evidence
    first, second = evidence
    assert list(model.possible(observation, 0, "ann", evidence)) == [
        (first, "bets or raises"),
        (second, "checks or calls"),
    ]


@pytest.mark.parametrize("adaptive", [True, False])
def test_a_model_learns_from_finished_hands_if_it_adapts(adaptive):
    spec = ByMoves() if adaptive else ByMoves().without_adaptation()
    model = spec.new(None)
    ended = State(GAME)
    for name in ("raise", "fold"):
        ended.apply(ended.named(name))
    ended.deal({0: "9c8c", 1: "KhKd"})
    for _ in range(3):
        model.learn(HandOver(ended.observe(1, NAMES), ()))
    fresh = spec.new(None).reader.membership("ann")
    assert np.array_equal(model.reader.membership("ann"), fresh) != adaptive


def test_the_specification_names_the_shipped_models():
    spec, digest = ByMoves(), load_players().digest
    assert (spec.kind, spec.needs_network) == ("moves", False)
    assert (spec.files, spec.digest(None)) == ((f"players {digest}",), digest[:16])
