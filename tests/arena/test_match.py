"""Duplicate matches: all players get the same cards in the same seats."""

from collections import Counter

import pytest

from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.session import Table
from baycarp.errors import TableError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant

TABLE = Table(Variant.ring(3), ("Ann", "Bob", "Cleo"), ("rule", "jag", "random"), seed=5)


@pytest.mark.parametrize("players", range(2, 11))
def test_every_player_takes_every_seat_equally_often(players):
    found = seatings(players)
    assert len(set(found)) == len(found) == {2: 2, 3: 6}.get(players, players)
    seats = Counter((seat, player) for seating in found for seat, player in enumerate(seating))
    assert len(seats) == players**2
    assert len(set(seats.values())) == 1


def test_all_players_get_the_same_cards_in_the_same_positions():
    match = Match(TABLE, seatings(3), hands=5)
    dealt = {name: Counter() for name in TABLE.players}
    for unit in match.round(2):
        for hand, line in enumerate(play_unit(match, unit).log):
            hand_read = parse_state(line, TABLE.variant)
            for position, name in enumerate(hand_read.players):
                dealt[name][hand, position, hand_read.holes[position]] += 1
    assert dealt["Ann"] == dealt["Bob"] == dealt["Cleo"]
    assert set(dealt["Ann"].values()) == {2}
    assert len(dealt["Ann"]) == 15


def test_equal_players_come_out_equal_on_every_deal():
    table = Table(TABLE.variant, TABLE.players, ("call", "call", "call"), seed=3)
    match = Match(table, seatings(3), hands=20)
    total = sum(play_unit(match, unit).net for unit in match.round(0))
    assert not total.any()


def test_columns_are_players():
    match = Match(TABLE, ((2, 0, 1),), hands=12)
    played = play_unit(match, (0, 0))
    for hand, line in enumerate(played.log):
        names, payoffs = line.strip().split(":")[-1].split("|"), line.split(":")[-2].split("|")
        for name, payoff in zip(names, payoffs, strict=True):
            assert played.net[hand, TABLE.players.index(name)] == int(payoff)
    assert [tally.net for tally in played.tallies] == played.net.sum(axis=0).tolist()


def test_without_seatings_players_sit_in_the_order_of_names():
    assert Match(TABLE).seatings == ((0, 1, 2),)


def test_a_header_holds_everything_that_a_unit_depends_on(small_model):
    header = Match(TABLE, seatings(3)).header()
    assert header["players"] == {"Ann": "rule", "Bob": "jag", "Cleo": "random"}
    assert header["game"]["blinds"] == (1, 2, 0)
    spec = f"baycarp2(model={str(small_model)!r})"
    learned = Match(Table(Variant.ring(2), ("a", "b"), (spec, "karma"))).header()["players"]
    assert "with model" in learned["a"]
    assert learned["b"].startswith("formula(")


@pytest.mark.parametrize("seating", [(0, 1), (0, 1, 1), (1, 2, 3)])
def test_seatings_that_cannot_be(seating):
    with pytest.raises(TableError, match="in some order"):
        Match(TABLE, (seating,))
    with pytest.raises(TableError, match="at least 1"):
        Match(TABLE, hands=0)
