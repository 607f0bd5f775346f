"""Which decisions are timed, and on which hands: by an agent that does nothing."""

import pytest

from baycarp.agents.base import Decision
from baycarp.errors import TableError
from baycarp.game import Acted, HandOver
from baycarp.game.notation.hand import replay
from benchmarks.decision_time import measure, new_boards, played

SPECS = ("call",) * 3
"""Three players that call: every hand reaches the river, with one decision of each on every street."""


class Counting:
    """Counts what it is given; always passes."""

    def __init__(self):
        self.asked, self.events = [], []

    def sit(self, seat, variant, seed):
        self.seated = variant.seats

    def decide(self, observation):
        assert len(observation.hole) == 2
        self.asked.append((observation.hand, observation.seat, observation.street))
        action = observation.legal_actions()[0]
        return Decision(action, {action: 1.0})

    def learn(self, event):
        self.events.append(event)


def hands(number):
    return list(new_boards(played(SPECS, number, seed=4), 3, seed=5))


def test_a_seat_decides_where_its_player_did_at_another_position_each_hand():
    agent = Counting()
    times = measure(agent, hands(6), warm=0)
    assert agent.seated == 3
    assert agent.asked == [(hand, hand % 3, street) for hand in range(6) for street in range(4)]
    assert times.decisions == len(times.first) == 24
    assert {(each.street, each.opponents) for each in times.first} == {(street, 2) for street in range(4)}
    assert [type(event) for event in agent.events] == ([Acted] * 12 + [HandOver]) * 6
    assert times.seat == (times.deciding + times.observing + times.learning) / 24 > 0


def test_the_first_hands_are_not_timed():
    assert measure(Counting(), hands(6), warm=4).decisions == 8
    with pytest.raises(TableError, match="more than 6 hands"):
        measure(Counting(), hands(6), warm=6)


def test_no_flop_comes_twice_and_missing_cards_are_drawn():
    met = played(SPECS, 5, seed=4)
    bare = [
        hand.__class__(hand.variant, hand.actions, ((),) * 3, hand.board, players=hand.players)
        for hand in met
    ]
    found = list(new_boards([*bare, *bare], 3, seed=5))
    assert [hand.id for hand in found] == list(range(5))
    for hand, before in zip(found, met, strict=True):
        assert hand.board == before.board
        cards = [card for hole in hand.holes for card in hole] + list(hand.board)
        assert len(set(cards)) == len(cards) == 11
        assert sum(replay(hand).payoffs()) == 0


def test_hands_of_other_seats_or_without_names_are_left_out():
    met = played(SPECS, 2, seed=4)
    assert not list(new_boards(met, 4, seed=5))
    nameless = [hand.__class__(hand.variant, hand.actions, hand.holes, hand.board) for hand in met]
    assert not list(new_boards(nameless, 3, seed=5))
