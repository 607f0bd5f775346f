"""The loop that plays a hand: decisions, events, and refusals."""

import pytest

from baycarp.agents.base import Decision
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.card import cards
from baycarp.errors import IllegalAction
from baycarp.game.action import Action
from baycarp.game.event import Acted, HandOver
from baycarp.game.plays import Plays
from baycarp.game.state import State
from baycarp.game.variant import Variant

THREE = Variant.ring(3)
NAMES = ("sb", "bb", "button")
DECK = cards("2c3d 4c5d AsAh AdKs7h 9c Js")
"""The button wins any showdown."""


class Script:
    """Plays given actions in order, and records its observations and events."""

    plays = Plays(frozenset({"limit"}))

    def __init__(self, *actions):
        self.actions, self.shown, self.events, self.budgets = list(actions), [], [], []

    def sit(self, seat, variant, seed):
        pass

    def decide(self, observation, time_limit=None, budget=None):
        self.shown.append(observation)
        self.budgets.append(budget)
        action = self.actions.pop(0)
        return Decision(observation.state.named(action) if isinstance(action, str) else action, {})

    def learn(self, event):
        self.events.append(event)


def table():
    return [
        Script("fold"),
        Script("call", "check", "call", "check", "check", "call"),
        Script("raise", "bet", "check", "bet"),
    ]


def test_agents_decide_in_turn_and_observe_only_their_own_cards():
    agents = table()
    state = play_hand(State(THREE, deck=DECK), agents, NAMES, hand=12)
    assert state.is_over
    assert not any(agent.actions for agent in agents)
    for position, agent in enumerate(agents):
        for observation in agent.shown:
            assert (observation.seat, observation.hand, observation.players) == (position, 12, NAMES)
            assert observation.state.to_act == position
            assert observation.hole == tuple(DECK[2 * position : 2 * position + 2].tolist())
            assert [bool(hole) for hole in observation.state.holes] == [seat == position for seat in range(3)]


def test_every_agent_receives_every_act_with_the_observation_before_it():
    agents = table()
    state = play_hand(State(THREE, deck=DECK), agents, NAMES, hand=12)
    assert agents[0].events == agents[1].events == agents[2].events
    *acts, over = agents[0].events
    assert [event.act for event in acts] == list(state.acts)
    for number, event in enumerate(acts):
        assert isinstance(event, Acted)
        assert event.observation.acts == state.acts[:number]
        assert event.observation.seat is None
        assert not any(event.observation.state.holes)
    assert isinstance(over, HandOver)
    assert over.payoffs == state.payoffs()
    assert (over.observation.hand, over.observation.players) == (12, NAMES)
    assert [bool(hole) for hole in over.observation.state.holes] == [
        False,
        True,
        True,
    ]  # shown; the fold is not


def test_payoffs_of_a_recorded_hand():
    state = play_hand(State(THREE, deck=DECK), table(), NAMES)
    # 1 and 2 blinds; raised to 4; flop 2 each; turn checked; river 4 each
    assert state.payoffs() == (-1, -10, 11)


def test_every_decision_gets_the_budget():
    agents, budget = [Script("fold"), Script("fold"), Script("raise")], Budget(playouts=3)
    play_hand(State(THREE, deck=DECK), agents, NAMES, budget=budget)
    assert [agent.budgets for agent in agents] == [[budget]] * 3


def test_a_watcher_is_called_before_each_decision_is_carried_out():
    observation = []
    agents = [Script("fold"), Script("fold"), Script("raise")]
    play_hand(
        State(THREE, deck=DECK),
        agents,
        NAMES,
        watch=lambda state, decision: observation.append(
            (state.to_act, len(state.acts), decision.action.name)
        ),
    )
    assert observation == [(2, 0, "raise"), (0, 1, "fold"), (1, 2, "fold")]


def test_an_illegal_action_is_refused():
    with pytest.raises(IllegalAction, match="check"):
        play_hand(State(THREE, deck=DECK), [Script(), Script(), Script(Action("check"))], NAMES)
    with pytest.raises(IllegalAction, match="raise to 3"):
        play_hand(State(THREE, deck=DECK), [Script(), Script(), Script(Action("raise", 3))], NAMES)
