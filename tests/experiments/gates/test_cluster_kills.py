"""A cluster whose scheduler or worker is killed: a line says so, and the same command goes on."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kills by signal"),
]

PORT = 18_786


def started(module, *words):
    return subprocess.Popen([sys.executable, "-m", module, *map(str, words)], stderr=subprocess.DEVNULL)


@pytest.fixture
def processes():
    """A scheduler and two workers, in this order."""
    address = f"tcp://127.0.0.1:{PORT}"
    scheduler = ("--host", "127.0.0.1", "--port", PORT, "--no-dashboard", "--no-show")
    worker = (address, "--nthreads", 1, "--no-nanny", "--no-dashboard")
    found = [
        started("distributed.cli.dask_scheduler", *scheduler),
        *(started("distributed.cli.dask_worker", *worker) for _ in range(2)),
    ]
    yield found
    for each in found:
        each.kill()
        each.wait()


def match(folder, *more):
    command = [sys.executable, "-m", "baycarp", "match", "rule", "call", "--deals", "8000", "--json"]
    words = [*command, "--out", str(folder), *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("killed", ["scheduler", "worker"])
def test_a_killed_process_of_a_cluster_loses_nothing(killed, processes, tmp_path):
    alone, _ = match(tmp_path / "alone", "--workers", "1").communicate()
    run = match(tmp_path / "there", "--cluster", f"tcp://127.0.0.1:{PORT}")
    journal = tmp_path / "there" / "whole.journal"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    os.kill(processes[killed == "worker"].pid, signal.SIGKILL)
    out, err = run.communicate(timeout=300)
    if killed == "scheduler":
        assert run.returncode == 1
        assert "Traceback" not in err
        assert "the same command goes on from there" in err.splitlines()[-1]
        out, _ = match(tmp_path / "there", "--workers", "1").communicate()
    assert out == alone
