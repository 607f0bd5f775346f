"""The prior of a player, learned from the others at its table."""

import numpy as np
import pytest

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.reliance import KINDS, Confidence, Reliance
from baycarp.opponents.table_prior import WORTH, TablePrior
from baycarp.training.watch import hands_of, watch
from experiments.beliefs.decision_points import watched_hands

TWO_POWERS = Confidence((0.5, 1.0), ((0.3, 0.7),) * len(KINDS), blind=0.5)


def player(power, blind):
    """A player whose actions all have one of the powers."""
    model = Reliance(TWO_POWERS)
    model.powers, model.blind = np.tile(np.eye(2)[power], (len(KINDS), 1)), blind
    return model


def test_a_lone_player_has_the_prior_of_every_player():
    table, model = TablePrior(TWO_POWERS), player(0, 1.0)
    table.count("Ann", model)
    model.adjust(*table.prior_of("Ann"))
    assert model.powers == pytest.approx(TWO_POWERS.by_kind)
    assert model.blind == pytest.approx(0.5)


def test_the_priors_are_the_means_of_dirichlets():
    table, blind = TablePrior(TWO_POWERS), {"Ann": 0.0, "Bob": 1.0, "Cleo": 1.0, "Dan": 0.25}
    powers = {"Ann": 0, "Bob": 1, "Cleo": 1, "Dan": 0}
    table.count("Ann", player(1, 0.9))  # replaced below
    for name in blind:
        table.count(name, player(powers[name], blind[name]))
    for name in (*blind, "Eve"):
        model = Reliance(TWO_POWERS)
        model.adjust(*table.prior_of(name))
        others = [each for each in blind if each != name]
        weight = WORTH + len(others)
        assert model.blind == pytest.approx((WORTH * 0.5 + sum(blind[each] for each in others)) / weight)
        low = (WORTH * 0.3 + sum(powers[each] == 0 for each in others)) / weight
        assert model.powers == pytest.approx(np.tile([low, 1 - low], (len(KINDS), 1)))


def hands_at(players, folder, observer=None):
    """The models of an observer, the public or a player by name, after a hundred hands of four players."""
    table = Table(Variant.ring(4), ("Ann", "Bob", "Cleo", "Dan"), players, 5)
    known = PlayerModels(load_styles())
    for watched in watched_hands(hands_of(watch(table, [0], 100, folder)[0], table), actions=False):
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
