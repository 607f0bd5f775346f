"""Agents whose opponent model learns nothing: every player remains a new one."""

import pytest

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
