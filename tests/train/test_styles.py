"""Styles: habits are counted, players are grouped, and the tables differ between groups."""

from collections import Counter

import numpy as np
import pytest

from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.opponents.actions import sensible
from baycarp.opponents.adapt import Pace
from baycarp.opponents.stats import Statistics
from baycarp.opponents.styles import load_styles
from baycarp.study.curve import learned
from baycarp.train.cells import hand_rows
from baycarp.train.styles import HABITS, NEUTRAL, fit_styles, group, habits, main
from baycarp.train.watch import hands_of, watch


@pytest.fixture(scope="module")
def watched(tmp_path_factory, watched_table):
    log = watch(watched_table, [0], 80, tmp_path_factory.mktemp("styles"))[0]
    return list(hands_of(log, watched_table))


@pytest.fixture(scope="module")
def rows(watched):
    return list(hand_rows(watched))


def test_habits_are_the_statistics_of_a_seated_player(watched, rows):
    statistics, acts = Statistics(), Counter()
    for hand in watched:
        final = replay(hand)
        statistics.observe(HandOver(final.observe(None, hand.players), ()))
        acts.update((hand.players[act.seat], act.street, act.action.name) for act in final.acts)
    names, found = habits(rows)
    assert sorted(names) == ["Ann", "Bob", "Cleo", "Dan"]
    for name, mine in zip(names, found, strict=True):
        stats = statistics.of(name)
        dealt = sum(row.player == name for row in rows)  # without walks, in which the player does not act
        assert mine[0] == pytest.approx((stats.voluntary + 0.5) / (dealt + 1))
        assert mine[1] == pytest.approx((stats.raised + 0.5) / (dealt + 1))
        for street in (1, 2, 3):
            bold = acts[name, street, "bet"] + acts[name, street, "raise"]
            faced = bold + acts[name, street, "call"] + acts[name, street, "fold"]
            assert mine[1 + street] == pytest.approx((bold + 0.5) / (faced + 1))


def test_separate_clusters_are_the_groups():
    rng = np.random.default_rng(2)
    centres = np.array([[0.1] * HABITS, [0.5] * HABITS, [0.9] * HABITS])
    of = np.arange(30) % 3
    found = group([str(n) for n in range(30)], centres[of] + rng.normal(0, 0.02, (30, HABITS)), 3)
    assert [found.of[str(n)] == found.of[str(m)] for n in range(30) for m in range(30)] == (
        of[:, None] == of
    ).ravel().tolist()
    assert np.sort(found.centres[:, 0]) == pytest.approx([0.1, 0.5, 0.9], abs=0.03)


def test_styles_differ_as_their_players_do(rows):
    names, found = habits(rows)
    grouped = group(names, found, 4)
    styles = fit_styles(rows, grouped, sensible(), rounds=3)
    assert len(styles.models) == 5
    assert styles.shares[-1] == NEUTRAL
    loosest, tightest = (names[pick(found[:, 0])] for pick in (np.argmax, np.argmin))
    folds = [styles.models[grouped.of[name]].tables[0][:, :, 0].mean() for name in (loosest, tightest)]
    assert folds[0] < folds[1]


def test_nothing_is_learned_from_later_hands(rows):
    styles = fit_styles(rows, group(*habits(rows), 1), sensible(), rounds=1)
    mine = [row for row in rows if row.player == "Bob"]
    steps = [known.hands for _, known in learned(styles, Pace(), mine, (0, 10, 30))]
    assert steps == [sum(row.hand < at for row in mine) for at in (0, 10, 30)]


def test_the_command_makes_the_same_file_twice(tmp_path):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        main([str(file), "--hands", "12", "--sessions", str(tmp_path / "sessions")])
    one, two = map(load_styles, files)
    assert one.shares == two.shares
    assert len(one.models) == 9  # the eight of the default table, and the general tables
    assert all(np.array_equal(a, b) for a, b in zip(one.models[0].tables, two.models[0].tables, strict=True))
