"""The benchmark as files: made again from the seed, with the same scores as without files."""

import json

import numpy as np
import pytest

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.session import Table
from baycarp.card import HOLDS
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.training.watch import hands_of, watch
from experiments.beliefs.benchmark_files import (
    CARD,
    FORMAT,
    VERSION,
    BenchmarkSession,
    benchmark_table,
    judge,
    save,
)
from experiments.beliefs.decision_points import decision_points
from experiments.beliefs.information import line
from experiments.beliefs.measure import judge_session, known_of_session
from experiments.beliefs.networks import Base

SPECS = tuple(spec for spec in (*TABLE, EIGHTH) if spec not in ("absinthe", "frida"))
POOL = Table(Variant.ring(6), tuple(spec.capitalize() for spec in SPECS), SPECS, 3)
PLAYERS = dict(zip(POOL.players, POOL.specs, strict=True))

DIGESTS = {
    "hands": "702464f9f395cb97",
    "holding": "bc9556ece4cc933e",
}
"""The digests of this seed, on every machine."""


def anything(view, street):
    free = ~HOLDS[list(view.observation.board)].any(axis=0)
    return free / free.sum()


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A benchmark of one session, and the session."""
    folder = tmp_path_factory.mktemp("frozen")
    log = watch(POOL, [0], 10, folder / "pool")[0]
    hands = list(hands_of(log, POOL))
    base = Base.of(Base.count(decision_points(hands)))
    models = {"base": base, "plain": anything}
    judged = judge_session(hands, models, known_of_session(hands, PLAYERS), types=True)
    frozen = benchmark_table([BenchmarkSession(log.read_text(), hands, PLAYERS, judged)])
    save({"pool": frozen}, folder / "files", "the tests")
    return folder / "files", hands, judged, frozen


def test_the_seed_makes_the_same_queries_everywhere(asked):
    _, _, _, frozen = asked
    assert {name: frozen.digests[name][:16] for name in DIGESTS} == DIGESTS


def test_the_oracle_in_the_files_is_the_oracle(asked):
    folder, _, judged, _ = asked
    with np.load(folder / "pool.npz", allow_pickle=False) as arrays:
        assert arrays["oracle"].sum(axis=1) == pytest.approx(1, abs=1e-5)
        truth = arrays["holding"][~np.isnan(arrays["known"])]
        assert -np.log(arrays["oracle"][np.arange(len(truth)), truth]) == pytest.approx(
            judged.known, abs=1e-5
        )


def test_external_beliefs_have_the_same_scores_as_a_model(asked, tmp_path):
    folder, hands, judged, _ = asked
    points = list(decision_points(hands))
    np.savez(tmp_path / "mine.npz", pool=[anything(point.view, point.street) for point in points])
    lines = judge(folder, tmp_path / "mine.npz")["pool"]
    assert [each.name for each in lines] == ["base", "plain", "mine"]
    here = line(judged, "plain", "base", "plain")
    for name in ("loss", "share", "above_deal", "brier"):
        assert getattr(lines[2], name).value == pytest.approx(getattr(here, name).value, rel=1e-9)
    assert lines[1].loss == here.loss
    assert lines[0].share.value == 0


def test_invalid_beliefs_are_refused(asked, tmp_path):
    folder, _, judged, _ = asked
    points = len(judged.points)
    for array in (np.ones((points, 1326)), np.ones((3, 1326)) / 1326, np.ones((points, 1326), int)):
        np.savez(tmp_path / "no.npz", pool=array)
        with pytest.raises(ModelError, match="expected"):
            judge(folder, tmp_path / "no.npz")
    np.savez(tmp_path / "no.npz", others=np.zeros(3))
    with pytest.raises(ModelError, match="expected some of pool"):
        judge(folder, tmp_path / "no.npz")
    (tmp_path / "text.npz").write_text("nothing")
    for file in ("text.npz", "missing.npz"):
        with pytest.raises(ModelError, match="cannot be judged"):
            judge(folder, tmp_path / file)
    (tmp_path / "benchmark.json").write_text(json.dumps({"format": "another", "version": 1}))
    with pytest.raises(ModelError, match="expected format"):
        judge(tmp_path, tmp_path / "no.npz")


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        (
            json.dumps({"format": FORMAT, "version": VERSION, "tables": {"../other": {}}}),
            "table '../other': expected the name of a file",
        ),
    ],
)
def test_the_card_of_a_foreign_benchmark_is_read_as_data(tmp_path, card, reason):
    (tmp_path / CARD).write_text(card)
    with pytest.raises(ModelError, match=reason):
        judge(tmp_path, tmp_path / "mine.npz")
