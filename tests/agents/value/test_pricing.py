"""The cheap valuation against full enumeration."""

from itertools import combinations

import numpy as np
import pytest
from reference.play import play

from baycarp.agents.anytime import Recorder
from baycarp.agents.value.pricing import PotShare, by_equity, last_share, price, share_of, sharper
from baycarp.agents.value.spot import Valued, ValueSpot
from baycarp.agents.value.stages import ActionValue
from baycarp.budget import Budget
from baycarp.card import cards, holding_index
from baycarp.game import Action, State, Variant
from baycarp.game.notation.observe import observe
from baycarp.kernels.hands import rank

RIVER = "MATCHSTATE:0:0:rc/crc/crc/cr:9sTc|/Js6c4c/3h/6d"
GAME = "holdem.limit.2p.reverse_blinds"


def enumerated(observation, weights):
    """The share on the river, holding by holding."""
    board, own = observation.board, observation.hole
    mine = rank(np.array([*own, *board], np.uint8))
    won = total = 0.0
    for a, b in combinations([card for card in range(52) if card not in (*board, *own)], 2):
        weight = weights[holding_index(a, b)]
        other = rank(np.array([a, b, *board], np.uint8))
        won += weight * ((mine > other) + (mine == other) / 2)
        total += weight
    return won / total


def test_a_call_on_the_river_is_worth_share_and_price_exactly():
    observation = observe(RIVER, game=GAME)
    weights = np.random.default_rng(4).random(1326)
    share = share_of(observation, {1: weights}, 0)
    assert share.mean == pytest.approx(enumerated(observation, weights), abs=1e-12)
    state = observation.state
    assert price(observation) == pytest.approx(state.owed / (state.pot + state.owed))
    call = Action("call", state.owed)
    (value,) = by_equity(observation, {1: weights}, share, [call], lambda *_: np.zeros(1326))
    assert (value.chips, value.error) == (
        pytest.approx(share.mean * (state.pot + state.owed) - state.owed),
        0.0,
    )


def test_a_raise_wins_the_pot_where_all_fold_and_is_called_where_none_does():
    observation = observe(RIVER, game=GAME)
    weights, state, bold = np.ones(1326), observation.state, Action("raise", 40)
    share = share_of(observation, {1: weights}, 0)
    (folded,) = by_equity(observation, {1: weights}, share, [bold], lambda *_: np.ones(1326))
    assert folded.chips == pytest.approx(state.pot)
    (called,) = by_equity(observation, {1: weights}, share, [bold], lambda *_: np.zeros(1326))
    assert called.chips == pytest.approx(share.mean * (state.pot + 40 + 20) - 40)


def test_against_several_the_share_is_sampled_within_its_error():
    observation = observe("MATCHSTATE:0:7:ccc/ccc/ccc/cr:AsAd||/Js6c4c/3h/6d", game="holdem.limit.3p")
    held = np.zeros(1326)
    for text in ("KsKd", "QsQd", "JhJd"):
        held[holding_index(*map(int, cards(text)))] = 1
    share = share_of(observation, {1: held, 2: held}, 5)
    # Of the six deals of two holdings four have the set of jacks.
    assert abs(share.mean - 1 / 3) < 4 * share.error
    assert 0 < share.error < 0.05


def test_chips_that_no_opponent_can_match_are_not_played_for():
    """A short stack all-in: the caller plays for what it can win."""
    state = State(Variant.ring(2, betting="no-limit", stacks=(20, 200)))
    state.apply(Action("raise", 200))
    state.deal({state.to_act: "AsAd"})
    observation = state.observe(state.to_act)
    assert price(observation) == pytest.approx(18 / 40)


def test_the_share_of_a_last_call_is_that_of_its_value():
    state = play(Variant.load("holdem.limit.2p.reverse_blinds"), "c k k k k k b")
    state.deal({state.to_act: "KhQd"}, "7s6c4c3h6d")
    observation = state.observe(state.to_act)
    call = state.named("call")
    assert last_share(observation, [ActionValue(call, -8.0)]) == 12 / 60
    assert last_share(observation, [ActionValue(call, -20.5)]) == 0
    assert last_share(observation, [ActionValue(state.named("raise"), 3.0)]) is None
    turn = play(Variant.load("holdem.limit.2p.reverse_blinds"), "c k k k b")
    turn.deal({turn.to_act: "KhQd"}, "7s6c4c3h")
    assert last_share(turn.observe(turn.to_act), [ActionValue(turn.named("call"), -8.0)]) is None


LAST = "MATCHSTATE:0:18:crrcccrcfcccc/cccrrrcrccccc/crcccrccccrfcrcccc/rrccc:Kc6h||||||/AsJc3s/2h/Tc"
"""A call of 20 for 1,140 that ends the betting, of king high against five: found among random spots."""


@pytest.mark.parametrize(("text", "last"), [(LAST, True), (LAST.replace("rrccc:", "rrcc:"), False)])
def test_a_last_call_has_the_value_that_is_known_best(text, last):
    observation = observe(text, game="holdem.limit.7p")
    fold, call = (observation.state.named(name) for name in ("fold", "call"))
    rough = (ActionValue(fold, 0.0), ActionValue(call, -2.0, 18.0))
    sharp = (ActionValue(fold, 0.0), ActionValue(call, -12.0, 3.0))
    assert sharper(observation, rough, sharp) == (sharp if last else rough)
    assert sharper(observation, sharp, rough) == sharp


@pytest.mark.parametrize("solved", [False, True])
def test_what_a_look_ahead_holds_of_a_last_call_judges_the_prior_too(solved):
    """Of a blueprint it does not: that look-ahead is against other holdings."""
    observation = observe(LAST, game="holdem.limit.7p")._replace(players=tuple("abcdefg"))
    fold, call = (observation.state.named(name) for name in ("fold", "call"))
    rough = (ActionValue(fold, 0.0), ActionValue(call, -2.0, 18.0))
    sharp = (ActionValue(fold, 0.0), ActionValue(call, -12.0, 3.0))
    prior, priced = {fold: 0.5, call: 0.5}, (PotShare(0.015, 0.015), rough)
    spot = ValueSpot(observation, prior, {}, 0.4, solved, 1, priced, ())
    answer = spot.answer(Recorder(Budget().start()), Valued("look-ahead", sharp))
    assert answer.policy[call] == pytest.approx(0.3 if solved else 0.0)
