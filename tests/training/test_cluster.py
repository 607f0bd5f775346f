"""Work on a cluster of two processes, one of which is killed: the bytes of a run in this process."""

import json
import os
import signal

import numpy as np
import pytest

from baycarp.arena import session
from baycarp.arena.cluster import cluster
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import THIS_PROCESS
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.training.imitate import Demonstrations, imitate
from baycarp.training.logs import Logs
from baycarp.training.model import Training, Watched, train
from baycarp.training.tune import TunePlan, tune
from experiments.__main__ import main
from experiments.beliefs.reports import oracle

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
TABLE = Table(GAME, ("Ann", "Bob"), ("rule", "jag"), seed=9)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")


@pytest.fixture(autouse=True)
def _short_sessions(monkeypatch):
    monkeypatch.setattr(session, "HANDS", 10)


@pytest.fixture(scope="module")
def local():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as found:
        yield found


@pytest.fixture
def kill_one(local):
    """A progress that kills one of the processes at a step."""
    killed = []

    def progress(what, done, of):
        if what == "sessions read" and not killed:
            killed.append(next(iter(local.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    yield progress
    assert killed


def contents(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): path.read_bytes() for path in files}


@pytest.mark.slow
def test_training_on_a_cluster_gives_the_same_bytes(local, kill_one, tmp_path):
    def make(folder, workers, *progress):
        train(Training(BAYCARP2), Watched(TABLE, 60), folder, "a test", workers, *progress)

    make(tmp_path / "here", THIS_PROCESS)
    with cluster(local.scheduler_address) as workers:
        make(tmp_path / "there", workers, kill_one)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_imitation_on_a_cluster_gives_the_same_bytes(local, kill_one, tmp_path):
    log = tmp_path / "others.log"
    log.write_text("\n".join(play_session(TABLE, 0, hands=60).log))
    demonstrations = Demonstrations(Logs((log,), GAME), ("Ann",))
    made = imitate(BAYCARP2, demonstrations, tmp_path / "here", "a test")
    with cluster(local.scheduler_address) as workers:
        found = imitate(BAYCARP2, demonstrations, tmp_path / "there", "a test", workers, kill_one)
    assert found.agreement == made.agreement
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


@pytest.mark.slow
def test_tuning_on_a_cluster_gives_the_same_bytes(local, small_model, tmp_path):
    pytest.importorskip("cma")

    def search(out, *workers):
        tune(TunePlan(small_model, out, generations=2, ask=12, finalists=2, deals=0), "a test", *workers)
        return contents(out)

    with cluster(local.scheduler_address) as workers:
        assert search(tmp_path / "there", workers) == search(tmp_path / "here")


@pytest.mark.slow
def test_the_oracle_measure_on_a_cluster_gives_the_same_results(local, tmp_path, monkeypatch):
    """The oracle computes in single precision, whose last digits depend on the threads of the BLAS."""
    monkeypatch.setattr(oracle, "HANDS", 20)

    def measure(folder, *where):
        call = ["beliefs", "--oracle", str(folder), "--hands", "40", "--sessions", "1", "--fit", "its styles"]
        assert main([*call, *where]) == 0
        results = json.loads((folder / "results.json").read_text())["pool"]
        losses = {each["name"]: each["loss"]["value"] for each in results["models"]}
        return losses, np.load(next(folder.rglob("*.oracle.npy")))

    losses, known = measure(tmp_path / "here", "--workers", "1")
    there, known_there = measure(tmp_path / "there", "--cluster", local.scheduler_address)
    assert there == losses
    assert np.allclose(known_there, known, rtol=0, atol=1e-5, equal_nan=True)
