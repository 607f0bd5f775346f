"""The people's table: its fit, its name, and its habits beside those that it is fitted to."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.poki.preflop import Preflop, StreetPlan, thresholds
from baycarp.agents.registry import load
from baycarp.agents.table import PEOPLE, TABLES
from baycarp.api.table import seated
from baycarp.arena.names import named
from baycarp.errors import ArgumentError, TableError
from experiments.populations.habits import QUARTILES, Measured
from experiments.recipes.people_table import (
    BANDS,
    START,
    TARGETS,
    _moved,
    fit,
    like,
    people,
    quartile_of,
    table_habits,
    together,
)


def test_raising_moves_the_thresholds_of_raising_alone():
    usual, shy = (thresholds(2, position=3, style=Preflop(raising=by)) for by in (0, 250))
    moved = {strategy.name: shy[strategy] - usual[strategy] for strategy in usual if strategy}
    assert moved == {"MAKE1": 0, "MAKE2": 250, "MAKE4": 250}
    blind = [thresholds(2, position=3, small_blind=True, style=Preflop(raising=by)) for by in (0, 250)]
    assert blind[0][StreetPlan.CALL1] == blind[1][StreetPlan.CALL1]


def test_settings_move_against_the_distance():
    start = START["median"]
    less = _moved(start, np.array([5.0, 0, 0, 0]), 1.0)
    assert less["shift"] > start["shift"]
    assert less["shift"] + less["raising"] == start["shift"] + start["raising"]
    assert _moved(start, np.array([0, 2.0, 0, 0]), 1.0)["raising"] > start["raising"]
    assert _moved(start, np.array([0, 0, 0.5, 0]), 1.0)["aggression"] < start["aggression"]
    assert _moved(start, np.array([0, 0, 0, 5.0]), 1.0)["tightness"] < start["tightness"]
    assert _moved(start, np.zeros(4), 1.0) == start


def test_a_quartile_is_like_its_target_within_the_bands():
    target = np.array([*TARGETS["median"], 35.0])
    edge, margins = np.array([*BANDS, 0.0]), np.ones(5)
    assert like(Measured(target + 0.99 * edge, margins), "median")
    for habit in range(4):
        assert not like(Measured(target + 1.01 * edge * (np.arange(5) == habit), margins), "median")


def test_each_quartile_has_several_players():
    quartiles = [quartile_of(name) for name in PEOPLE]
    assert all(quartiles.count(quartile) >= 2 for quartile in QUARTILES)
    assert len(quartiles) == 8
    styles = [load(text).style for text in PEOPLE.values()]
    assert len(set(styles)) == 8


def test_a_table_is_seated_by_its_name():
    assert named(["people"])[0] == tuple(PEOPLE)
    assert named(["rule", "people"])[1] == ("rule", *PEOPLE.values())
    table = seated("rule", ["people"])
    assert (table.players, table.variant.seats) == (("rule", *PEOPLE), 9)
    assert named(["default"])[1] == TABLES["default"]
    with pytest.raises(TableError, match="'people': expected one agent, got a table of 8"):
        seated("people")
    assert baycarp.table(["call", "people"], hands=2, seed=1).players[1] == "tight-1"


def test_too_few_people_are_refused():
    with pytest.raises(ArgumentError, match="0 players: expected at least 8"):
        people([])


@pytest.mark.slow
def test_the_players_of_the_table_have_the_habits_of_people():
    """On cards that nothing was fitted on."""
    played = table_habits(PEOPLE, 1500, seed=4011)
    for quartile in QUARTILES:
        found = together(played, quartile)
        assert like(found, quartile), (quartile, found)


@pytest.mark.slow
def test_the_fit_does_not_depend_on_workers():
    one = fit(rounds=1, hands=1000, seed=5, workers=1)
    assert one == fit(rounds=1, hands=1000, seed=5, workers=2)
