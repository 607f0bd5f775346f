"""Round robins: the groups, and results equal to those of the matches."""

import itertools
from collections import Counter
from functools import partial

import numpy as np
import pytest

from baycarp.arena.decks import PLAYED
from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.ranking import rank_agents
from baycarp.arena.run import run
from baycarp.arena.scores import scores
from baycarp.arena.series import play_in_series
from baycarp.arena.session import Table
from baycarp.arena.tournament import groups, results, round_robin
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.errors import TableError
from baycarp.game.variant import Variant

HEADS_UP = Variant.load("holdem.limit.2p.reverse_blinds")
PLAYERS = ("Ann", "Bob", "Cleo")
SPECS = ("rule", "raise", "random")


@pytest.mark.parametrize(("agents", "seats", "count"), [(2, 2, 1), (5, 2, 10), (5, 3, 10), (8, 8, 1)])
def test_every_agent_plays_every_other(agents, seats, count):
    games = groups(agents, seats)
    assert len(set(games)) == len(games) == count
    assert all(len(set(game)) == seats for game in games)
    pairs = Counter(pair for game in games for pair in itertools.combinations(game, 2))
    assert len(set(pairs.values())) == 1
    assert len(pairs) == agents * (agents - 1) / 2


@pytest.mark.parametrize(("agents", "seats", "most"), [(12, 8, 9), (9, 6, 83), (10, 3, 10), (4, 3, 2)])
def test_drawn_groups_are_different_and_fair(agents, seats, most):
    games = groups(agents, seats, most, seed=4)
    assert len(set(games)) == len(games) == most
    assert all(len(set(game)) == seats and game == tuple(sorted(game)) for game in games)
    played = Counter(agent for game in games for agent in game)
    assert len(played) == agents
    if most < 20:  # nearly all groups leave no choice
        assert max(played.values()) - min(played.values()) <= 1
    assert games == groups(agents, seats, most, seed=4)
    assert games != groups(agents, seats, most, seed=5) or most == 2


def test_groups_that_cannot_be_are_refused():
    with pytest.raises(TableError, match="2 agents: expected at least 3"):
        groups(2, 3)
    with pytest.raises(TableError, match="1 groups of 3: expected enough for 9"):
        groups(9, 3, most=1)


@pytest.fixture(scope="module")
def series():
    return round_robin(HEADS_UP, PLAYERS, SPECS, groups(3, 2), hands=6, seed=2)


@pytest.fixture(scope="module")
def played(series):
    return run(partial(play_in_series, series), series.rounds(12))


def test_a_game_is_a_match_on_the_same_decks(series, played):
    table = results(series, PLAYERS, groups(3, 2), played)
    assert (table.unit, table.seatings, table.deals) == ("sb/h", 2, 12)
    for game, block in zip(groups(3, 2), table.blocks, strict=True):
        names, specs = zip(*((PLAYERS[n], SPECS[n]) for n in game), strict=True)
        match = Match(Table(HEADS_UP, names, specs, seed=2), seatings(2), hands=6)
        alone = {unit: play_unit(match, unit) for units in match.rounds(12) for unit in units}
        assert np.array_equal(block, scores(HEADS_UP, names, alone).blocks["net"])
    assert table.rate(0, (0, 1, 2)).n == 24
    hole = {line.split(":")[3].split("/")[0] for line in played[0, PLAYED, 0].log}
    assert hole == {line.split(":")[3].split("/")[0] for line in played[2, PLAYED, 1].log}


def test_settings_reach_every_table():
    conditions = {"seed": 9, "budget": Budget(playouts=5), "stacks": "reset"}
    series = round_robin(HEADS_UP, PLAYERS, SPECS, groups(3, 2), **conditions)
    assert {match.table.seed for match in series.matches} == {9}
    assert {match.table.budget for match in series.matches} == {Budget(playouts=5)}
    headers = [series.header()]
    headers += [round_robin(HEADS_UP, PLAYERS, SPECS, groups(3, 2), seed=8).header()]
    headers += [round_robin(HEADS_UP, PLAYERS, SPECS, groups(3, 2)[:2], seed=9).header()]
    assert len({str(header) for header in headers}) == 3


def test_rounds_hold_every_unit_once(series):
    units = [unit for units in series.rounds(18) for unit in units]
    assert len(set(units)) == len(units) == 3 * 3 * 2
    assert all(len({unit[:2] for unit in units}) == 1 for units in series.rounds(18))
    assert series.hands(18) == 3 * 3 * 2 * 6
    assert [unit[1] for unit in units] == sorted(unit[1] for unit in units)  # all games go on together


def test_workers_and_interruptions_change_nothing(series, played, tmp_path):
    play, rounds = partial(play_in_series, series), series.rounds(12)
    assert str(run(play, rounds, workers=Workers(2))) == str(played)
    with Journal(tmp_path / "j", series.header()) as journal:
        run(play, rounds[:3], journal)
    with Journal(tmp_path / "j", series.header()) as journal:
        assert len(journal.records) == 6
        again = run(play, rounds, journal)
    one, other = (results(series, PLAYERS, groups(3, 2), each) for each in (played, again))
    assert np.array_equal(one.rows, other.rows)
    ranked = [rank_agents(each, "instant run-off", 50, seed=3) for each in (one, other)]
    assert np.array_equal(ranked[0].shares, ranked[1].shares)


def test_triples_are_ranked_in_milli_big_blinds():
    game = Variant.load("holdem.nolimit.3p")
    specs = ("call", "call", "random", "raise")
    series = round_robin(game, tuple("abcd"), specs, groups(4, 3), hands=3)
    played = run(partial(play_in_series, series), series.rounds(3))
    table = results(series, tuple("abcd"), groups(4, 3), played)
    assert (table.unit, table.seatings) == ("mbb/h", 6)
    assert table.rows.reshape(3, 4, 3).sum(axis=2) == pytest.approx(0, abs=1e-6)
    chips = np.mean([played[0, PLAYED, seating].net for seating in range(6)], axis=0)
    assert table.blocks[0] == pytest.approx(1000 * chips / game.big_blind)
    ranking = rank_agents(table, "instant run-off", 20)
    assert len(ranking.rounds[-1].pool) >= 3
