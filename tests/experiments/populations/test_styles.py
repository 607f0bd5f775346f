"""Styles: habits are counted, players are grouped, and the tables differ between groups."""

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest

from baycarp.card import HOLDINGS
from baycarp.errors import ModelError
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.network.statistics import Statistics
from baycarp.opponents.reliance import USUAL
from experiments.beliefs.learning_curve import learned
from experiments.populations.action_cells import hand_rows, stack
from experiments.populations.styles import HABITS, fit_styles, group, habits
from experiments.recipes.styles import main


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


def test_small_groups_join_the_nearest():
    """Three players apart, one of two, one of thirty: with 5 at least, only the thirty remain a group."""
    places = np.array([0.5] * 30 + [0.1] * 2 + [0.9, 0.8])
    found = np.tile(places[:, None], HABITS) + np.random.default_rng(1).normal(0, 0.01, (34, HABITS))
    names = [str(n) for n in range(34)]
    assert len(set(group(names, found, 6).of.values())) == 6
    for least in (2, 5):
        sizes = Counter(group(names, found, 6, least=least).of.values())
        assert min(sizes.values()) >= least
    assert len(group(names, found, 6, least=5).centres) == len(sizes)


def test_styles_differ_as_their_players_do(rows):
    names, found = habits(rows)
    styles = fit_styles({"one": rows, "two": rows}, 4)
    assert len(styles.models) == 8
    assert sum(styles.shares[:4]) == pytest.approx(0.5)  # each population counts alike
    grouped = group(names, found, 4)
    loosest, tightest = (names[pick(found[:, 0])] for pick in (np.argmax, np.argmin))
    folds = [styles.models[grouped.of[name]].tables[0][:, :, 0].mean() for name in (loosest, tightest)]
    assert folds[0] < folds[1]


def test_the_shares_of_styles_are_those_of_their_players(rows):
    """Bob's hands thrice, under other names: its style is as common as there are players of it."""
    copies = [replace(row, player=f"Bob {k}") for k in range(3) for row in rows if row.player == "Bob"]
    others = [row for row in rows if row.player == "Ann"]
    shares = fit_styles({"all": copies + others}, 2).shares
    assert sorted(shares) == pytest.approx([0.3, 0.7], abs=0.01)  # (1 + 1/2) / 5, (3 + 1/2) / 5


def test_cards_that_a_learner_may_not_use_change_nothing(rows):
    """Of a population that is not in ``everything`` only shown cards count."""
    altered = [row if row.shown else replace(row, holding=(row.holding + 7) % 1326) for row in rows]
    altered = [row for row in altered if row.shown or not touches_board(row)]
    kept = {(row.hand, row.player) for row in altered}
    rows = [row for row in rows if (row.hand, row.player) in kept]
    seen, hidden, known = (
        fit_styles({"all": given}, 2, everything).models[0].tables[0]
        for given, everything in ((rows, ()), (altered, ()), (rows, ("all",)))
    )
    assert np.array_equal(seen, hidden)
    assert not np.array_equal(seen, known)


def touches_board(row):
    return bool(set(HOLDINGS[row.holding].tolist()) & set(row.board))


def test_nothing_is_learned_from_later_hands(rows):
    styles = fit_styles({"all": rows}, 1)
    mine = [row for row in rows if row.player == "Bob"]
    steps = [known.hands for _, known in learned(styles, USUAL, mine, (0, 10, 30))]
    assert steps == [sum(row.hand < at for row in mine) for at in (0, 10, 30)]


@pytest.mark.slow
def test_the_command_makes_the_same_file_twice(tmp_path):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        main([str(file), "--hands", "12", "--sessions", "1", "--folder", str(tmp_path / "sessions")])
    one, two = map(load_styles, files)
    assert one.shares == two.shares
    assert all(np.array_equal(a, b) for a, b in zip(one.models[0].tables, two.models[0].tables, strict=True))


def test_two_populations_of_one_name_are_refused(tmp_path):
    for given in ("a/people.log", "b/people.log"), ("a/static",):
        people = [word for path in given for word in ("--people", str(tmp_path / path))]
        with pytest.raises(ModelError, match="expected different names of files"):
            main([str(tmp_path / "styles.npz"), "--folder", str(tmp_path / "sessions"), *people])
    assert not (tmp_path / "sessions").exists()


def test_cells_of_some_rows_are_those_of_these_rows_alone(rows):
    kept = np.arange(len(rows)) % 3 > 0
    given = [replace(row, holding=-1) if number % 5 == 0 else row for number, row in enumerate(rows)]
    some = stack(given).of_rows(kept)
    alone = stack(row for row, keep in zip(given, kept, strict=True) if keep)
    for field in fields(alone):
        one, two = getattr(some, field.name), getattr(alone, field.name)
        assert one == two if field.name == "rows" else np.array_equal(one, two)
