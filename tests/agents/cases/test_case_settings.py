"""Settings of case players: an opponent model that learns nothing, and settings that exclude each other."""

import pytest

from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.registry import load
from baycarp.errors import ModelError
from baycarp.game import HandOver, Observation
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import states
from baycarp.game.notation.observe import observe
from baycarp.game.variant import Variant
from baycarp.opponents.model import believe_all

GAME = "holdem.limit.2p.reverse_blinds"
HAND = "STATE:0:rrrc/crrc/crrc/crrc:2c7d|3h8s/Qs9h4c/Jh/5d:48|-48:Ann|Bob"


def beliefs_after(spec, hands):
    agent = load(spec)
    for line in hands:
        hand = parse_state(line, Variant.load(GAME))
        *_, last = states(hand)
        agent.learn(HandOver(last.observe(0, hand.players), ()))
    seen = observe("MATCHSTATE:0:9:rc/r:AhKd|/Qs7d2c", game=GAME)
    named = Observation(seen.state, seen.seat, ("Ann", "Bob"), 9)
    (belief,) = believe_all(agent.full.opponents, named).values()
    return belief.weights.tolist(), belief.groups


@pytest.mark.parametrize("spec", ["baycarp", "baycarp2"])
def test_a_model_that_does_not_adapt_answers_as_before_the_first_hand(spec):
    fresh = beliefs_after(spec, [])
    assert beliefs_after(f"{spec}(adaptive=False)", [HAND] * 20) == fresh
    assert beliefs_after(spec, [HAND] * 20) != fresh


def test_an_agent_without_an_opponent_model_is_refused():
    with pytest.raises(ModelError, match="expected one with an opponent model that learns"):
        load("casper01(adaptive=False)")


def test_styles_of_a_file_are_refused_beside_another_opponent_model():
    with pytest.raises(ModelError, match=r"styles='mine\.npz': expected none with opponents='gambler'"):
        load("baycarp(opponents='gambler', styles='mine.npz')")


def test_a_table_player_that_explores_decides_hand_by_hand():
    assert not isinstance(load("sartre(explore=0.1)"), CaseTable)
    assert isinstance(load("sartre"), CaseTable)
