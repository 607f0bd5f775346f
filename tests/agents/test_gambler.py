"""Gambler at the table: legal actions, published prices, settings, time limits."""

from types import SimpleNamespace

import numpy as np
import pytest

import baycarp
from baycarp.agents.gambler import Gambler, GamblerStage, Inferring
from baycarp.agents.trace import stage_of
from baycarp.arena.hand import play_hand
from baycarp.errors import ModelError, TableError
from baycarp.game import State, Variant
from baycarp.opponents.gambler.reverse import evidence_of, marginals
from baycarp.opponents.gambler.tables import stakes_state

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
    for settings in ("bias='wild'", "form='both'", "learning=1", "actions='turn'"):
        with pytest.raises(ModelError):
            baycarp.load(f"gambler({settings})")
    with pytest.raises(TableError):
        baycarp.load("gambler").sit(0, Variant.load("holdem.nolimit.3p"), 1)


def test_an_opponent_model_of_gambler_begins_without_cases():
    player = baycarp.load("baycarp2(opponents='gambler')")
    assert not any(map(len, player.casebases.values()))


def at_odds(gambler, win, owed, pot, acts=()):
    """The posteriors of a decision in late position, without a bias, by a probability of winning."""
    key = stakes_state(owed, pot), 2, *acts
    evidence = evidence_of(key, 1)
    found = marginals(gambler.networks.play_reraise.posterior(evidence, {"win": [1 - win, win]}))
    return gambler._priced(found, evidence, (key, SimpleNamespace(owed=owed, pot=pot)))[0]


def test_exact_pot_odds_part_fold_and_call_at_the_price():
    """The paper's 40:5: one win in nine breaks even, which the twelve states round to one in ten."""
    rounded, exact = Gambler(), Gambler(rounded=False)
    for owed, pot in ((5, 40), (2, 9), (4, 23), (1, 30)):
        price = owed / (owed + pot)
        for win, folds in ((price - 1e-4, True), (price + 1e-4, False)):
            found = at_odds(exact, win, owed, pot)
            assert bool(found["recommend"][0] > found["recommend"][1]) is folds
            assert found["action"].sum() == pytest.approx(1)
    found = at_odds(rounded, 0.105, 5, 40)["recommend"], at_odds(exact, 0.105, 5, 40)["recommend"]
    assert found[0][0] < found[0][1]
    assert found[1][0] > found[1][1]


def test_exact_odds_of_a_state_are_those_of_the_network():
    rounded, exact = Gambler(), Gambler(rounded=False)
    for owed, pot in ((1, 9), (1, 3), (3, 7)):  # 0.1, 0.25, 0.3: states of stakes
        for win in (0.05, 0.3, 0.8):
            one, other = at_odds(rounded, win, owed, pot), at_odds(exact, win, owed, pot)
            for node in ("recommend", "action"):
                assert one[node] == pytest.approx(other[node], abs=1e-12)


@pytest.mark.parametrize("form", ["joint", "independent"])
def test_a_sampled_decision_is_near_the_exact_one(form):
    line = "MATCHSTATE:0:0:rfffcf/:AhKd|||||/Ks7d2c"
    exact = stage_of(decided(line, f"gambler(form={form!r})").trace, GamblerStage)
    for inference in ("weighted", "hypercube"):
        spec = f"gambler(form={form!r}, inference={inference!r}, samples=20000)"
        found = stage_of(decided(line, spec).trace, GamblerStage)
        assert 0 < abs(found.win - exact.win) < 0.02
        assert found.evidence == exact.evidence
    with pytest.raises(ModelError, match="inference 'best'"):
        Inferring(inference="best")
    with pytest.raises(ModelError, match="samples 5"):
        Inferring(samples=5)


def test_the_published_form_has_the_papers_network_the_bias_of_the_table_and_exact_odds():
    player = baycarp.load("gambler(published=True)")
    assert (player.bias, player.networks.form, player.rounded, player.inferring.inference) == (
        "table",
        "independent",
        False,
        "exact",
    )


def test_acts_of_others_after_the_flop_move_the_price_by_their_place():
    """A raise from the first seats asks for three points more than the pot odds, none for no more."""
    seed, counted = Gambler(rounded=False), Gambler(rounded=False, actions="postflop")
    price = 5 / 45
    asked = {(0, 0, 0): 0, (1, 1, 1): 0, (2, 0, 0): 0.03, (0, 2, 0): 0.02, (2, 0, 2): 0.04}
    for acts, more in asked.items():
        for win, folds in ((price + more - 1e-4, True), (price + more + 1e-4, False)):
            found = at_odds(counted, win, 5, 40, acts)["recommend"]
            assert bool(found[0] > found[1]) is folds
    one, other = at_odds(counted, 0.3, 5, 40, (0, 0, 0)), at_odds(seed, 0.3, 5, 40)
    assert one["action"] == pytest.approx(other["action"])


@pytest.mark.parametrize("form", ["joint", "independent"])
def test_the_acts_on_the_street_are_evidence_of_a_decision_after_the_flop_alone(form):
    spec = f"gambler(form={form!r}, actions='postflop')"
    line = "MATCHSTATE:4:0:rfcfcc/rcc:||||7h7s|/Ks7d2c"
    after = stage_of(decided(line, spec).trace, GamblerStage).evidence
    assert [after[f"{place}-action"] for place in ("early", "mid", "late")] == ["raise", "call", "fold"]
    before = stage_of(decided("MATCHSTATE:2:0:rfffrr:||QhTd|||", spec).trace, GamblerStage).evidence
    assert [before[f"{place}-action"] for place in ("early", "mid", "late")] == ["fold"] * 3
    assert "late-action" not in stage_of(decided(line).trace, GamblerStage).evidence
