"""Frames: the cards of other seats are not in them before the showdown."""

import json
from random import Random

import pytest

from baycarp.card import DECK, cards
from baycarp.game import Action, State, Variant
from baycarp.kernels.game import deal
from baycarp.web.frames import frame, game_words

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


def test_no_frame_has_cards_that_its_seat_has_not_observed():
    for number in range(40):
        one_hand(number)


@pytest.mark.slow
def test_no_frame_of_ten_thousand_hands_has_such_cards():
    for number in range(10_000):
        one_hand(number)


def test_own_cards_and_the_board_are_in_a_frame():
    state = State(Variant.ring(2), None, deal(1, 1, 1, 9))
    record = frame(state.observe(1))
    assert record["players"][1]["cards"] == [DECK[card] for card in sorted(state.hole_of(1), reverse=True)]
    assert record["players"][0]["cards"] == []
    assert record["players"][1]["holding"] == ""


def played(words, variant, deck):
    state = State(variant, None, deck)
    for word in words.split():
        state.apply(state.named(word))
    return state


HEADS_UP = Variant.load("holdem.nolimit.2p.100bb")
KINGS_AND_ACES = cards("KsKdAcAsKh7d2c2h9s")


def test_a_showdown_has_names_best_fives_and_the_chips_that_are_won():
    state = played("call check check check check check check check", HEADS_UP, KINGS_AND_ACES)
    for seat in (0, 1, None):
        record = frame(state.observe(seat))
        kings, aces = record["players"]
        assert (kings["holding"], aces["holding"]) == (
            "full house, kings over twos",
            "two pair, aces and twos",
        )
        assert kings["best"] == ["Ks", "Kh", "Kd", "2h", "2c"]
        assert aces["best"] == ["As", "Ac", "2h", "2c", "Kh"]
        blind = HEADS_UP.big_blind
        assert (kings["won"], aces["won"], record["returned"]) == (2 * blind, 0, 0)
        assert record["payoffs"] == [blind, -blind]
        assert [player["after"] for player in (kings, aces)] == [101 * blind, 99 * blind]
        assert record["showdown"]


def test_a_hand_that_is_not_shown_has_no_name():
    state = played("call check check", HEADS_UP, KINGS_AND_ACES)
    kings, aces = frame(state.observe(0))["players"]
    assert kings["holding"] == "three of a kind, kings"
    assert (aces["holding"], aces["best"], aces["cards"]) == ("", [], [])


def test_an_unmatched_bet_returns_and_is_not_won():
    record = frame(played("raise fold", HEADS_UP, KINGS_AND_ACES).observe(0))
    blind = HEADS_UP.big_blind
    assert record["returned"] == record["players"][1]["in"] - blind
    assert record["players"][1]["won"] == 2 * blind
    assert not record["showdown"]
    assert record["players"][1]["holding"] == ""


def test_blinds_and_bets_of_the_street_are_in_a_frame():
    state = played("call", HEADS_UP, KINGS_AND_ACES)
    record, blind = frame(state.observe(0)), HEADS_UP.big_blind
    assert record["posts"] == [
        {"seat": 1, "kind": "small blind", "paid": blind // 2},
        {"seat": 0, "kind": "big blind", "paid": blind},
    ]
    assert [player["bet"] for player in record["players"]] == [blind, blind]
    state.apply(state.named("check"))
    assert [player["bet"] for player in frame(state.observe(0))["players"]] == [0, 0]


@pytest.mark.parametrize("number", range(40))
def test_the_chips_that_are_won_and_returned_are_those_that_were_put_in(number):
    random, variant = Random(number), GAMES[number % len(GAMES)]
    state = State(variant, None, deal(5, 1, number, 2 * variant.seats + 5))
    while not state.is_over:
        state.apply(random.choice(state.legal_actions()))
    record = frame(state.observe(None))
    assert sum(player["won"] for player in record["players"]) + record["returned"] == state.pot
    assert (
        sum(post["paid"] for post in record["posts"]) + sum(act["paid"] for act in record["acts"])
        == state.pot
    )


def test_a_stack_at_limit_is_a_number():
    for variant in (Variant.load("holdem.limit.3p"), Variant.load("holdem.limit.5p")):
        stacks = [player["stack"] for player in frame(State(variant).observe(0))["players"]]
        assert stacks[:2] == [100 * variant.small_bet - blind for blind in variant.blinds[:2]]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("holdem.limit.2p.reverse_blinds", "Limit hold'em 10/20, blinds 5/10, 2 players"),
        ("holdem.nolimit.6p.100bb", "No-limit hold'em, blinds 50/100, 6 players"),
    ],
)
def test_a_game_is_named_in_words(game, words):
    assert game_words(Variant.load(game)) == words


@pytest.mark.parametrize("number", range(60))
def test_every_size_that_is_offered_is_legal(number):
    random, variant = Random(number), GAMES[-2]
    state = State(variant, None, deal(3, 1, number, 2 * variant.seats + 5))
    while not state.is_over:
        offered = frame(state.observe(state.to_act))["choices"]
        if offered["bet"]:
            sizes, steps = offered["bet"]["sizes"], offered["bet"]["steps"]
            assert steps == sorted({*steps})
            assert [*steps[:1], *steps[-1:]] == [*sizes.values()][:: max(1, len(sizes) - 1)]
            assert all(state.can(Action(offered["bet"]["kind"], size)) for size in steps)
            assert len(steps) <= 40
            assert next(iter(sizes.values())) == offered["bet"]["least"]
            assert all(state.can(Action(offered["bet"]["kind"], size)) for size in sizes.values())
            assert not state.can(Action(offered["bet"]["kind"], offered["bet"]["least"] - 1))
            assert not state.can(Action(offered["bet"]["kind"], offered["bet"]["most"] + 1))
        state.apply(random.choice(state.legal_actions()))


def test_a_pot_sized_bet_is_the_pot_after_a_call():
    variant = Variant.load("holdem.nolimit.2p.100bb")
    state = State(variant)
    blind = variant.big_blind
    bet = frame(state.observe(1))["choices"]["bet"]
    assert bet["sizes"]["pot"] == blind + 2 * blind
    assert bet["sizes"]["2.5 bb"] == round(2.5 * blind)
    for word in ("call", "check"):
        state.apply(state.named(word))
    bet = frame(state.observe(0))["choices"]["bet"]
    assert (bet["pot"], bet["level"], bet["sizes"]["pot"], bet["sizes"]["1/2 pot"]) == (
        2 * blind,
        0,
        2 * blind,
        blind,
    )
    assert bet["sizes"]["all-in"] == bet["most"] == state.stacks[0]
