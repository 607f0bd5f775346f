"""Whose hands count: once a hand, by session at anonymous tables; and what was won, with and without luck."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from baycarp import equity
from baycarp.game import Action, State, Variant
from baycarp.game.notation.hand import Hand, Origin
from baycarp.opponents.stats import HandStatistics
from baycarp.opponents.stats.players import depth_of, stakes_of

GAME = Variant.ring(2, 2, betting="no-limit", stacks=(200, 80))
START = datetime(2026, 1, 2, 10)


def hand(words="r80 c", deck="KsKc AhAd 2s7h9d3cQd", names=("Ann", "Bob"), **origin):
    """Both all-in before the flop; position 0 is the big blind, the button acts first."""
    state = State(GAME, deck=deck)
    for word in words.split():
        if word[0] == "r":
            state.apply(Action("raise" if state.bets_made else "bet", int(word[1:])))
        else:
            state.apply(state.named({"c": "call", "f": "fold", "k": "check"}[word]))
    return replace(Hand.of(state, names, id=7), origin=Origin(**origin))


def counted(*hands):
    found = HandStatistics()
    for each in hands:
        found.add(each)
    return found


def test_a_hand_of_a_room_in_two_files_counts_once():
    found = counted(*[hand(room="PokerStars")] * 3, hand(room="Winamax"), hand(), hand())
    assert (found.hands, found.repeated) == (4, 2)  # hands without a room have numbers of their file alone


def test_players_of_anonymous_tables_count_by_session():
    def at(hours, **more):
        place = {"room": "Bovada", "table": "1", "anonymous": True, "hero": 1}
        time = START + timedelta(hours=hours)
        return replace(hand(**{**place, "time": time, **more}), id=f"{hours} {more}")

    found = counted(at(0), at(0.1), at(9), at(9.1, table="2"), at(9.2, anonymous=False))
    assert {name: player.hands for name, player in found.players.items()} == {
        "Ann (table 1, session 1)": 2,
        "Ann (table 1, session 2)": 1,
        "Ann (table 2, session 1)": 1,
        "Ann": 1,
        "Bob": 5,  # the hero is one person
    }
    assert found.anonymous == 4


def test_without_luck_an_all_in_is_worth_its_equity():
    found = counted(hand())
    cell = found.players["Bob"].cell()  # the aces, which have won
    assert cell.won.sum == 40
    assert cell.without_luck.sum == pytest.approx(80 * equity("AhAd", "KsKc") - 40, abs=1e-9)
    assert cell.all_ins == 1
    ann = found.players["Ann"].cell()
    assert ann.without_luck.sum == pytest.approx(-cell.without_luck.sum, abs=1e-9)


def test_rake_is_taken_from_the_equity_too():
    raked = replace(hand(rake=8), payoffs=(-80.0, 72.0))
    found = counted(raked)
    bob, ann = (found.players[name].cell() for name in ("Bob", "Ann"))
    assert (bob.won.sum, ann.won.sum) == (36, -40)
    share = equity("AhAd", "KsKc")
    assert bob.without_luck.sum == pytest.approx(76 * share - 40, abs=1e-9)
    assert ann.without_luck.sum == pytest.approx(76 * (1 - share) - 40, abs=1e-9)


@pytest.mark.parametrize(
    "other",
    [
        hand("c k k k k k k k"),  # nobody was all-in
        hand("r80 f"),  # nobody called
        replace(hand(), holes=((), (50, 49)), payoffs=(-80.0, 80.0)),  # not shown
    ],
)
def test_elsewhere_luck_stays(other):
    cell = counted(other).players["Bob"].cell()
    assert cell.without_luck.sum == cell.won.sum
    assert cell.all_ins == 0


def test_tournaments_are_counted_and_named():
    found = counted(hand(tournament="12"), hand())
    assert found.tournaments == 1
    assert found.players["Ann"].cell().tournaments == 1


def test_depth_is_what_can_be_lost():
    both = [depth_of(hand(), position) for position in (0, 1)]
    assert both == [2, 2]  # 40 big blinds, the shorter stack's
    deep = replace(hand(), stacks=(200, 300))
    assert [depth_of(deep, position) for position in (0, 1)] == [3, 3]
    assert depth_of(Hand(Variant.ring(3), (), ((), (), ())), 0) == -1


def test_stakes_are_in_the_money_of_the_source():
    from decimal import Decimal

    cents = replace(hand(currency="USD"), unit=Decimal("0.01"))
    assert (stakes_of(cents), stakes_of(hand())) == ("0.01/0.02 USD", "1/2")


def test_hands_without_names_are_left_out():
    found = counted(replace(hand(), players=()))
    assert (found.hands, found.unnamed, found.players) == (0, 1, {})
