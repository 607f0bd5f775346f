"""A spot as people describe it becomes a legal hand with its pot, price, players and seat."""

from decimal import Decimal
from fractions import Fraction

import pytest

from baycarp.errors import ArgumentError, CardError, NotationError
from baycarp.game import State, Variant
from baycarp.game.notation.hand import Hand, states
from baycarp.game.seats import seat_names
from baycarp.game.shortest import SpotGiven, observation_of


def given(board="", **more):
    amounts = {
        key: Fraction(str(value)) if key in ("pot", "to_call", "stack") else value
        for key, value in more.items()
    }
    return SpotGiven("AhKd", board, **amounts)


def verify(spot, game=None):
    """The spot that was made, replayed from its actions by the rules."""
    observation, unit = observation_of(spot, game)
    *_, state = states(Hand.of(observation.state))
    assert state.to_act == observation.seat
    if spot.pot:
        assert Fraction(state.pot) / unit == spot.pot
    if spot.to_call is not None:
        assert Fraction(state.owed) / unit == spot.to_call
    assert len(state.seats_in) == spot.opponents + 1
    assert state.street == (0, 3, 4, 5).index(len(observation.board))
    if spot.position:
        assert seat_names(observation.variant)[observation.seat] == spot.position
    return observation


@pytest.mark.parametrize("board", ["Qs7d2c", "Qs7d2c3h", "Qs7d2c3h9s"])
@pytest.mark.parametrize(
    "more",
    [
        {"pot": 40},
        {"pot": 40, "to_call": 10},
        {"pot": 40, "to_call": 20, "opponents": 2, "position": "BTN"},
        {"pot": 12, "to_call": 2, "opponents": 3},
        {"pot": 2},
        {"pot": "5.5", "position": "BB"},
        {"pot": "6.5", "position": "CO"},  # both blinds have folded
        {"pot": 40, "opponents": 8},
        {"pot": 21, "to_call": 7, "stack": 400, "opponents": 2, "position": "SB"},
        {"pot": "0.5", "to_call": "0.1", "stack": 5, "blinds": (Fraction("0.02"), Fraction("0.05"))},
    ],
)
def test_after_the_flop(board, more):
    verify(given(board, **more))


@pytest.mark.parametrize(
    ("more", "history"),
    [
        ({}, ""),  # heads-up, the button acts first
        ({"pot": "1.5", "to_call": 1, "opponents": 5, "position": "UTG"}, ""),
        ({"pot": "4.5", "to_call": 3, "opponents": 3, "position": "BTN"}, "r1200"),
        ({"pot": "4.5", "to_call": 2, "position": "BB"}, "r600f"),
        ({"pot": 12, "to_call": 6, "position": "CO"}, "r225r825ff"),  # its own raise was raised
    ],
)
def test_before_the_flop(more, history):
    assert verify(given(**more)).state.betting == history


def test_no_shorter_history_has_the_pot():
    """All histories of a small table of fixed limit, by brute force, that end in a bet at most."""
    game = Variant.ring(3)
    shortest = {}

    def walk(state):
        if state.is_over or state.street > 1:
            return
        if state.street == 1:
            key = state.to_act, state.pot, state.owed, len(state.seats_in)
            shortest[key] = min(shortest.get(key, 99), len(state.acts))
        for action in state.legal_actions():
            acted = any(act.seat == state.to_act for act in state.acts)
            if (action.name == "fold" and acted) or (action.name == "raise" and state.street):
                continue  # out of the family of histories that are tried
            after = state.copy()
            after.apply(action)
            walk(after)

    walk(State(game))
    names = seat_names(game)
    assert len(shortest) > 30
    for (seat, pot, owed, inside), acts in shortest.items():
        spot = given("Qs7d2c", pot=pot / 2, to_call=owed / 2, opponents=inside - 1, position=names[seat])
        assert len(verify(spot, game).acts) == acts


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"board": "Qs7d2c", "pot": 3}, ArgumentError, "expected a pot such as 2, 2.5, 4"),
        ({"board": "Qs7d2c", "pot": 4, "to_call": 4}, ArgumentError, "to call 4: expected less than the pot"),
        ({"board": "Qs7d2c", "pot": 4, "opponents": 9}, ArgumentError, "opponents: expected 1..8, got 9"),
        ({"board": "Qs7d2c", "pot": -4}, ArgumentError, "at least 0"),
        ({"board": "Qs7d2c", "pot": 4, "position": "MP"}, NotationError, "position 'MP': expected one of SB"),
        ({"board": "Ah7d2c", "pot": 4}, CardError, "duplicate card 'Ah'"),
        ({"board": "Qs7d", "pot": 4}, CardError, "expected 0 or 3 or 4 or 5"),
        ({"board": "Qs7d2c", "pot": 400}, ArgumentError, "no short legal hand"),
    ],
)
def test_what_no_hand_has_is_refused(more, error, says):
    with pytest.raises(error, match=says):
        observation_of(given(**more))


def test_amounts_are_whole_chips_of_a_game():
    with pytest.raises(ArgumentError, match=r"4\.51: expected whole chips of holdem\.limit\.3p"):
        observation_of(given("Qs7d2c", pot="4.51"), Variant.load("holdem.limit.3p"))


@pytest.mark.parametrize("name", ["pot", "to_call", "stack"])
def test_amounts_are_fractions_that_a_game_takes(name):
    with pytest.raises(TypeError, match="expected a Fraction"):
        SpotGiven("AhKd", **{name: Decimal("NaN")})
    for amount in (Fraction(2**41), Fraction(10**5000), Fraction(-(10**5000))):
        with pytest.raises(ArgumentError, match="expected at most 1099511627776"):
            SpotGiven("AhKd", **{name: amount})
