"""Styles: habits are counted, groups are found, and the pace is fitted on players left out."""

from collections import Counter

import numpy as np
import pytest

from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.opponents.actions import sensible
from baycarp.opponents.adapt import Pace
from baycarp.opponents.stats import Statistics
from baycarp.opponents.styles import load_styles
from baycarp.train.cells import hand_rows
from baycarp.train.styles import HABITS, NEUTRAL, fit_pace, fit_styles, group, habits, learned, main
from baycarp.train.watch import hands_of, watch


@pytest.fixture(scope="module")
def watched(tmp_path_factory, watched_table):
    log = watch(watched_table, [0], 80, tmp_path_factory.mktemp("styles"))[0]
    return list(hands_of(log, watched_table))


@pytest.fixture(scope="module")
def rows(watched):
    return list(hand_rows(watched))


def test_habits_are_those_that_are_counted_at_the_table(watched, rows):
    statistics, acts = Statistics(), Counter()
    for hand in watched:
        final = replay(hand)
        statistics.observe(HandOver(final.observe(None, hand.players), ()))
        acts.update((hand.players[act.seat], act.street, act.action.name) for act in final.acts)
    names, found = habits(rows)
    assert sorted(names) == ["Ann", "Bob", "Cleo", "Dan"]
    for name, mine in zip(names, found, strict=True):
        stats = statistics.of(name)
        dealt = sum(row.player == name for row in rows)  # a walk is no hand that one acts in
        assert mine[0] == pytest.approx((stats.voluntary + 0.5) / (dealt + 1))
        assert mine[1] == pytest.approx((stats.raised + 0.5) / (dealt + 1))
        for street in (1, 2, 3):
            bold = acts[name, street, "bet"] + acts[name, street, "raise"]
            faced = bold + acts[name, street, "call"] + acts[name, street, "fold"]
            assert mine[1 + street] == pytest.approx((bold + 0.5) / (faced + 1))


def test_groups_are_those_that_lie_apart():
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


def test_the_fastest_pace_is_best_for_players_like_nobody_else(rows):
    names, found = habits(rows)
    paces = [Pace(1e9, 1e9, 1e9), Pace(5, 5, 1e9)]
    ranked = fit_pace([rows], group(names, found, 2), sensible(), paces, at=(40,))
    assert [pace for _, pace in ranked] == [paces[1], paces[0]]
    assert ranked[0][0] < ranked[1][0]


def test_nothing_is_learned_of_hands_to_come(rows):
    styles = fit_styles(rows, group(*habits(rows), 1), sensible(), rounds=1)
    mine = [row for row in rows if row.player == "Bob"]
    steps = [known.hands for _, known in learned(styles, Pace(), mine, (0, 10, 30))]
    assert steps == [sum(row.hand < at for row in mine) for at in (0, 10, 30)]


def test_one_command_makes_the_file_and_makes_it_again(tmp_path):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        main([str(file), "--hands", "12", "--sessions", str(tmp_path / "sessions")])
    one, two = map(load_styles, files)
    assert one.shares == two.shares
    assert len(one.models) == 9  # the eight of the default table, and poker in general
    assert all(np.array_equal(a, b) for a, b in zip(one.models[0].tables, two.models[0].tables, strict=True))
