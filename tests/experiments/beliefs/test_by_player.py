"""Networks by style and by opponent while watching: beliefs, what is learned from, a new session."""

import pickle

import numpy as np
import pytest

from baycarp.bn.learn import counts
from baycarp.opponents.network.topology import STRUCTURE
from baycarp.training.rows import rows_of_session
from baycarp.training.watch import hands_of
from experiments.beliefs.by_player import ByPlayer
from experiments.beliefs.decision_points import Watcher, decision_points
from experiments.beliefs.measure import judge_session
from experiments.beliefs.networks import NETWORKS, STRUCTURES, build


@pytest.fixture(scope="module")
def sessions(small_model, watched_table):
    logs = sorted((small_model / "sessions").glob("*.log"))
    return [list(hands_of(log, watched_table)) for log in logs]


@pytest.fixture(scope="module")
def models(sessions):
    rows = list(rows_of_session(sessions[0], STRUCTURES))
    return build(rows, ["plain", "by style", "by opponent", "by opponent, trained on all"])


@pytest.mark.slow
def test_beliefs_are_probabilities_of_possible_holdings(sessions, models):
    judged = judge_session(sessions[1], models)
    for name in models:
        assert np.isfinite(judged.scores[name]["loss"]).all()
    assert judged.scores["by style"]["loss"].mean() < judged.scores["plain"]["loss"].mean()


def test_an_opponents_network_has_the_rows_of_its_showdowns(sessions, models):
    """By the end of a session the counts of each player are those of its shown rows, habits included."""
    model = models["by opponent"]
    assert isinstance(model, Watcher)
    judge_session(sessions[1], {"by opponent": model})
    shown = {}
    for row in list(rows_of_session(sessions[1][:-1])):
        if row.showdown:
            shown.setdefault(row.player, []).append(row.states)
    last = list(decision_points(sessions[1]))[-1]
    name = last.view.observation.players[last.view.position]
    assert name in shown
    style = model.fitted.groups(last.view.habits)
    expected = model.fitted.of_player(style, counts(STRUCTURE, shown[name]))
    assert model.network(last.view) == expected
    assert model.network(last.view) != model.fitted.networks[style]


def test_a_session_begins_without_player_networks(sessions, models):
    model = models["by opponent"]
    judge_session(sessions[1], {"by opponent": model})
    point = list(decision_points(sessions[1]))[-1]
    model.sit()
    assert model.network(point.view) == model.fitted.networks[model.fitted.groups(point.view.habits)]


def test_a_model_can_be_sent_to_another_process(sessions, models):
    again = pickle.loads(pickle.dumps(models["by opponent"]))
    assert isinstance(again, ByPlayer)
    point = next(decision_points(sessions[1]))
    again.sit()
    models["by opponent"].sit()
    np.testing.assert_array_equal(
        again(point.view, point.street), models["by opponent"](point.view, point.street)
    )


def test_every_name_of_the_contest_can_be_fitted(sessions):
    rows = list(rows_of_session(sessions[0], STRUCTURES))
    light = [name for name in NETWORKS if "partial" not in name and "all" not in name]
    assert set(build(rows, light)) == set(light)
