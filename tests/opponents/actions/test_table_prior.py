"""The prior of a player, learned from the others at its table."""

import numpy as np
import pytest
from reference.action_models import nearby

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hypotheses import Confidence, hypotheses
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import Styles, load_styles
from baycarp.opponents.actions.table_prior import WORTH, TablePrior
from baycarp.training.watch import hands_of, watch
from experiments.beliefs.queries import watched_hands

TWO = Styles((nearby(1), nearby(2)), (0.25, 0.75))
HALF = Confidence(((0.5, 0.5, 0.3), (1.0, 1.0, 0.2)))


def concentrated(known, kind):
    """A player that is certainly of a kind, of no style in particular."""
    weights = np.where(known.kinds == kind, known.prior, 0.0)
    return weights / weights.sum()


def test_a_lone_player_has_the_prior_of_every_player():
    known = hypotheses(TWO, HALF)
    table = TablePrior(known)
    table.count(["Ann"], [concentrated(known, 2)])
    assert table.factors(["Ann"]) == pytest.approx(1.0)


def test_the_shares_of_the_kinds_are_the_mean_of_a_dirichlet():
    known = hypotheses(TWO, HALF)
    table, kinds = TablePrior(known), {"Ann": 0, "Bob": 2, "Cleo": 2, "Dan": 1}
    for kind in (1, 0):  # the later count of a player replaces the earlier one
        table.count(["Ann"], [concentrated(known, kind)])
    others = ("Bob", "Cleo", "Dan")
    table.count(others, [concentrated(known, kinds[player]) for player in others])
    players = (*kinds, "Eve")
    for player, factor in zip(players, table.factors(players), strict=True):
        others = [kind for name, kind in kinds.items() if name != player]
        before = np.array([0.3, 0.2, 0.5])
        shares = (WORTH * before + np.bincount(others, minlength=3)) / (WORTH + len(others))
        changed = known.prior * factor
        assert np.bincount(known.kinds, changed) == pytest.approx(shares)
        assert changed.sum() == pytest.approx(1.0)
        assert changed[0] / changed[1] == pytest.approx(0.25 / 0.75)  # styles within a kind stay as they are


def test_kinds_without_prior_stay_impossible():
    known = hypotheses(TWO, Confidence(((1.0, 1.0, 1.0),)))
    table = TablePrior(known)
    table.count(["Ann"], [known.prior])
    assert (known.prior * table.factors(["Bob"])[0]).sum() == pytest.approx(1.0)


def hands_at(players, folder, observer=None):
    """The models of an observer, the public or a player by name, after a hundred hands of four players."""
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cleo", "Dan"), players, 5)
    known = PlayerModels(load_styles())
    for watched in watched_hands(hands_of(watch(table, [0], 100, folder)[0], table), decisions=False):
        observation = watched.over.observation
        seat = observation.players.index(observer) if observer else None
        known.learn(watched.over._replace(observation=observation._replace(seat=seat)))
    return known


def test_a_new_player_is_expected_to_be_like_the_others_at_the_table(tmp_path):
    prior = PlayerModels(load_styles()).of("Eve").blind
    careful = hands_at(("rule", "jag", "formula", "rule"), tmp_path / "careful")
    blind = hands_at(("random", "call", "raise", "random"), tmp_path / "blind")
    assert careful.of("Eve").blind < 0.7 * prior
    assert blind.of("Eve").blind > prior + 0.3 * (1 - prior)


def test_the_observer_does_not_count_as_an_opponent(tmp_path):
    """One player with rules among three that ignore their cards: observed by it, and by the public."""
    players = ("rule", "random", "call", "raise")
    public, seated = (hands_at(players, tmp_path / str(name), name) for name in (None, "Ann"))
    assert seated.of("Eve").blind > public.of("Eve").blind + 0.1
    assert seated.of("Ann").hands == public.of("Ann").hands > 50
