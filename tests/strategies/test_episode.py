"""An episode, from the question to the settled case: the same for the player and for the trainer."""

from dataclasses import replace

import numpy as np
import pytest
from reference.players import case_player

from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.card import cards, holding_index
from baycarp.cases import CaseBase
from baycarp.game import Acted
from baycarp.game.notation.hand import Hand
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal
from baycarp.opponents.belief import NONE, Belief
from baycarp.rules.hand import TYPES
from baycarp.rules.outcome import HandResult, g_bucks
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS, WITHOUT_NETWORK
from baycarp.strategies.episode import Episode, decision_point, provenance
from baycarp.strategies.model import load_model
from baycarp.training.casebases import cases_of_session

RING = Variant.ring(4)
NAMES = ("We", "A", "B", "C")
HANDS = 25


class Recorded:
    """A store that records retained cases in order."""

    def __init__(self):
        self.cases = []

    def retain(self, base, case):
        self.cases.append((base, case))


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


@pytest.fixture(scope="module")
def without(model):
    """A model without a network, and without a case: the player begins with nothing."""
    casebases = {name: CaseBase(schema) for name, schema in WITHOUT_NETWORK.bases.items()}
    return replace(model, strategy=WITHOUT_NETWORK, network=None, casebases=casebases)


def session(model, **settings):
    """Play a session; returns the player, its retained cases, and the hands."""
    store, hands = Recorded(), []
    player = case_player(model, store=store, **settings)
    others = [load(spec) for spec in ("jag", "formula", "call")]
    for seat, agent in enumerate([player, *others]):
        agent.sit(seat, RING, 7 + seat)
    for hand in range(HANDS):
        turn = hand % 4  # the button moves
        agents, names = [player, *others], list(NAMES)
        agents, names = agents[turn:] + agents[:turn], tuple(names[turn:] + names[:turn])
        state = play_hand(State(RING, deck=deal(11, 0, hand, 13)), agents, names, hand)
        hands.append((Hand.of(state, names, hand), state))
    return player, store.cases, hands


def same(case, other):
    """Whether two cases are equal."""
    return (
        (case.solution, case.outcome) == (other.solution, other.outcome)
        and case.situation.numbers.tobytes() == other.situation.numbers.tobytes()
        and case.situation.codes.tobytes() == other.situation.codes.tobytes()
        and case.provenance == other.provenance
    )


@pytest.mark.parametrize("revise", ["cost", "net", "g-bucks"])
@pytest.mark.parametrize("network", [True, False])
def test_player_and_trainer_settle_the_same_cases(model, without, network, revise):
    """The trainer, which watches the hands, describes the player's decisions just as the player did."""
    player, retained, hands = session(model if network else without, revise=revise)
    records = [hand for hand, _ in hands]
    watched = list(cases_of_session(records, -1, player.strategy, player.model.network, {"We"}))
    assert [base for base, _ in retained] == [settled.base for settled in watched]
    for (_, case), settled in zip(retained, watched, strict=True):
        assert same(case, settled.case)
    assert {base for base, _ in retained} == set(BAYCARP2.bases)
    assert len({case.outcome > 0 for _, case in retained}) == 2
    assert len(retained) > HANDS


def test_in_hindsight_they_differ_only_by_the_cards_that_were_not_shown(model):
    player, retained, hands = session(model, revise="hindsight")
    records = [hand for hand, _ in hands]
    watched = list(cases_of_session(records, -1, player.strategy, player.model.network, {"We"}))
    equal = [same(case, settled.case) for (_, case), settled in zip(retained, watched, strict=True)]
    assert all(
        same(replace(case, outcome=0.0), replace(settled.case, outcome=0.0))
        for (_, case), settled in zip(retained, watched, strict=True)
    )
    shown = [all_shown for hand, state in hands for all_shown in showings(hand, state)]
    assert len(shown) == len(equal)
    assert all(same for same, all_shown in zip(equal, shown, strict=True) if all_shown)
    assert any(shown)
    assert not all(equal)


def showings(hand, state):
    """For each of the player's acts, whether all players still in showed their cards at the end."""
    inside, ours = set(range(4)), hand.players.index("We")
    for act in state.acts:
        if act.seat == ours:
            yield len(state.seats_in) > 1 and inside - {ours} <= set(state.seats_in)
        if act.action.name == "fold":
            inside.discard(act.seat)


def test_an_outcome_is_the_signed_cost_of_the_act(model):
    """From the record of the hands alone (Unger 2011, section 5.4.5)."""
    _, retained, hands = session(model)
    expected = []
    for hand, state in hands:
        position = hand.players.index("We")
        share = state.payoffs()[position] + state.committed[position]
        for act in state.acts:
            if act.seat == position:
                expected.append(act.paid / 2 if share > 0 or not act.paid else -act.paid / 2)
    assert [case.outcome for _, case in retained] == expected
    assert {outcome > 0 for outcome in expected} == {True, False}


# One episode


def observation_of(hand=3, *names):
    state = State(Variant.ring(3), deck=range(11))
    for name in names:
        state.apply(state.named(name))
    return state.observe(state.to_act, ("a", "b", "c"), hand), state


def test_a_decision_point_is_the_strategys_description():
    observation, _ = observation_of(3, "call", "call", "check")
    point = decision_point(BAYCARP2, observation, beliefs(observation))
    assert point.schema == SCHEMAS[1]
    assert point.values == BAYCARP2.describe(observation, beliefs(observation), SCHEMAS[1])
    assert same_situation(point.situation, SCHEMAS[1].situation(point.values))


def same_situation(one, other):
    return one.numbers.tolist() == other.numbers.tolist() and one.codes.tolist() == other.codes.tolist()


def beliefs(observation):
    """Anything is held by anybody."""
    types = np.eye(len(TYPES))[0]
    return {
        position: Belief(position, "", {}, NONE, types, np.ones(1326))
        for position in observation.state.seats_in
        if position != observation.seat
    }


def test_a_decision_is_answered_by_its_own_act_alone():
    observation, state = observation_of(3)
    point = decision_point(WITHOUT_NETWORK, observation, {})
    before = state.observe(None, ("a", "b", "c"), 3)
    act = state.apply(state.named("raise"))
    assert point.is_answered_by(Acted(before, act))
    assert not point.is_answered_by(Acted(before._replace(hand=4), act))
    assert not point.is_answered_by(Acted(before, act._replace(seat=1)))
    assert not point.is_answered_by(Acted(state.observe(None, ("a", "b", "c"), 3), act))


def test_an_act_is_settled_as_a_case():
    observation, state = observation_of(3)
    episode = Episode(WITHOUT_NETWORK)
    point = decision_point(WITHOUT_NETWORK, observation, {})
    episode.act(point, state.apply(state.named("raise")))
    (settled,) = episode.settle(HandResult(5, True))
    assert (settled.base, settled.case.solution, settled.case.outcome) == ("preflop", "raise", 2.0)


def test_an_episode_without_decisions_settles_nothing():
    assert Episode(BAYCARP2).settle(HandResult(-1, False)) == []


def test_outcomes_are_of_the_ranges_that_were_believed_then():
    """Aces are worth less against two kings than against seven and two, whatever the result of the hand."""
    names, values = ("a", "b", "c"), []
    for strong in (True, False):
        state = State(Variant.ring(3))
        state.deal({2: "AhAd"})
        observation = state.observe(2, names, 1)
        weights = np.zeros(1326)
        weights[holding_index(*cards("KsKd" if strong else "7s2d"))] = 1.0
        believed = {at: Belief(at, names[at], {}, NONE, NONE, weights) for at in (0, 1)}
        strategy = replace(WITHOUT_NETWORK, outcome=g_bucks)
        episode = Episode(strategy)
        episode.act(decision_point(strategy, observation, believed), state.apply(state.named("raise")))
        (settled,) = episode.settle(HandResult(-4, False))
        values.append(settled.case.outcome)
    assert values[1] > values[0] > 0


@pytest.mark.parametrize(("hand", "kept"), [(7, 7), (2**31 - 1, 2**31 - 1), (2**31, 0), (-(2**31), 0)])
def test_provenance_fits_its_columns(hand, kept):
    observation, _ = observation_of(hand, "call", "call", "check")
    where = provenance(observation, 5)
    assert where["hand"] == kept
    assert (where["session"], where["player"], where["hole"]) == (5, 0, observation.hole)
    assert where["board"] == (*observation.board, 255, 255)
