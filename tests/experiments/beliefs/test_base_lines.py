"""Base lines: cross-fitted shares gain nothing on noise, find signal, and never learn from a judged hand."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.card import CLASS_OF
from experiments.beliefs.base_lines import (
    CLASS_SHARES,
    DEAL,
    FOLDS,
    OWN,
    action_losses,
    base_lines,
    cross_fit,
)
from experiments.beliefs.columns import ActionColumns, Judged, PointColumns
from experiments.beliefs.networks import Base
from experiments.beliefs.scores import score


def moments_of(holding, rng, players=5):
    """Decision points before the flop at a table of six, two a hand, with these holdings."""
    n = len(holding)
    numbers = {name: np.zeros(n, np.intp) for name in ("street", "observed")}
    position = rng.integers(0, 6, n)
    return PointColumns(
        hand=np.arange(n) // 2,
        seats=np.full(n, 6, np.intp),
        position=position,
        place=np.array([0, 0, 1, 1, 2, 3])[position],
        player=np.array([f"p{number}" for number in rng.integers(0, players, n)]),
        action=np.full(n, "-"),
        holding=holding,
        board=np.full((n, 5), 255, np.uint8),
        **numbers,
    )


def judged_of(points):
    return Judged({}, points, ActionColumns.none(), np.full(len(points), np.nan))


def counted_on_the_judged_hands(points):
    """The loss of shares counted on the hands that they are judged on."""
    counts = np.zeros((4, 4, 169))
    np.add.at(counts, (points.street, points.place, CLASS_OF[points.holding]), 1)
    weights = Base.of(counts).chances[points.street, points.place][:, CLASS_OF]
    return score(weights / weights.sum(axis=1, keepdims=True), points.holding, points.board)["loss"]


def test_noise_gains_nothing_where_shares_of_the_same_hands_gained():
    gains, before = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        points = moments_of(rng.integers(0, 1326, 600), rng)
        lines = base_lines(judged_of(points))
        gains.append([(lines[DEAL]["loss"] - lines[name]["loss"]).mean() for name in (CLASS_SHARES, OWN)])
        before.append((lines[DEAL]["loss"] - counted_on_the_judged_hands(points)).mean())
    error = np.std(gains, axis=0) / np.sqrt(len(gains))
    assert (np.mean(gains, axis=0) < 2 * error).all()
    assert np.mean(gains) > -0.02  # and hardly loses: the strength is chosen
    assert min(before) > 0.1


def test_shares_find_what_position_and_player_tell():
    rng, n = np.random.default_rng(9), 6000
    points = moments_of(rng.integers(0, 1326, n), rng, players=2)
    strong = np.flatnonzero(CLASS_OF < 40)
    narrow = rng.random(n) < np.where(points.player == "p0", 0.9, 0.1)
    points = replace(points, holding=np.where(narrow, rng.choice(strong, n), points.holding))
    lines = base_lines(judged_of(points))
    deal, shares, own = (lines[name]["loss"].mean() for name in (DEAL, CLASS_SHARES, OWN))
    share = len(strong) / 1326
    assert deal == pytest.approx(np.log(1326))
    mixed = 0.5 + 0.5 * share
    entropy = -(
        mixed * np.log(mixed / len(strong)) + (1 - mixed) * np.log((1 - mixed) / (1326 - len(strong)))
    )
    assert shares == pytest.approx(entropy, abs=0.06)
    assert own < shares - 0.1


def test_the_fold_of_a_hand_has_no_part_in_its_shares():
    rng = np.random.default_rng(4)
    outcome, hand, level = rng.integers(0, 3, 500), np.arange(500), rng.integers(0, 4, 500)
    prior = np.full(3, 1 / 3)
    first = cross_fit(outcome, [np.zeros(500, np.intp), level], hand, prior)
    assert first.rows(slice(None)).sum(axis=1) == pytest.approx(1)
    changed = np.where(hand % FOLDS == 3, (outcome + 1) % 3, outcome)
    again = cross_fit(changed, [np.zeros(500, np.intp), level], hand, prior)
    assert again.strengths[3] == first.strengths[3]
    assert (again.tables[3] == first.tables[3]).all()
    assert (again.tables[4] != first.tables[4]).any()


def test_a_level_backs_off_to_the_coarser_one():
    """One row of a key: its share is nearly that of the level above, which many rows determine."""
    outcome = np.r_[np.zeros(900, np.intp), np.ones(100, np.intp), 1]
    outcome[:1000] = np.random.default_rng(2).permutation(outcome[:1000])
    level = np.r_[np.zeros(1000, np.intp), 1]
    found = cross_fit(outcome, [np.zeros(1001, np.intp), level], np.arange(1001), np.array([0.5, 0.5]))
    assert found.rows(np.array([1000]))[0, 0] == pytest.approx(0.9, abs=0.05)


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="no row"):
        cross_fit(np.zeros(0, np.intp), [np.zeros(0, np.intp)], np.zeros(0, np.intp), np.ones(2) / 2)


def test_actions_are_predicted_by_their_situation():
    rng, n = np.random.default_rng(6), 4000
    situation = rng.integers(4, 8, n)
    choice = np.where(situation == 5, 2, rng.integers(0, 3, n))
    zeros = np.zeros(n, np.intp)
    choices = ActionColumns(
        np.arange(n), zeros, zeros, zeros, np.full(n, "p"), situation, zeros + 1, choice, {}
    )
    losses = action_losses(choices)
    assert losses[situation == 5].mean() < 0.02
    assert losses[situation != 5].mean() == pytest.approx(np.log(3), abs=0.03)
    assert len(action_losses(ActionColumns.none())) == 0
