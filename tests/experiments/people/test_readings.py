"""Readings of players: of earlier hands and actions alone, beside a slow account of the definition."""

from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from experiments.people import readings as readings_module
from experiments.people.boosted_actions import ActionModel
from experiments.people.readings import EFFECTS, READINGS, readings, with_effects
from experiments.people.rows import people_rows

GAME = Variant.ring(3)
HANDS, EARLY = 360, 300


@pytest.fixture(scope="module")
def hands():
    specs = ("frequency(fold=0.6, raises=0.1)", "frequency(fold=0.1, raises=0.5)", "rule")
    log = play_session(Table(GAME, ("Ann", "Bob", "Cem"), specs, 1), 3, HANDS).log
    return [parse_state(line, GAME) for line in log]


@pytest.fixture(scope="module")
def rows(hands):
    return people_rows(hands)


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings_module, "TREES", replace(readings_module.TREES, rounds=20))
        yield


@pytest.fixture(scope="module")
def both(rows, few_trees):
    return readings(rows, HANDS)


@pytest.fixture(scope="module")
def effects(both):
    return both[0]


@pytest.fixture(scope="module")
def found(both):
    return both[1]


def column(found, name):
    return found[:, READINGS.index(name)]


def test_later_hands_change_nothing(hands, rows, effects, found):
    late = np.random.default_rng(0).permutation(np.array(hands[EARLY:], object)).tolist()
    again = people_rows([*hands[:EARLY], *late])
    early = rows.hands < EARLY
    for before, after in zip((effects, found), readings(again, HANDS), strict=True):
        np.testing.assert_array_equal(before[early], after[again.hands < EARLY])
        assert not np.array_equal(before[-9:], after[-9:])


def test_the_own_and_later_actions_of_the_hand_change_nothing(rows, effects, found):
    """Every choice of a hand from a decision on is replaced by a call."""
    inside = np.flatnonzero(rows.hands == EARLY)
    upto = rows.hands <= EARLY
    for at in inside:
        choices = rows.choices.copy()
        choices[at : inside[-1] + 1] = 1
        again = readings(replace(rows, choices=choices)[upto], HANDS)
        for before, after in zip((effects, found), again, strict=True):
            np.testing.assert_array_equal(after[: at + 1], before[: at + 1])


def test_effects_are_learned_after_the_first_trees(rows, effects):
    before = rows.hands <= readings_module.FIRST
    assert (effects[before][:, (0, 2)] == 0).all()
    assert np.unique(effects[before][:, (1, 3)]).size == 1
    assert (effects[rows.hands >= EARLY][:, (0, 2)] != 0).all()


def test_readings_of_a_new_player_do_not_tell_the_time(rows, effects):
    """The effects of all players have been learned, but those in the readings are as in the first hand."""
    upto = rows.hands <= EARLY
    last = (rows.hands == EARLY)[upto]
    actors = np.where(last, rows.actors[upto] + 3, rows.actors[upto])
    with_all, again = readings(replace(rows[upto], actors=actors), HANDS)
    own = again[:, : len(EFFECTS)]
    np.testing.assert_array_equal(own[last], np.broadcast_to(own[0], own[last].shape))
    assert (with_all[last][:, (0, 2)] != 0).all()


def test_the_habits_of_the_players_are_found(hands, rows, found):
    pairs = zip(rows.hands.tolist(), rows.seats.tolist(), strict=True)
    names = np.array([hands[hand].players[seat] for hand, seat in pairs])
    last = (rows.hands >= EARLY) & rows.owed
    means = {
        (name, kind): column(found, f"own {kind} effect")[last & (names == name)].mean()
        for name in ("Ann", "Bob")
        for kind in ("fold", "raise")
    }
    assert means["Ann", "fold"] > 0.1 > -0.1 > means["Bob", "fold"]
    assert means["Bob", "raise"] > 0.1 > -0.1 > means["Ann", "raise"]


def test_trees_end_before_the_hands_that_are_scored(rows, found):
    """Trees are of the first 250 hands; none is trained where ``until`` is before their end."""
    early = rows[rows.hands < readings_module.FIRST]
    model = ActionModel.of(early.public, early.choices, early.owed, readings_module.TREES)
    late = rows.hands >= readings_module.FIRST
    expected = readings_module._expected(rows, HANDS)
    np.testing.assert_array_equal(expected[late], model(rows.public[late], rows.owed[late]))
    alike = readings_module._expected(rows, readings_module.FIRST - 1)
    legal = np.where(rows.owed, 3, 2)
    np.testing.assert_allclose(alike[:, 1:], np.column_stack([1 / legal, 1 / legal]))
    assert (alike[~rows.owed, 0] == 0).all()


def test_actions_are_scored_by_their_probabilities(rows, effects, found):
    """Sums by player from the definition, with the probabilities that the effects give."""
    expected = readings_module._expected(rows, HANDS)
    chances = np.maximum(with_effects(expected, effects, rows.owed), readings_module.LEAST)
    for _, group in groupby(np.flatnonzero(rows.hands >= EARLY).tolist(), key=lambda at: rows.hands[at]):
        hand, aggressor = list(group), None
        for at in hand:
            done = [each for each in hand if each < at]
            own = [each for each in done if rows.seats[each] == rows.seats[at]]
            acted = sum(np.log(chances[each, rows.choices[each]]) for each in own)
            assert column(found, "acted")[at] == pytest.approx(acted)
            bold = [each for each in done if rows.choices[each] == 2]
            assert column(found, "raises")[at] == len(bold)
            aggressor = bold[-1] if bold else None
            last = 1.0
            if aggressor is not None:
                last = np.log(chances[aggressor, 2] / chances[aggressor, 1:].sum())
            assert column(found, "aggressor's last raise")[at] == pytest.approx(last)


def test_probabilities_with_effects_are_legal(rows, effects):
    chances = with_effects(readings_module._expected(rows, HANDS), effects, rows.owed)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances[~rows.owed, 0] == 0).all()
