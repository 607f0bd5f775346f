"""Positions, intervals, and the players still in."""

import pytest
from reference.play import play

from baycarp.game.variant import Variant
from baycarp.rules import READINGS, PlayerView
from baycarp.rules.seat import PFR, POSITIONS, VPIP, interval, position


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (2, "BB"), (3, "BBL"), (4, "BBEL"), (5, "BBEML"), (6, "BBEEML"), (7, "BBEEMML"),
        (8, "BBEEMMLL"), (9, "BBEEEMMLL"), (10, "BBEEEMMMLL"),
    ],
)  # fmt: skip
def test_positions(seats, expected):
    assert "".join(position(index, seats)[0] for index in range(seats)) == expected
    assert {position(index, 5) for index in range(5)} == set(POSITIONS)


@pytest.mark.parametrize("states", [VPIP, PFR])
def test_every_share_has_the_interval_of_its_name(states):
    for count in range(1, 121):
        for hits in range(count + 1):
            low, high = map(int, interval(hits / count, states)[1:].split("_"))
            assert low * count <= 100 * hits < high * count or (hits == count and high == 100)
    assert {interval(n / 1000, states) for n in range(1001)} == set(states)


def features(state, position):
    view = PlayerView(state.observe(), position)
    names = ("number_of_players", "players_in_hand", "players_yet_to_act", "relative_position")
    return tuple(READINGS[name].read(view) for name in names)


@pytest.mark.parametrize(
    ("actions", "position", "expected"),
    [
        ("", 2, (5, 4, 4, 0)),
        ("c", 3, (5, 4, 3, 0.25)),
        ("c c c c", 1, (5, 4, 0, 1)),  # the big blind's option
        ("c r", 4, (5, 4, 3, 0.5)),  # the caller must decide again
        ("c c f c k", 0, (4, 3, 3, 0)),
        ("c c f c k  k k b", 3, (4, 3, 2, 1)),
        ("c c f c k  k k b r", 0, (4, 3, 2, 0)),  # all but the raiser
        ("c c f c k  k k b r f", 1, (4, 2, 1, 1 / 3)),  # who folded on this street still counts as a starter
        ("f f f c k  k", 1, (2, 1, 0, 1)),
    ],
)
def test_players_in_the_hand(actions, position, expected):
    state = play(Variant.ring(5), actions)
    assert state.to_act == position
    assert features(state, position) == expected


def test_heads_up_the_button_is_first_before_the_flop_and_last_after_it():
    variant = Variant.load("holdem.limit.2p.reverse_blinds")
    assert features(play(variant, ""), 1)[3] == 0
    assert features(play(variant, "c k  k"), 1)[3] == 1


def test_an_all_in_player_has_no_decision_left():
    state = play(Variant.ring(3), "", stacks=(100, 2, 100))
    assert features(state, 2) == (3, 2, 1, 0)
