"""What CASPER's and CASEY's cases describe, against a count from nothing but the actions."""

import numpy as np
import pytest
from reference.play import play, random_hand
from reference.strength import strength

from baycarp.game.variant import Variant
from baycarp.rules import PlayerView, read

BETS = ("players_acted", "street_bets_committed", "street_bets_to_call", "call_pot_odds", "pot_small_bets",
        "previous_street_bets", "street")  # fmt: skip
STRENGTHS = ("random_hand_strength", "random_hand_ppot", "random_hand_npot")
NINE = Variant.ring(9, bets=5)
"""Blinds of 1 and 2, five bets a street."""


def counted(variant, acts, street, index):
    """The readings of BETS by a count of chips, from nothing but acts as (position, street, name)."""
    sizes = variant.raise_sizes
    paid = {position: [0, 0, 0, 0] for position in range(variant.seats)}
    for position, blind in enumerate(variant.blinds):
        paid[position][0] = blind
    raises, folded, acted = [1, 0, 0, 0], set(), [set(), set(), set(), set()]
    for position, where, name in acts:
        acted[where].add(position)
        if name == "fold":
            folded.add(position)
            continue
        raises[where] += name in ("bet", "raise")
        if name != "check":
            paid[position][where] = raises[where] * sizes[where]
    owed = raises[street] * sizes[street] - paid[index][street]
    pot = sum(map(sum, paid.values()))
    return {
        "players_acted": len(acted[street] - folded - {index}),
        "street_bets_committed": paid[index][street] / sizes[street],
        "street_bets_to_call": owed / sizes[street],
        "call_pot_odds": owed / (pot + owed),
        "pot_small_bets": pot / sizes[0],
        "previous_street_bets": raises[street - 1] if street else None,
        "street": street,
    }


@pytest.mark.parametrize(("seats", "bets"), [(2, 4), (6, 4), (9, 5), (10, 3)])
def test_readings_equal_the_sums_of_the_actions(seats, bets):
    variant, rng, most = Variant.ring(seats, bets=bets), np.random.default_rng(seats), 0
    for _ in range(40):
        _, decisions = random_hand(variant, rng, boldness=rng.choice([0.4, 4]))
        for observation in decisions:
            position = observation.state.to_act
            acts = [(act.seat, act.street, act.action.name) for act in observation.acts]
            expected = counted(variant, acts, observation.street, position)
            given = {name: value for name, value in expected.items() if value is not None}
            assert read(PlayerView(observation, position), BETS) == pytest.approx(given)
            most = max(most, expected["street_bets_committed"] + expected["street_bets_to_call"])
    assert most == bets


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        # Under the gun: one bet to call, two and a half in after it; nobody has acted, blinds do not count.
        ("", (0, 0, 1, 2 / 5, 1.5)),
        ("c r f f f f f", (2, 0.5, 1.5, 3 / 12, 4.5)),  # the small blind: caller and raiser have acted
        ("c r f f f f f f c", (2, 1, 1, 2 / 13, 5.5)),  # the caller, asked again, does not count itself
        ("c f f f f f f f k  k", (1, 0, 0, 0, 2.5)),  # a check is an act, and a free one costs nothing
        ("c f f f f f f f k  b r", (1, 1, 1, 2 / 13, 5.5)),
        ("c f f f f f f f k  k k  b", (1, 0, 1, 4 / 13, 4.5)),  # a big bet on the turn
    ],
)
def test_decisions_by_hand(actions, expected):
    state = play(NINE, actions)
    found = read(PlayerView(state.observe(), state.to_act), BETS[:5])
    assert tuple(found.values()) == pytest.approx(expected)


def test_the_street_before_counts_up_to_five_bets_on_every_street():
    five = "r r r r f f f f f c c c  "
    assert play(NINE, five).street == 1
    assert read(PlayerView(play(NINE, five).observe(), 2), ["previous_street_bets"]) == {
        "previous_street_bets": 5
    }
    checked = play(NINE, five + "k k k k")
    assert read(PlayerView(checked.observe(), 2), ["previous_street_bets"]) == {"previous_street_bets": 0}


def test_a_bet_of_no_limit_is_the_big_blind():
    state = play(Variant.load("holdem.nolimit.3p"), "c c k  ")
    state.apply(state.legal_actions()[1]._replace(amount=250))
    found = read(PlayerView(state.observe(), state.to_act), ("street_bets_to_call", "pot_small_bets"))
    assert found == {"street_bets_to_call": 2.5, "pot_small_bets": 5.5}


def shown(actions, hole, board):
    """The readings of the player to act, heads-up, with these cards."""
    state = play(Variant.ring(2), actions)
    state.deal({state.to_act: hole}, board)
    return read(PlayerView(state.observe(state.to_act), state.to_act), STRENGTHS)


def test_the_example_of_billings():
    """Billings et al. (2002), section 4: AdQc on 3h4cJh is ahead of 58.5 %, PPot2 20.8 %, NPot2 27.4 %."""
    found = shown("c k", "AdQc", "3h4cJh")
    assert {name: round(value, 3) for name, value in found.items()} == {
        "random_hand_strength": 0.585,
        "random_hand_ppot": 0.208,
        "random_hand_npot": 0.274,
    }


@pytest.mark.parametrize(
    ("actions", "hole", "board"),
    [("c k  k k", "9h8h", "Th7h2cKd"), ("c k  k k  k k", "AsKc", "AhKd5s5c2h")],
)
def test_strength_and_potential_by_counting_every_hand(actions, hole, board):
    state = play(Variant.ring(2), actions)
    state.deal({0: hole}, board)
    exact = strength(state.hole_of(0), state.board, [1] * 1326, 5 - len(state.board))
    found = shown(actions, hole, board)
    assert tuple(found.values()) == pytest.approx([float(value) for value in exact])
    if len(state.board) == 5:
        assert (found["random_hand_ppot"], found["random_hand_npot"]) == (0, 0)


def test_strength_does_not_depend_on_how_many_are_in():
    """CASPER's strength is against one hand; the power of the number of opponents is not taken."""
    values = []
    for seats in (2, 9):
        state = play(Variant.ring(seats), "c " * (seats - 1) + "k")
        state.deal({0: "AdQc"}, "3h4cJh")
        values.append(read(PlayerView(state.observe(0), 0), STRENGTHS))
    assert values[0] == values[1]
