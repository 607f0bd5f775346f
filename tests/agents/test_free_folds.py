"""People fold where a check is free; every agent observes it, and decides on."""

import warnings

import pytest

from baycarp.agents.registry import load
from baycarp.arena.recorded import sit_through
from baycarp.card import cards
from baycarp.game import State, Variant
from baycarp.game.notation.hand import Hand

AGENTS = ("baycarp", "baycarp2", "karma", "formula", "simulation", "gambler", "mcts", "sizer")
"""Of every kind of opponent model."""


def hand(variant):
    """The button calls, the blinds fold for free on the flop, and the other player bets."""
    state = State(variant, deck=cards("AhKdQsQc7c2d9h9s3c4dTh8s8d"))
    for kind, amount in [(1, 0), (1, 0), (1, 0), (1, 0), (0, 0), (0, 0)]:
        state.play(kind, amount)
    assert state.acts[-1].action.name == "fold"
    assert state.acts[-1].owed == 0
    state.apply(state.named("bet"))
    return Hand.of(state, ("Ann", "Bob", "Cid", "Dan"))


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_goes_on_after_a_free_fold(name):
    agent = load(name)
    limit, deep = Variant.load("holdem.limit.4p"), Variant.load("holdem.nolimit.4p.100bb")
    games = [game for game in (limit, deep) if agent.plays.fits(game)]
    assert games
    for game in games:
        played = hand(game)
        last = played.observe(3)
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            sit_through(agent, [played, played, played], last, decides=False)
            decision = agent.decide(last)
        assert decision.action in last.legal_actions() or last.state.can(decision.action)
