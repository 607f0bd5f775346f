"""Frames: the cards of other seats are not in them before the showdown."""

import json
from random import Random

import pytest

from baycarp.card import DECK
from baycarp.game import Action, State, Variant
from baycarp.kernels.game import deal
from baycarp.web.frames import frame

GAMES = [Variant.ring(seats) for seats in range(2, 10)] + [
    Variant.load(name) for name in ("holdem.nolimit.2p.100bb", "holdem.nolimit.6p.100bb", "holdem.nolimit.9p")
]


def other_cards(state, seat):
    """Cards that the seat has not observed: of other seats, before the showdown, and of the board to come."""
    shown = {DECK[card] for card in (*state.board, *state.hole_of(seat))}
    return {*DECK} - shown


def one_hand(number):
    random = Random(number)
    variant = random.choice(GAMES)
    state = State(variant, None, deal(7, 1, number, 2 * variant.seats + 5))
    while True:
        for seat in range(variant.seats):
            record = json.dumps(frame(state.observe(seat)))
            if state.is_over and len(state.seats_in) > 1:
                folded = set(range(variant.seats)) - {*state.seats_in, seat}
                hidden = {DECK[card] for other in folded for card in state.hole_of(other)}
            else:
                hidden = other_cards(state, seat)
            assert not [card for card in hidden if f'"{card}"' in record]
        if state.is_over:
            return
        legal = state.legal_actions()
        state.apply(random.choice(legal if random.random() < 0.3 else legal[-2:]))


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_no_frame_has_cards_that_its_seat_has_not_observed(start):
    for number in range(start, start + 100):
        one_hand(number)


@pytest.mark.slow
def test_no_frame_of_ten_thousand_hands_has_such_cards():
    for number in range(10_000):
        one_hand(number)


def test_own_cards_and_the_board_are_in_a_frame():
    state = State(Variant.ring(2), None, deal(1, 1, 1, 9))
    record = frame(state.observe(1))
    assert record["players"][1]["cards"] == [DECK[card] for card in state.hole_of(1)]
    assert record["players"][0]["cards"] == []


@pytest.mark.parametrize("number", range(60))
def test_every_size_that_is_offered_is_legal(number):
    random, variant = Random(number), GAMES[-2]
    state = State(variant, None, deal(3, 1, number, 2 * variant.seats + 5))
    while not state.is_over:
        offered = frame(state.observe(state.to_act))["choices"]
        if offered["bet"]:
            sizes = offered["bet"]["sizes"]
            assert next(iter(sizes.values())) == offered["bet"]["least"]
            assert all(state.can(Action(offered["bet"]["kind"], size)) for size in sizes.values())
            assert not state.can(Action(offered["bet"]["kind"], offered["bet"]["least"] - 1))
            assert not state.can(Action(offered["bet"]["kind"], offered["bet"]["most"] + 1))
        state.apply(random.choice(state.legal_actions()))


def test_a_pot_sized_bet_is_the_pot_after_a_call():
    variant = Variant.load("holdem.nolimit.2p.100bb")
    state = State(variant)
    blind = variant.big_blind
    assert frame(state.observe(1))["choices"]["bet"]["sizes"]["pot"] == blind + 2 * blind
