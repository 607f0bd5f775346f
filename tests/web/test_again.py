"""The same cards again: a session that begins with a recorded hand, at the decision of any of its players."""

import json
from dataclasses import replace
from random import Random

import pytest

from baycarp.card import DECK
from baycarp.errors import TableError
from baycarp.game import State, Variant
from baycarp.game.notation.hand import Hand, states
from baycarp.kernels.game import deal
from baycarp.web.again import opening, others
from baycarp.web.sitting import PERSON, Seating, Sitting

GAMES = [Variant.ring(seats) for seats in (2, 3, 8)] + [Variant.load("holdem.nolimit.3p.100bb")]


def recorded(number):
    """A random hand, in some games with stacks of its own."""
    random, variant = Random(number), GAMES[number % len(GAMES)]
    stacks = variant.stacks and tuple(
        random.randrange(variant.big_blind, 2 * each) for each in variant.stacks
    )
    state = State(variant, stacks, deal(11, 1, number, 2 * variant.seats + 5))
    while not state.is_over:
        state.apply(random.choice(state.legal_actions()[-2:]))
    return Hand.of(state, tuple(f"n{seat}" for seat in range(variant.seats)), number)


def seated(hand, act, seed=3):
    start = opening(hand, act, seed)
    names = others(hand, start, PERSON)
    return Sitting(Seating(hand.variant, names, ("random",) * len(names), seed=seed), start=start)


def seen_by(player, state):
    """What an observation of a seat consists of."""
    return state.betting, state.hole_of(player), state.board, state.stacks, state.pot, state.to_act


@pytest.mark.parametrize("number", range(16))
def test_the_person_is_where_the_player_was_and_the_hand_goes_on(number):
    hand = recorded(number)
    for act, state in enumerate(list(states(hand))[:-1]):
        sitting = seated(hand, act)
        again = sitting.observe()
        assert seen_by(again.seat, again.state) == seen_by(state.to_act, state)
        assert [*sitting.names] == [
            PERSON if seat == state.to_act else name for seat, name in enumerate(hand.players)
        ]
        sitting.act(sitting.frame()["choices"]["stay"], 0, act)
        while not sitting.over:
            if sitting.waits:
                sitting.act(sitting.frame()["choices"]["stay"], 0, len(sitting.frame()["acts"]))
            else:
                sitting.step()
        assert sum(sitting.frame()["payoffs"]) == 0
        assert set(hand.board) <= {*sitting.finished[0].state.board} or not sitting.finished[0].state.board
        sitting.next_hand(0)
        assert sitting.names != hand.players


def hidden(sitting):
    """Cards that the person has not observed: of the others before a showdown, and of the board to come."""
    state = sitting.observe().state
    return {*DECK} - {DECK[card] for card in (*state.board, *state.hole_of(sitting.seat))}


@pytest.mark.parametrize("number", range(40))
def test_no_frame_has_cards_of_others_before_the_showdown(number):
    random, hand = Random(number), recorded(number)
    sitting = seated(hand, random.randrange(len(hand.actions)))
    while not sitting.over:
        frame = sitting.frame()
        assert not [card for card in hidden(sitting) if f'"{card}"' in json.dumps(frame)]
        if sitting.waits:
            sitting.act(frame["choices"]["stay"], 0, len(frame["acts"]))
        else:
            sitting.step()


def test_cards_that_are_not_recorded_are_drawn_from_the_rest_by_the_seed():
    hand = recorded(1)
    seat = next(states(hand)).to_act
    unknown = replace(
        hand, holes=tuple(hole if at == seat else () for at, hole in enumerate(hand.holes)), board=()
    )
    hand = replace(unknown, actions=hand.actions[:1])
    decks = [opening(hand, 0, seed).deck for seed in (1, 1, 2)]
    assert decks[0] == decks[1] != decks[2]
    for deck in decks:
        assert len({*deck}) == len(deck) == 2 * hand.variant.seats + 5
        assert tuple(deck[2 * seat : 2 * seat + 2]) == hand.holes[seat]


def test_an_action_that_is_not_there_or_whose_player_is_unknown_is_refused():
    hand = recorded(1)
    with pytest.raises(TableError, match="expected one of the hand's"):
        opening(hand, len(hand.actions), 1)
    with pytest.raises(TableError, match="not recorded"):
        opening(replace(hand, holes=((),) * hand.variant.seats), 0, 1)


def test_names_that_the_table_has_already_are_replaced():
    hand = replace(recorded(1), players=("Ann", PERSON, "Ann"))
    start = replace(opening(hand, 0, 1), seat=0)
    assert others(hand, start, PERSON) == ("BB", "Ann")
    assert others(replace(hand, players=()), start, PERSON) == ("BB", "BTN")
