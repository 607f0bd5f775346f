"""Acts named in their context."""

from dataclasses import replace

import pytest
from reference.play import play

from baycarp.game.variant import Variant
from baycarp.rules.betting.acts import act_name, most_aggressive

FOUR = Variant.ring(4)
"""Small blind 0, big blind 1, under the gun 2, button 3; four bets a street at most."""


def names(variant, actions):
    observation = play(variant, actions).observe()
    return [act_name(observation, index) for index in range(len(observation.acts))]


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ("r r r", "Raise ThreeBet Cap"),  # the big blind is the first bet
        ("c c c k", "Call Call Call Check"),
        ("f f c r", "Fold Fold Call Raise"),
        ("f f c k  b r r r", "Fold Fold Call Check Bet Raise ThreeBet Cap"),
        ("f f c k  k b r", "Fold Fold Call Check Check Bet CheckRaise"),
        ("f f c k  k b r r", "Fold Fold Call Check Check Bet CheckRaise ThreeBet"),
        ("c c c k  k b r r r", "Call Call Call Check Check Bet Raise ThreeBet Cap"),
    ],
)
def test_bets_are_counted(actions, expected):
    assert names(FOUR, actions) == expected.split()


PREFLOP = "r c f c  "
"""Under the gun raises, button and big blind call: on the flop 1, 2 (the aggressor) and 3 act."""


@pytest.mark.parametrize(
    ("flop", "expected"),
    [
        ("k b", "Check ContinuationBet"),
        ("b", "DonkBet"),  # before the aggressor
        ("k k b", "Check Check Bet"),  # after him
        ("b r", "DonkBet Raise"),
        ("k b r", "Check ContinuationBet Raise"),
        ("k b c r", "Check ContinuationBet Call CheckRaise"),
    ],
)
def test_flop_bets_look_back_to_the_last_to_raise(flop, expected):
    assert names(FOUR, PREFLOP + flop)[4:] == expected.split()


@pytest.mark.parametrize(
    ("streets", "expected"),
    [
        ("k b c c  k b", "Check Bet"),  # a continuation bet is the flop's alone
        ("k b r c c  k k b", "Check Check Bet"),
        ("k b r c c  k b", "Check DonkBet"),  # the flop's raiser, not the flop's first bettor, counts
        ("k b r c c  b", "DonkBet"),
        ("k k k  b", "Bet"),  # nobody was the aggressor of the flop
        ("k b c c  k k k  b", "Bet"),  # of the turn neither
    ],
)
def test_later_bets_look_back_one_street(streets, expected):
    observation = names(FOUR, PREFLOP + streets)
    assert observation[-len(expected.split()) :] == expected.split()


def test_no_donk_bet_into_an_all_in_player():
    state = play(FOUR, "r c f c  b", stacks=(100, 100, 4, 100))
    assert state.all_in == (2,)
    observation = state.observe()
    assert act_name(observation, len(observation.acts) - 1) == "Bet"


def test_a_donk_bet_stays_one_if_the_aggressor_is_all_in_later():
    state = play(FOUR, "r c f c  b r", stacks=(100, 100, 8, 100))
    assert state.all_in == (2,)
    assert act_name(state.observe(), 4) == "DonkBet"


def test_the_cap_is_that_of_the_variant():
    assert names(replace(FOUR, max_raises=(4, 5, 5, 5)), "r r r r")[-2:] == ["ThreeBet", "Cap"]


def test_without_a_cap_the_fourth_bet_counts_as_one():
    assert names(Variant.load("holdem.nolimit.3p"), "r r r r") == ["Raise", "ThreeBet", "Cap", "Cap"]


def test_the_most_aggressive_act_counts():
    observation = play(FOUR, "r r r f c c  k b r c c").observe()
    # The seed's example: a player three-bets and then calls the cap.
    assert most_aggressive(observation, 3, 0) == "ThreeBet"
    assert most_aggressive(observation, 0, 0) == "Cap"


def test_a_fold_is_no_state_and_hides_none():
    observation = play(FOUR, "c r r f f f").observe()
    assert [most_aggressive(observation, position, 0) for position in range(4)] == [
        "ThreeBet",
        None,
        "Call",
        "Raise",
    ]


def test_streets_not_yet_acted_on_are_unobserved():
    observation = play(FOUR, "c c c k  k").observe()
    assert [most_aggressive(observation, position, 1) for position in range(4)] == ["Check", None, None, None]
    assert most_aggressive(observation, 0, 2) is None
