"""The belief about an opponent: from the seat's observation alone, by the network."""

import numpy as np
import pytest
from reference.beliefs import posterior
from reference.hand_types import hand_group
from reference.play import play, random_hand

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.card import HOLDINGS, cards
from baycarp.errors import EvidenceError
from baycarp.game.variant import Variant
from baycarp.opponents.belief import mean_types
from baycarp.opponents.network.model import NetworkModel, evidence_of
from baycarp.opponents.network.ranges import TopGroups
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.opponents.network.topology import OBSERVED, STRUCTURE, TYPE_NODES
from baycarp.rules import PlayerView
from baycarp.rules.hand import GROUPS, TYPES
from baycarp.strategies.model import load_model

FOUR = TopGroups(4)
HABITS = PlayerStats(hands=100, voluntary=25, raised=7)
DECK = cards("9c9h 2s2d AhKd 3c3d JsTd4c 2h Qs").tolist()
"""Positions 0..3 of four: the observer is 0, the opponent 2."""


@pytest.fixture(scope="module")
def network(small_model):
    return load_model(small_model).network


@pytest.fixture(scope="module")
def inference(network):
    return Inference(network)


def believe(inference, view, rule, player=""):
    """What the model believes about a player with these statistics."""
    observation = view.observation
    evidence = evidence_of(inference, view, observation.street)
    return NetworkModel(inference, rule).suppose(observation, view.position, player, evidence)


def asked(actions, inference, habits=HABITS):
    state = play(Variant.ring(4), actions, DECK)
    return believe(
        inference, PlayerView(state.observe(0, ("hero", "b", "villain", "d")), 2, habits), FOUR, "villain"
    )


PREFLOP = {"Position": "Early", "VPIP": "a20_30", "PFR": "a5_10", "Action": "Raise"}
FLOP = PREFLOP | {"Board": "JLow", "ActionFlop": "ContinuationBet"}
TURN = FLOP | {"BoardChangeTurn": "Low", "ActionFlop": "Call", "ActionTurn": "Bet"}
RIVER = TURN | {"BoardChangeRiver": "FirstQ", "ActionTurn": "Call", "ActionRiver": "Bet"}


@pytest.mark.parametrize(
    ("actions", "evidence"),
    [
        ("r f", PREFLOP),
        ("r f c f  k b", FLOP),
        ("r f c f  b c  k b", TURN),
        ("r f c f  b c  b c  k b", RIVER),
    ],
)
def test_evidence_is_the_observation_of_each_street(actions, evidence, inference):
    assert asked(actions, inference).evidence == evidence


def test_hidden_information_is_no_evidence(inference):
    unknown = asked("r f", inference, PlayerStats())
    assert unknown.evidence == {"Position": "Early", "Action": "Raise"}
    state = play(Variant.ring(4), "", DECK)  # position 2 is the first to act
    first = believe(inference, PlayerView(state.observe(0), 2, HABITS), FOUR)
    assert set(first.evidence) == {"Position", "VPIP", "PFR"}
    assert not first.types


def test_structure_is_the_thesis(network):
    assert network.structure == STRUCTURE
    hidden = {"HandGroup", *TYPE_NODES[1:]}
    assert {name for nodes in OBSERVED for name in nodes} == set(STRUCTURE.nodes) - hidden
    arcs = {(parent, node) for node in STRUCTURE.nodes for parent in STRUCTURE.parents[node]}
    assert len(arcs) == 4 + 3 + 3 * 3
    assert {("PFR", "HandGroup"), ("HandType", "HandTypeTurn"), ("ActionTurn", "ActionRiver")} <= arcs


def test_posterior_is_the_sum_over_everything_unseen(network, inference):
    rng = np.random.default_rng(5)
    for _ in range(8):
        _, observation = random_hand(Variant.ring(4), rng, boldness=0.6)
        table = observation[-1].state
        position, seat = table.seats_in[0], table.seats_in[1]
        habits = (
            PlayerStats(hands=10, voluntary=int(rng.integers(11))) if rng.random() < 0.7 else PlayerStats()
        )
        belief = believe(inference, PlayerView(table.observe(seat), position, habits), FOUR)
        found = {"HandGroup": belief.groups, TYPE_NODES[table.street]: belief.types}
        names = {"HandGroup": GROUPS, TYPE_NODES[table.street]: TYPES}
        for node in filter(None, found):
            wanted = posterior(network, belief.evidence, node)
            assert list(found[node]) == list(names[node])
            np.testing.assert_allclose(list(found[node].values()), wanted, atol=1e-12)


def test_weights_are_the_four_likeliest_groups_without_the_known_cards(inference):
    belief = asked("r f c f  b c  k b", inference)
    likeliest = sorted(belief.groups, key=lambda group: -belief.groups[group])[:4]
    known = set(cards("9c9h JsTd4c 2h").tolist())
    for holding, weight in zip(HOLDINGS.tolist(), belief.weights, strict=True):
        allowed = not known & set(holding) and hand_group(holding) in likeliest
        assert weight == float(allowed)


def test_opponents_cards_and_later_streets_change_nothing(inference):
    other = cards("9c9h 2s2d 7h6d 3c3d JsTd4c 2h Ac").tolist()  # another hand for him, another river
    state = play(Variant.ring(4), "r f c f  b c  k b", other)
    there = believe(inference, PlayerView(state.observe(0), 2, HABITS), FOUR)
    here = asked("r f c f  b c  k b", inference)
    assert (here.evidence, here.groups, here.types) == (there.evidence, there.groups, there.types)
    assert np.array_equal(here.weights, there.weights)


def test_impossible_evidence_is_an_error(network):
    never = network.cpt("Action").copy()
    never[STRUCTURE.states["Action"].index("Raise")] = 0
    cpts = {node: network.cpt(node) for node in STRUCTURE.nodes} | {"Action": never / never.sum()}
    with pytest.raises(EvidenceError):
        asked("r f", Inference(Network(STRUCTURE, cpts)))


def test_several_opponents_are_believed_as_each_alone(inference):
    observation = play(Variant.ring(4), "r f c c  b c", DECK).observe(0, ("hero", "b", "villain", "d"))
    model = NetworkModel(inference, FOUR)
    model.statistics.of("villain").hands = 3
    for position, belief in model.believe_all(observation, {2: "villain", 1: "b"}).items():
        alone = model.believe(observation, position, belief.player)
        assert (belief.evidence, belief.groups, belief.types) == (alone.evidence, alone.groups, alone.types)
        assert np.array_equal(belief.weights, alone.weights)


def test_mean_types(inference):
    state = play(Variant.ring(4), "r f c c  b c c", DECK)
    observation = state.observe(0)
    beliefs = {position: believe(inference, PlayerView(observation, position), FOUR) for position in (1, 2)}
    mean = mean_types(beliefs)
    assert sum(mean.values()) == pytest.approx(1)
    for name in TYPES:
        assert mean[name] == pytest.approx((beliefs[1].types[name] + beliefs[2].types[name]) / 2)
    assert list(mean.values()) == sorted(mean.values(), reverse=True)
    assert mean_types({}) == {}
