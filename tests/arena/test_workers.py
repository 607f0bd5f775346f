"""Workers end with their parent, however it ends; a command that is terminated loses nothing."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import pytest

from baycarp.arena.workers import processes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")

PATIENCE = 120
"""Seconds after which a process that should end counts as one that does not."""

MATCH = ["match", "rule", "jag", "--game", "holdem.limit.2p.reverse_blinds", "--deals", "1500"]


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_workers_do_not_outlive_their_parent(sent, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program = Path(__file__).parent / "orphans.py"
    parent = subprocess.Popen([sys.executable, program, pipe], stdout=subprocess.PIPE)
    try:
        assert parent.stdout.readline() == b"idle\n"
        assert os.read(reading, 100) == b"xx"
        parent.send_signal(sent)
        parent.wait(PATIENCE)
        assert select.select([reading], [], [], PATIENCE)[0], "a worker lives on"
        assert os.read(reading, 100) == b""
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
        os.close(reading)


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("function", ["play_units", "in_order"])
def test_a_signal_inside_a_function_of_the_pool_ends_the_process(function, sent):
    program = [sys.executable, Path(__file__).parent / "interrupted.py", function, sent]
    ended = subprocess.run(program, capture_output=True, timeout=PATIENCE)
    assert (ended.stdout, ended.stderr) == (b"interrupted\n", b"")


@pytest.mark.slow
def test_a_terminated_command_prints_the_same_when_run_again(tmp_path):
    command = [sys.executable, "-m", "baycarp", *MATCH, "--out", str(tmp_path), "--json"]
    running = subprocess.Popen(
        [*command, "--workers", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    journal = tmp_path / "whole.journal"
    while running.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 2):
        time.sleep(0.005)
    running.send_signal(signal.SIGTERM)
    text = running.communicate(timeout=PATIENCE)[1]
    assert running.returncode == 143
    assert text.endswith(b"terminated\n")
    assert b"Traceback" not in text
    kept = journal.read_bytes()
    again = subprocess.run([*command, "--workers", "1"], capture_output=True, check=True).stdout
    assert journal.read_bytes().startswith(kept)
    whole = [*command[:-2], str(tmp_path / "whole"), "--json", "--workers", "1"]
    assert subprocess.run(whole, capture_output=True, check=True).stdout == again


def workers_of(parent):
    """The worker processes of a process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
            if int(stat.rpartition(")")[2].split()[1]) == parent and b"spawn_main" in command:
                found.append(int(folder.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers in /proc")
def test_a_killed_worker_is_one_line_and_the_same_command_goes_on(tmp_path):
    command = [sys.executable, "-m", "baycarp", *MATCH, "--out", str(tmp_path), "--json"]
    journal = tmp_path / "whole.journal"
    running = subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.005)
    os.kill(workers_of(running.pid)[0], signal.SIGKILL)
    out, text = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (1, b"")
    assert b"Traceback" not in text
    last = text.splitlines()[-1].decode()
    assert last.startswith("baycarp match: a worker process ended abruptly")
    assert f"{journal} is whole" in last
    kept = journal.read_bytes()
    subprocess.run([*command, "--workers", "1"], capture_output=True, check=True)
    assert journal.read_bytes().startswith(kept)


def test_an_interruption_while_a_worker_starts_is_left_to_its_parent(capfd):
    """As a terminal does, which sends it to all; before, the interpreter that starts printed a traceback."""
    others = set(active_children())
    with processes(2) as pool:
        done = [pool.submit(os.getpid) for _ in range(2)]
        started = [child.pid for child in set(active_children()) - others]
        for _ in range(20):
            for pid in started:
                os.kill(pid, signal.SIGINT)
            time.sleep(0.02)
        assert {each.result(timeout=60) for each in done} <= set(started)
        assert pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result(timeout=60) == set()
    assert not capfd.readouterr().err
