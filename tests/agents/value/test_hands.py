"""Hands that a good player finds easy, which a vote of similar cases lost."""

import pytest

from baycarp.agents.registry import load
from baycarp.budget import Budget
from baycarp.game.notation.observe import observe

HEADS_UP = "holdem.limit.2p.reverse_blinds"

BUDGETS = (None, Budget(playouts=200))


@pytest.fixture(scope="module")
def agent():
    return load("baycarp")


def policies(agent, game, line):
    """The policies by kind of action, under several budgets."""
    observation = observe(f"MATCHSTATE:{line}", game=game)
    for budget in BUDGETS:
        agent.sit(observation.seat, observation.variant, 1)
        decision = agent.decide(observation, budget=budget)
        assert decision.reason.startswith("You")
        assert str(decision) == decision.explain().splitlines()[0].replace("raise 40", "raise to 40")
        yield decision.policy_by_kind()


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("holdem.limit.4p", "0:7:frrfc/crc/crc/cr:7h2d|||/Js6c4c/3h/6d"),
        ("holdem.limit.3p", "0:7:crfc/crc/crc/cr:7h2d||/Js6c4c/3h/6d"),
        (HEADS_UP, "0:0:rc/crc/crc/cr:7h2d|/Js6c4c/3h/6d"),
    ],
)
def test_high_cards_of_no_worth_are_folded_to_a_river_bet(agent, game, line):
    for policy in policies(agent, game, line):
        assert policy["fold"] > 0.85
        assert policy["call"] < 0.05


def test_a_hand_at_the_price_does_not_raise(agent):
    """It beats as much of a blueprint's bets as the call needs: a call and a fold are worth alike."""
    for policy in policies(agent, HEADS_UP, "0:0:rc/crc/crc/cr:9sTc|/Js6c4c/3h/6d"):
        assert policy["raise"] < 0.25


def test_trips_raise(agent):
    for policy in policies(agent, HEADS_UP, "0:0:rc/crc/crc/cr:JhJd|/Js6c4c/3h/6d"):
        assert policy["raise"] > 0.5
        assert policy["fold"] == 0


def test_ace_high_that_beats_more_than_the_price_calls(agent):
    for policy in policies(agent, HEADS_UP, "0:0:rc/crc/crc/cr:AsKs|/Js6c4c/3h/6d"):
        assert policy["call"] > 0.5


def test_the_best_hand_is_not_folded_without_time(agent):
    observation = observe("MATCHSTATE:0:0:rc/crc/crc/cr:6h6s|/Js6c4c/3h/6d", game=HEADS_UP)
    agent.sit(observation.seat, observation.variant, 1)
    decision = agent.decide(observation, time_limit=0)
    assert decision.action.name == "call"
    assert decision.policy_by_kind() == {"call": 1.0}
