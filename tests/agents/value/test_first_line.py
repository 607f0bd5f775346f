"""The first line of an explanation, for every kind of decision."""

from functools import partial

import pytest

from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.agents.value.words import amount_words, first_line
from baycarp.game.action import Action

AT_12 = partial(ValueStage, "equity", price=0.12)
BET = partial(AT_12, opponent="jake", act="bets")

CHECK = ActionValue(Action("check"), 10.0, 1.0)


@pytest.mark.parametrize(
    ("stage", "have"),
    [
        (BET(0.05), "You beat 5 % of what jake bets here"),
        (AT_12(0.05, opponent="jake", act="raises"), "You beat 5 % of what jake raises here"),
        (AT_12(0.48), "You beat 48 % of what the opponent holds here"),
        (BET(1.0), "You beat all of what jake bets here"),
        (BET(0.0), "You beat none of what jake bets here"),
        (BET(0.002), "You beat less than 1 % of what jake bets here"),
        (BET(0.9999), "You beat more than 99 % of what jake bets here"),
        (BET(0.48, to_come=5), "You win 48 % of the time against what jake bets here"),
        (BET(1.0, to_come=1), "You always win against what jake bets here"),
        (BET(0.0, to_come=2), "You never win against what jake bets here"),
        (AT_12(0.31, opponents=3), "Your share of the pot against the three is 31 %"),
    ],
)
def test_a_bet_to_call(stage, have):
    assert first_line(stage) == f"{have}; the call needs 12 %."


def test_tenths_where_whole_per_cents_would_be_the_same():
    line = first_line(BET(0.118, price=0.122))
    assert line == "You beat 11.8 % of what jake bets here; the call needs 12.2 %."


@pytest.mark.parametrize(
    ("bets", "best"),
    [
        ([], "the check is free"),
        ([("bet", 10, 18.0, 1.0)], "a bet wins 0.80 big blinds more than a check"),
        ([("bet", 10, -2.0, 1.0)], "a bet wins 1.20 big blinds less than a check"),
        ([("bet", 10, 11.0, 1.0)], "a bet and a check are worth about the same"),
        ([("bet", 10, 11.0), ("bet", 40, 30.0)], "a bet of 40 wins 2.00 big blinds more than a check"),
        ([("raise", 20, 18.0), ("raise", 60, 2.0)], "a raise to 20 wins 0.80 big blinds more than a check"),
    ],
)
def test_a_free_check(bets, best):
    values = (CHECK, *(ActionValue(Action(*bet[:2]), *bet[2:]) for bet in bets))
    stage = ValueStage("look-ahead", 0.62, 0.0, "jake", "checks", values, big_blind=10)
    assert first_line(stage) == f"You beat 62 % of what jake checks here; {best}."


@pytest.mark.parametrize(
    ("stage", "have"),
    [
        (AT_12(0.05, opponent="You", act="bets"), "ann beats 5 % of what you bet here"),
        (AT_12(0.05, opponent="You", act="raises"), "ann beats 5 % of what you raise here"),
        (AT_12(0.31, opponents=9), "ann's share of the pot against the nine is 31 %"),
    ],
)
def test_a_reader_who_is_another_player(stage, have):
    assert first_line(stage, "ann") == f"{have}; the call needs 12 %."


def test_a_share_beside_no_price_is_whole():
    assert first_line(ValueStage("equity", 0.001, 0.0)).startswith("You beat less than 1 % of what")


def test_chips_where_no_big_blind_is_known():
    stage = ValueStage("equity", 0.6, 0.0, values=(CHECK, ActionValue(Action("bet", 10), 17.5)))
    assert first_line(stage).endswith("a bet wins 7.5 chips more than a check.")


def test_amounts_have_their_error_where_there_is_one():
    assert amount_words(-12, 1, 10) == "-1.20 ± 0.10"
    assert amount_words(-12, 0, 10) == "-1.20"
    assert amount_words(0, 0, 10) == "0"
    assert amount_words(-0.01, 1, 10) == "0.00 ± 0.10"
    assert amount_words(0, 2, 10) == "0 ± 0.20"
