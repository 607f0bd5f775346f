"""Cases of watched hands: every action, by its player's observation, with the outcome of the thesis' rule."""

import numpy as np
import pytest
from reference.play import play
from reference.spots import redealt

from baycarp.bn.inference import Inference
from baycarp.card import cards
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, states
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.model import ByActions, PlayerModels
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.model import ByNetwork, NetworkModel
from baycarp.opponents.uniform import new_opponent_model
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS, DescribeRanges, believing
from baycarp.strategies.model import load_model
from baycarp.training.casebases import cases_of_session

THREE = Variant.ring(3)
NAMES = ("Ann", "Bob", "Cleo")
DECK = cards("2c3d 4c5d AsAh AdKs7h 9c Js")
SPLIT = cards("2c2d AsKh AhKd AdKs7h 9c Js")


def hand(actions, deck=DECK, number=7):
    return Hand.of(play(THREE, actions, deck), NAMES, number)


@pytest.fixture(scope="module")
def network(small_model):
    return load_model(small_model).network


def cases(network, *hands):
    return list(cases_of_session(hands, 3, BAYCARP2, network))


def by_player(steps):
    return {
        position: [step for step in steps if step.case.provenance["player"] == position]
        for position in range(3)
    }


def table(steps):
    return {
        position: [(step.base, step.case.solution, step.case.outcome) for step in own]
        for position, own in by_player(steps).items()
    }


def test_every_action_of_every_player_is_a_case_with_its_outcome(network):
    assert table(cases(network, hand("r f c  k b c  k k  k b c"))) == {
        0: [("preflop", "fold", 0)],
        1: [("preflop", "call", -1), ("flop", "check", 0), ("flop", "call", -1),
            ("turn", "check", 0), ("river", "check", 0), ("river", "call", -2)],
        2: [("preflop", "raise", 2), ("flop", "bet", 1), ("turn", "check", 0), ("river", "bet", 2)],
    }  # fmt: skip


def test_a_fold_has_negative_outcomes_and_uncontested_pots_are_won(network):
    assert table(cases(network, hand("r c f  k b r f"))) == {
        0: [("preflop", "call", 1.5), ("flop", "check", 0), ("flop", "raise", 2)],
        1: [("preflop", "fold", 0)],
        2: [("preflop", "raise", -2), ("flop", "bet", -1), ("flop", "fold", 0)],
    }


def test_a_split_pot_is_won_by_both(network):
    split = table(cases(network, hand("r f c  b c  k k  k k", SPLIT)))
    assert split[1][1] == ("flop", "bet", 1)
    assert split[2][0] == ("preflop", "raise", 2)


def test_provenance(network):
    steps = by_player(cases(network, hand("r f c  k b c  k k  k b c")))
    assert steps[2][0].case.provenance == {
        "session": 3, "hand": 7, "player": 2, "board": (255,) * 5, "hole": tuple(cards("AsAh").tolist())
    }  # fmt: skip
    assert steps[1][-1].case.provenance["board"] == tuple(cards("AdKs7h9cJs").tolist())
    assert steps[1][1].case.provenance["board"] == (*cards("AdKs7h").tolist(), 255, 255)


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("numbers", "codes", "chances")
    )


@pytest.mark.parametrize(
    "opponents", [ByNetwork(), ByActions(Styles((sensible(),), (1.0,)))], ids=["network", "hand -> action"]
)
def test_features_are_those_of_a_seated_player(network, opponents):
    hands = (hand("r c c  k b c f  b c  k k"), hand("c c k  b r f c  k b c  b f", number=8))
    steps = cases_of_session(hands, 3, believing(BAYCARP2, opponents), network)
    made = [step for each in by_player(list(steps)).values() for step in each]
    opponent_model = new_opponent_model(opponents, Inference(network))
    assert isinstance(opponent_model, PlayerModels if isinstance(opponents, ByActions) else NetworkModel)
    wanted = {each: [] for each in range(3)}
    for one in hands:
        for state in states(one):
            if state.to_act is None:
                opponent_model.learn(HandOver(state.observe(None, NAMES), state.payoffs()))
                continue
            observation = state.observe(state.to_act, NAMES, one.id)
            schema = SCHEMAS[state.street]
            values = DescribeRanges()(observation, believe_all(opponent_model, observation), schema)
            wanted[state.to_act].append((schema.name, schema.situation(values)))
    for step, (name, situation) in zip(made, (case for own in wanted.values() for case in own), strict=True):
        assert step.base == name
        assert same(step.case.situation, situation)


def test_features_do_not_depend_on_cards_that_the_player_did_not_observe(network):
    actions, rng, asked = "r c c  k b c c  k b c f  k b c", np.random.default_rng(1), {0: 0, 1: 0, 2: 0}
    whole = play(THREE, actions, DECK)
    for number, state in enumerate(list(states(hand(actions)))[:-1]):
        position, nth = state.to_act, asked[state.to_act]
        other = redealt(state, position, rng)
        for act in whole.acts[number:]:
            other.apply(act.action)
        here, there = (
            by_player(cases(network, Hand.of(end, NAMES, 7)))[position][nth] for end in (whole, other)
        )
        assert same(here.case.situation, there.case.situation)
        assert other.holes != whole.holes
        asked[position] += 1
