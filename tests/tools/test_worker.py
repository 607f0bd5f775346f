"""The process of the tools: its limits of time, its size of answers, one computation at once."""

import json
import threading
import time

import pytest

from baycarp.errors import BaycarpError, WorkerError
from baycarp.tools.parameters import TableSpot
from baycarp.tools.worker import LONGEST, ToolProcess, fitted


@pytest.fixture(scope="module")
def process():
    process = ToolProcess((), "holdem.limit.2p.reverse_blinds")
    process.call("ranges", {"range": "AA"})
    yield process
    process.close()


def endless(process):
    """A call whose agent would go on for ever: it ends by its limit of time, after seconds."""
    spot = TableSpot(game="holdem.limit.2p.reverse_blinds", seat=1, hole="AhKd")
    return process.call("decide", {"spot": spot, "agent": "mcts(playouts=1000000000)"})


def test_a_late_computation_is_killed_and_the_next_one_is_done(process, monkeypatch):
    monkeypatch.setattr(process, "_seconds", 0.05)
    with pytest.raises(WorkerError, match=r"not done in 0\.05 s"):
        endless(process)
    monkeypatch.undo()
    assert json.loads(process.call("ranges", {"range": "AA"}))["holdings"] == 6


def test_one_tool_at_once_even_where_its_agent_is_endless(process, monkeypatch):
    done = []
    other = threading.Thread(target=lambda: done.append(endless(process)))
    other.start()
    while not process._one.locked():
        time.sleep(0.001)
    monkeypatch.setattr(process, "_seconds", 0.05)
    with pytest.raises(WorkerError, match="another computation runs"):
        process.call("ranges", {"range": "AA"})
    monkeypatch.undo()
    other.join()
    assert json.loads(done[0])["action"] in ("call", "raise", "fold")
    assert process.call("ranges", {"range": "AA"})


def test_a_refusal_of_the_tool_arrives(process):
    with pytest.raises(BaycarpError, match="RangeError: column 1"):
        process.call("ranges", {"range": "?!"})


def test_without_files_nothing_recorded_is_read(process):
    with pytest.raises(BaycarpError, match="started without a file"):
        process.call("statistics", {})


@pytest.mark.parametrize(
    "answer",
    [
        {"explanation": "é" * 20_000, "action": "fold"},
        {"rows": [list(range(50)) for _ in range(500)], "action": "fold"},
        {"one": {str(n): n for n in range(5000)}, "two": "x" * 9000, "action": "fold"},
    ],
)
def test_an_answer_is_cut_where_it_is_long(answer):
    line = fitted(answer)
    assert len(line.encode()) <= LONGEST
    assert json.loads(line)["action"] == "fold"


def test_a_short_answer_is_whole():
    assert json.loads(fitted({"a": [1, 2, "x"]})) == {"a": [1, 2, "x"]}
