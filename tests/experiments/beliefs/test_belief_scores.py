"""Scores against numbers computed by hand, and both ends of the measure: base and oracle."""

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.card import HOLDS
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.training.rows import rows_of_session
from experiments.beliefs.columns import Judged
from experiments.beliefs.decision_points import decision_points
from experiments.beliefs.information import line
from experiments.beliefs.intervals import calibration, ratio
from experiments.beliefs.measure import judge_session, known_of_session
from experiments.beliefs.networks import STRUCTURES, Base, build
from experiments.beliefs.oracle import Oracle
from experiments.beliefs.scores import score

PLAYERS = {"Ann": "jake", "Bob": "formula(level='loose')", "Cid": "karma"}


def test_calibration_is_the_gap_between_confidence_and_accuracy():
    sure = np.array([0.9] * 10 + [0.3] * 10)
    right = np.array([1.0] * 7 + [0.0] * 3 + [1.0] * 3 + [0.0] * 7)
    assert calibration(sure, right) == pytest.approx(0.1)


def test_the_interval_has_its_nominal_coverage():
    """Blocks with dependent rows: about 95 of 100 intervals contain the truth."""
    rng, inside = np.random.default_rng(1), 0
    for _ in range(400):
        sizes = rng.integers(1, 5, 200)
        blocks = np.repeat(np.arange(200), sizes)
        values = np.repeat(rng.normal(size=200), sizes) + rng.normal(size=len(blocks)) + 1
        found = ratio(values, np.ones(len(values)), blocks)
        inside += abs(found.value - 1) <= found.margin
    assert 360 <= inside <= 396


@pytest.fixture(scope="module")
def hands():
    table = Table(Variant.ring(3), tuple(PLAYERS), tuple(PLAYERS.values()), 5)
    return [parse_state(log, table.variant) for log in play_session(table, 0, 15).log]


def test_the_base_has_share_zero_and_the_oracle_one(hands):
    known = known_of_session(hands, PLAYERS)
    oracle = Oracle(PLAYERS)
    found = [oracle.after(hand) for hand in hands]
    numbers = iter([m.hand for m in decision_points(hands)])
    models = {
        "base": Base.of(Base.count(decision_points(hands))),
        "oracle": lambda view, street: found[next(numbers)][street, view.position],
    }
    judged = judge_session(hands, models, known, types=True)
    assert line(judged, "base", "base", "base").share.value == 0
    assert line(judged, "oracle", "base", "base").share.value == pytest.approx(1)
    twice = line(Judged.joined([judged, judged]), "oracle", "base", "base")
    once = line(judged, "oracle", "base", "base")
    assert (twice.rows, twice.loss.value) == (2 * once.rows, pytest.approx(once.loss.value))
    assert twice.loss.margin == pytest.approx(once.loss.margin / np.sqrt(2), rel=0.1)  # and more freedom


def test_the_loss_of_the_oracle_is_its_entropy(hands):
    """The mean loss of a correct posterior is its mean entropy; a wrong one has a greater loss."""
    oracle, losses, entropies = Oracle(PLAYERS), [], []
    found = [oracle.after(hand) for hand in hands]
    for point in decision_points(hands):
        belief = found[point.hand][point.street, point.view.position]
        losses.append(-np.log(belief[point.holding]))
        entropies.append(-(belief[belief > 0] * np.log(belief[belief > 0])).sum())
    gaps = np.array(losses) - entropies
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(len(gaps) / 3)


def test_every_model_of_the_contest_returns_a_valid_belief(hands):
    rows = list(rows_of_session(hands, STRUCTURES))
    points = list(decision_points(hands))
    names = ("groups to 75 %", "types to 90 %", "pot odds", "all")
    models = build(rows, names) | {"base": Base.of(Base.count(points))}
    for point in points[::25]:
        blocked = HOLDS[list(point.view.observation.board)].any(axis=0)
        for model in models.values():
            belief = model(point.view, point.street)
            assert belief.sum() == pytest.approx(1)
            assert belief.min() >= 0
            assert not belief[blocked].any()
            board = np.frombuffer(bytes(point.view.observation.board).ljust(5, b"\xff"), np.uint8)
            score(belief[None], np.array([point.holding]), board[None])
