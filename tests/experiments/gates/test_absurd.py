"""No action that no good player takes, in spots of every number of seats; and what finds them is right."""

from functools import partial

import numpy as np
import pytest
from reference.play import play

from baycarp.agents.base import Decision
from baycarp.agents.registry import DEFAULT, load
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.budget import Budget
from baycarp.card import blocked_by, cards, holding_index
from baycarp.estimation import equities
from baycarp.game import State, Variant
from baycarp.game.action import Action
from baycarp.kernels.hands import rank
from baycarp.opponents.belief import belief_of
from experiments.gates.absurd import GAMES, TABLE, absurd, pot_share, spots, unordered

SMALL = Budget(playouts=50)

RNG = np.random.default_rng


def findings(name, tables):
    agent, other = load(name), load(name)
    decide, found, decided = partial(other.decide, budget=SMALL), [], 0
    for table in tables:
        for observation, decision, rng in spots(agent, table, TABLE, 1, SMALL):
            found += [*absurd(agent, observation, decision, rng), *unordered(other, observation, decide)]
            decided += 1
    return found, decided


@pytest.mark.slow
def test_the_default_agent_does_nothing_absurd():
    found, decided = findings(DEFAULT, range(25))
    assert decided == 500
    assert found == []


def test_a_vote_of_similar_cases_pays_too_much():
    tables = [table for table, game in enumerate(GAMES) if game.betting == "limit"]
    found, _ = findings("baycarp2(opponents='styles')", tables)
    assert sum("calls" in each for each in found) >= 5


def test_the_games_have_every_number_of_seats():
    assert {game.seats for game in GAMES} == {*range(2, 11)}
    assert {game.betting for game in GAMES} == {"limit", "no-limit"}


class Believing:
    """It believes that everybody has a range, and values a call by a rule of its own."""

    def __init__(self, weights=None, value=lambda hole: 0.0):
        self.weights, self.value = np.ones(1326) if weights is None else weights, value

    def beliefs(self, observation):
        free = self.weights * ~blocked_by((*observation.hole, *observation.board))
        inside = [seat for seat in observation.state.seats_in if seat != observation.seat]
        return {seat: belief_of((seat, ""), {}, free / free.sum(), observation.board) for seat in inside}

    def sit(self, seat, variant, seed):
        """Nothing is remembered."""

    def suppose(self, ranges):
        """The belief is not used."""

    def decide(self, observation):
        action = observation.state.named("call")
        values = (ActionValue(action, self.value(observation.hole)),)
        return Decision(action, {action: 1.0}, trace=(ValueStage("equity", 0.0, 0.0, values=values),))


def river(hole, board="Js6c4c3h6d", names="c k k k k k b"):
    """Heads-up at the last bet of a hand."""
    state = play(Variant.load("holdem.limit.2p.reverse_blinds"), names)
    state.deal({state.to_act: hole}, board)
    return state.observe(state.to_act)


def words(observation, name, agent=None, stage=()):
    action = Action("fold") if name == "fold" else observation.state.named(name)
    decision = Decision(action, {action: 1.0}, trace=stage)
    return [*absurd(agent or Believing(), observation, decision, RNG(1))]


def test_a_call_below_its_price_is_found():
    """The call costs 20 of 60; of any two cards, seven-high beats three in a hundred."""
    (found,) = words(river("7h2d"), "call")
    assert found.startswith("calls 20 for 60 with 0.0")
    assert words(river("7h2d"), "fold") == words(river("JhJd"), "call") == []


def test_a_call_within_its_own_error_is_none():
    call = ActionValue(Action("call", 20), -15.0, 20.0)
    assert words(river("7h2d"), "call", stage=(ValueStage("equity", 0.0, 0.3, values=(call,)),)) == []


def test_folds_are_found():
    assert words(river("7h2d", names="c k k k k k"), "fold") == ["folds where a check is free"]
    assert words(river("6h6s"), "fold") == ["folds the best possible hand"]
    assert words(river("2h2s", board="AcKcQcJcTc"), "fold") == ["folds the best possible hand"]


def test_a_call_that_is_worth_more_to_the_weaker_hand_is_found():
    sound = Believing(value=lambda hole: float(rank([*hole, *river("7h2d").board])))
    wrong = Believing(value=lambda hole: -float(rank([*hole, *river("7h2d").board])))
    observations = [river("7h2d")._replace(hand=hand) for hand in range(5)]
    assert [found for each in observations for found in unordered(sound, each, sound.decide)] == []
    found = [found for each in observations for found in unordered(wrong, each, wrong.decide)]
    assert len(found) == len(observations)


def after_call(observation):
    after = observation.state.copy()
    after.apply(after.named("call"))
    return after


@pytest.mark.parametrize("hole", ["7h2d", "9sTc", "6h6s", "JhJd"])
def test_the_share_on_the_river_is_exact(hole):
    observation = river(hole)
    weights = RNG(5).random(1326) * ~blocked_by((*observation.hole, *observation.board))
    share, error = pot_share(observation, after_call(observation), {1 - observation.seat: weights}, RNG(1))
    assert error == 0
    assert share == pytest.approx(equities(hole, weights, board=observation.board).shares[0], abs=1e-12)


def to_call(hole, stacks, actions, board=""):
    """Three players, of which the one to act has the hole cards."""
    state = State(Variant.ring(3, 10, betting="no-limit", stacks=stacks))
    for name, amount in actions:
        state.apply(Action(name, amount))
    state.deal({state.to_act: hole}, board)
    return state.observe(state.to_act)


def test_the_share_of_three_before_the_flop_is_that_of_the_estimate():
    observation = to_call("AhKd", (200, 200, 200), [("raise", 200), ("call", 195)])
    ranges = {seat: np.where(blocked_by(observation.hole), 0.0, 1.0) for seat in (0, 2)}
    share, error = pot_share(observation, after_call(observation), ranges, RNG(1))
    budget = Budget(playouts=200_000)
    expected = equities("AhKd", *ranges.values(), budget=budget, seed=1)
    assert 0 < error < 0.01
    assert share == pytest.approx(expected.shares[0], abs=4 * (error + expected.errors[0]))


def test_a_side_pot_is_shared_among_those_that_are_in_it():
    """Aces are beaten in the main pot alone: the deepest opponent has kings, the short one a royal flush."""
    checked = [("call", 10), ("call", 5), *7 * [("check", 0)]]
    actions = [*checked, ("bet", 90), ("raise", 290)]
    observation = to_call("AsAd", (100, 300, 300), actions, "QhJhTh2c3d")
    ranges = {0: np.zeros(1326), 1: np.zeros(1326)}
    ranges[0][holding_index(*cards("AhKh"))] = ranges[1][holding_index(*cards("KcKd"))] = 1
    share, error = pot_share(observation, after_call(observation), ranges, RNG(1))
    assert (share, error) == pytest.approx((400 / 700, 0), abs=1e-12)
