"""Habits of players, against the tallies of the arena and by hand."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from experiments.populations.habits import COUNTS, QUARTILES, around_quartiles, habit_counts, measured

GAME = Variant.ring(4)
NAMES = ("Ann", "Bob", "Cem", "Dee")


@pytest.fixture(scope="module")
def played():
    return play_session(Table(GAME, NAMES, ("rule", "jag", "station", "call"), 4), 0, 300)


def row(hands=0, voluntary=0, raised=0, bets=0, raises=0, calls=0, folds=0, flops=0, showdowns=0):
    return hands, voluntary, raised, bets, raises, calls, folds, flops, showdowns


def test_counts_are_those_of_the_tallies(played):
    counts = habit_counts(parse_state(line, GAME) for line in played.log)
    for name, tally in zip(NAMES, played.tallies, strict=True):
        found = dict(zip(COUNTS, counts[name].tolist(), strict=True))
        assert (found["hands"], found["voluntary"], found["raised"]) == (300, tally.played, tally.raised)
        assert found["showdowns"] == tally.showdowns > 10
        assert (found["bets"] + found["raises"], found["calls"]) == tally.aggression
        assert found["folds"] == sum(tally.acts[street, "fold"] for street in (1, 2, 3))
        assert found["flops"] == sum(each.hands for each in tally.on_flop.values())


def test_habits_are_ratios_of_added_counts():
    one = row(hands=40, voluntary=10, raised=2, bets=3, raises=1, calls=8, folds=1, flops=9, showdowns=3)
    other = row(hands=60, voluntary=20, raised=4, bets=6, raises=0, calls=2, folds=8, flops=11, showdowns=5)
    found = measured(np.array([one, other]))
    assert found.values.tolist() == [30, 6, 1, 45, 40]
    assert (found.margins > 0).all()
    assert measured(np.array([one, one])).margins.tolist() == pytest.approx([0] * 5, abs=1e-9)


def test_a_quarter_of_the_players_is_around_each_quartile():
    """16 players that play 1 to 16 % of 100 hands: 3 to 6, 7 to 10, 11 to 14 are around the quartiles."""
    counts = np.array([row(hands=100, voluntary=number) for number in range(16, 0, -1)])
    found = around_quartiles(counts)
    assert [found[name].values[0] for name in QUARTILES] == [4.5, 8.5, 12.5]


def test_few_players_have_no_quartiles():
    with pytest.raises(ArgumentError, match="7 players: expected at least 8"):
        around_quartiles(np.array([row(hands=100)] * 7))


def test_hands_without_names_are_refused(played):
    hand = replace(parse_state(played.log[0], GAME), players=())
    with pytest.raises(ArgumentError, match="expected the names of 4 players"):
        habit_counts([hand])
