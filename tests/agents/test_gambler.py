"""Gambler at the table: legal actions, published prices, settings, time limits."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.gambler import GamblerStage
from baycarp.agents.trace import stage_of
from baycarp.arena.hand import play_hand
from baycarp.errors import ModelError, TableError
from baycarp.game import State, Variant

GAME = "holdem.limit.6p"


def decided(line, agent="gambler"):
    return baycarp.load(agent).decide(baycarp.observe(line, game=GAME))


def test_aces_raise_and_the_worst_hand_folds_under_the_gun():
    assert decided("MATCHSTATE:2:0::||AhAd|||").action.name == "raise"
    assert decided("MATCHSTATE:2:0::||7h2d|||").action.name == "fold"


def test_a_reraise_is_folded_by_a_dominated_hand():
    line = "MATCHSTATE:2:0:rfffrr:||{}|||"
    assert decided(line.format("QhTd")).action.name == "fold"
    aces = decided(line.format("AhAd"))
    assert aces.action.name in ("call", "raise")
    assert stage_of(aces.trace, GamblerStage).network == "re-raise"
    assert stage_of(aces.trace, GamblerStage).win == pytest.approx(1)


@pytest.mark.parametrize("form", ["independent", "joint"])
def test_the_nuts_bet_and_nothing_folds_after_the_flop(form):
    agent = f"gambler(form='{form}')"
    line = "MATCHSTATE:0:0:rfffcf/:{}|||||/QsJsTs"
    nuts = decided(line.format("AsKs"), agent)
    assert nuts.action.name == "bet"
    stage = stage_of(nuts.trace, GamblerStage)
    assert stage.draws["straight flush"] == 1
    assert stage.win == pytest.approx(1)


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_every_hand_ends_legally(seats):
    variant = Variant.ring(seats)
    agents = [baycarp.load("gambler" if seat % 2 else "random") for seat in range(seats)]
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, seat)
    rng = np.random.default_rng(seats)
    for number in range(4):
        deck = rng.permutation(52)[: 2 * seats + 5].astype(np.uint8)
        names = tuple(f"p{seat}" for seat in range(seats))
        assert sum(play_hand(State(variant, deck=deck), agents, names, number).payoffs()) == 0


def test_no_time_gives_the_cheapest_action_and_less_than_certainty():
    observation = baycarp.observe("MATCHSTATE:2:0::||AhAd|||", game=GAME)
    decision = baycarp.load("gambler").decide(observation, time_limit=1e-9)
    assert decision.action.name == "fold"
    assert not decision.exact


def test_other_settings_and_games_are_refused():
    for spec in ("gambler(bias='wild')", "gambler(form='both')", "gambler(learning=1)"):
        with pytest.raises(ModelError):
            baycarp.load(spec)
    with pytest.raises(TableError):
        baycarp.load("gambler").sit(0, Variant.load("holdem.nolimit.3p"), 1)


def test_an_opponent_model_of_gambler_begins_without_cases():
    player = baycarp.load("baycarp2(opponents='gambler')")
    assert not any(map(len, player.casebases.values()))
