"""External programs: they play what their agent plays, and no misbehaviour ends the match."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from baycarp.agents.external import process, program
from baycarp.agents.external.process import Fault, Process, ProcessLimits
from baycarp.agents.external.program import FaultStage, Program, ProgramSettings
from baycarp.agents.registry import load
from baycarp.agents.static.simple import AlwaysCall, Random
from baycarp.arena.hand import play_hand
from baycarp.arena.session import Table, play_session
from baycarp.budget import Budget
from baycarp.card import cards
from baycarp.errors import ModelError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

BOT = Path(__file__).parents[2] / "bots" / "bot.py"
THREE = Variant.ring(3)


def bot(*words):
    return shlex.join([sys.executable, "-S", str(BOT), *words])


MARK = "BAYCARP_TEST_MARK"


def alive(mark):
    """The processes that run with that mark in their environment, wherever they have gone."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}\0".encode() in (folder / "environ").read_bytes():  # of a zombie it is empty
                found.append(folder.name)
    return found


def gone(mark):
    """Nothing of it runs; the killed need a moment, and a test that fails takes all of it."""
    until = time.monotonic() + 30
    while (left := alive(mark)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left


@pytest.fixture
def mark(monkeypatch):
    """Marks the programs that a test starts, and all that they start; at its end nothing of them may run."""
    mark = str(uuid4())
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setattr(process, "ENVIRONMENT", (*process.ENVIRONMENT, MARK))
    yield mark
    gone(mark)


@pytest.fixture
def started(monkeypatch, mark):
    """The supervisors of the programs that a test starts."""
    started = []

    class Watched(Process):
        def __init__(self, *given):
            super().__init__(*given)
            started.append(self.supervisor)

    monkeypatch.setattr(program, "Process", Watched)
    yield started
    assert started


def play(agents, hands, variant=THREE):
    """Hands in a row, the button going round; every state at its end."""
    seats = len(agents)
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, 100 + seat)
    for hand in range(hands):
        order = [(hand + position) % seats for position in range(seats)]
        names = tuple(f"p{seat}" for seat in order)
        yield (
            order,
            play_hand(
                State(variant, deck=deal(1, 0, hand, 2 * seats + 5)),
                [agents[seat] for seat in order],
                names,
                hand,
            ),
        )


def did(order, state, seat):
    return [act.action.name for act in state.acts if order[act.seat] == seat]


@pytest.mark.slow
def test_an_engine_as_a_program_plays_what_its_agent_plays(small_model, started):
    """Same cards, same seeds, other processes: the same hands, whatever was learned on the way."""
    specs = ("karma", str(small_model), "frida", "random")
    engine = f"{sys.executable} -m baycarp serve engine --agent"
    settings = "time=60, start=60, environment=['PYTHONPATH']"
    programs = tuple(f"program(command={f'{engine} {spec}'!r}, {settings})" for spec in specs[:3])
    budget = Budget(playouts=30)
    here, there = (
        play_session(Table(Variant.ring(4), ("A", "B", "C", "D"), seated, 7, budget), 2, 25)
        for seated in (specs, (*programs, specs[3]))
    )
    assert there.log == here.log
    assert len(set(here.log)) == 25


def test_a_program_plays_no_limit_with_stacks_and_antes(started):
    variant = Variant.ring(3, 20, betting="no-limit", stacks=(300, 1000, 90), ante=2)
    agents = [Program(ProgramSettings(bot("well"), time=30)), Random(), Random()]
    for order, state in play(agents, 8, variant):
        assert set(did(order, state, 0)) <= {"check", "call"}
    assert not agents[0].faults


@pytest.mark.parametrize(
    ("how", "faults"),
    [
        ("hangs", {"late"}),
        ("shouts", {"garbage"}),
        ("chatters", {"flood", "late"}),
        ("one long line", {"flood", "garbage"}),
        ("babbles", {"garbage"}),
        ("is no object", {"garbage"}),
        ("raises by 3", {"illegal"}),
        ("says nonsense", {"illegal"}),
        ("answers for another", {"wrong id"}),
        ("refuses", {"error"}),
        ("dies", {"died"}),
        ("eats memory", {"died"}),
        ("leaves children", {"late", "died"}),
    ],
)
def test_a_bad_program_loses_the_hand_and_not_the_match(started, how, faults):
    seconds = 0.2 if "late" in faults else 20
    bad = Program(ProgramSettings(bot(how), time=seconds, start=30, memory=256))
    for order, state in play([bad, AlwaysCall(), AlwaysCall()], 2):
        mine = did(order, state, 0)
        assert set(mine) <= {"check", "fold"}
        assert sum(state.payoffs()) == 0
        assert not set(did(order, state, 1) + did(order, state, 2)) - {"check", "call"}
    assert sum(bad.faults.values()) == 2
    assert set(bad.faults) <= faults
    assert len(set(started)) == 3  # at the start, and after each fault anew


def test_the_next_hand_it_plays_again(started, monkeypatch):
    monkeypatch.setattr(program, "ENOUGH", 2)  # in a row: they are not
    bad = Program(ProgramSettings(bot("dies", "now and then"), time=30, start=30))
    done = [did(order, state, 0) for order, state in play([bad, AlwaysCall(), AlwaysCall()], 6)]
    assert [set(names) <= {"check", "fold"} for names in done[1::2]] == [True] * 3
    assert all("call" in names for names in (done[0], done[4]))
    assert bad.faults == {"died": 3}


@pytest.mark.parametrize("how", ["stillborn", "dumb"])
def test_a_program_that_does_not_start(started, how, monkeypatch):
    monkeypatch.setattr(program, "ENOUGH", 3)
    bad = Program(ProgramSettings(bot(how), time=0.2, start=0.2))
    played = list(play([bad, AlwaysCall(), AlwaysCall()], 4))
    assert all(set(did(order, state, 0)) <= {"check", "fold"} for order, state in played)
    assert bad.faults == {"start": 3}  # and is then left alone


def test_the_decision_names_the_fault(started):
    bad = Program(ProgramSettings(bot("babbles"), time=30, start=30))
    decisions = []
    bad.sit(0, THREE, 0)
    play_hand(
        State(THREE, deck=deal(1, 0, 0, 11)),
        [bad, AlwaysCall(), AlwaysCall()],
        ("a", "b", "c"),
        watch=lambda state, decision: decisions.append(decision) if state.to_act == 0 else None,
    )
    fault = decisions[0].trace[0]
    assert isinstance(fault, FaultStage)
    assert (fault.fault, fault.done, fault.first) == ("garbage", False, True)
    assert "I raise!!!" in fault.detail
    assert decisions[0].policy_by_kind() == {"fold": 1.0, "call": 0.0, "raise": 0.0}


def test_the_decisions_of_a_lost_hand_name_its_fault_once(started):
    bad = Program(ProgramSettings(bot("dies", "now and then"), time=30, start=30))
    bad.sit(0, THREE, 0)
    state = State(THREE, deck=range(11))
    for name in ("call", "call", "check", "check"):
        state.apply(state.named(name))
    stages = [bad.decide(state.observe(1, hand=hand)).trace[0] for hand in (0, 1, 1, 2, 3)]
    assert [stage.name for stage in stages] == ["program", "fault", "fault", "program", "fault"]
    assert [getattr(stage, "first", None) for stage in stages] == [None, True, False, None, True]
    assert bad.faults == {"died": 2}


def test_a_policy_that_a_program_claims_is_ignored(started):
    """Estimators compute with policies: a claimed one could bias them."""
    good = Program(ProgramSettings(bot("well"), time=30, start=30))
    good.sit(2, THREE, 0)
    decision = good.decide(State(THREE, deck=range(11)).observe(2))
    assert decision.policy_by_kind() == {"fold": 0.0, "call": 1.0, "raise": 0.0}
    assert not decision.exact


class Tape:
    """A program that checks and calls, and records its messages."""

    def __init__(self, *given):
        self.messages, self.legal = [], []
        TAPES.append(self)

    def send(self, message):
        self.messages.append(message)
        self.legal = message.get("legal", self.legal)

    def receive(self, until):
        asked = self.messages[-1] if self.messages[-1]["type"] == "go" else self.messages[0]
        kind = {"go": "decision", "ready": "ready"}[asked["type"]]
        action = next((action.split()[0] for action in self.legal if action[0] == "c"), "")
        return json.dumps({"type": kind, "id": asked["id"], "action": action}).encode()

    def reset_count(self):
        pass

    kill = quit = reset_count


TAPES = []


class Folds(AlwaysCall):
    prefers = ("fold", "check")


def test_a_program_receives_the_observation_of_its_seat_and_no_more(monkeypatch):
    """Until the showdown its messages are the same for any cards of the others."""
    monkeypatch.setattr(program, "Process", Tape)
    for others in ("2c3d4c5d", "AsAhKsKc"):
        mine = Program(ProgramSettings("true"))
        mine.sit(2, THREE, 5)
        deck = cards(others + "QdJd" + "7h9cJs2h8s")
        play_hand(State(THREE, deck=deck), [Folds(), AlwaysCall(), mine], ("a", "b", "c"), 3)
    one, other = (tape.messages for tape in TAPES)
    assert one[:-1] == other[:-1]
    kinds = [message["type"] for message in one]
    assert kinds[:6] == ["ready", "new", "position", "go", "observe", "observe"]
    assert all(
        message["holes"] == ["", "", "QdJd" if message["type"] == "position" else ""]
        for message in one[:-1]
        if "holes" in message
    )
    shown = {"holes": ["", "4c5d", "QdJd"], "payoffs": [-1, -2, 3]}
    assert {key: one[-1][key] for key in shown} == shown


def test_a_hand_of_another_game_than_the_sessions_names_its_game(monkeypatch):
    """As where a player leaves a recorded table: the hand is not one by the rules of the session."""
    monkeypatch.setattr(program, "Process", Tape)
    mine = Program(ProgramSettings("true"))
    mine.sit(2, THREE, 5)
    two = Variant.ring(2)
    state = State(two, deck=range(9))
    assert mine.decide(state.observe(state.to_act)).action == state.named("call")
    play_hand(State(two, deck=range(9)), [mine, AlwaysCall()], ("a", "b"), 1)
    play_hand(State(THREE, deck=range(11)), [mine, AlwaysCall(), AlwaysCall()], ("a", "b", "c"), 2)
    seats = {
        len(message["holes"]): message.get("game", {}).get("seats")
        for message in TAPES[-1].messages
        if message["type"] in ("position", "observe")
    }
    assert seats == {2: 2, 3: None}


def test_a_program_that_does_not_read_is_deaf(started):
    process = program.Process([sys.executable, "-S", "-c", "import time; time.sleep(600)"], ProcessLimits())
    for _ in range(20):
        process.send({"actions": ["x" * 50_000]})
    with pytest.raises(Fault, match="deaf"):
        process.send({"actions": ["x" * 200_000]})
    process.kill()


def test_it_has_no_descriptor_of_ours_and_its_limits(started):
    code = (
        "import os, resource, json;"
        "print(json.dumps({'open': sorted(map(int, os.listdir('/proc/self/fd')))[:-1],"
        "'limits': [resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[0]"
        " for name in ('CPU', 'AS', 'NOFILE')]}))"
    )
    kept = os.open(BOT, os.O_RDONLY)
    os.set_inheritable(kept, True)
    process = program.Process([sys.executable, "-S", "-c", code], ProcessLimits(cpu=7, memory=512, files=20))
    line = process.receive(time.perf_counter() + 30)
    process.kill()
    os.close(kept)
    assert line == b'{"open": [0, 1, 2], "limits": [7, 536870912, 20]}'


@contextmanager
def arena(command):
    """A process that runs a program of this command, whose first line has come."""
    code = (
        "import sys, time; from baycarp.agents.external.process import ProcessLimits, Process;"
        f"process = Process({command!r}, ProcessLimits(), environment=[{MARK!r}]);"
        "process.receive(time.perf_counter() + 60);"
        "print(process.supervisor, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        yield started, int(started.stdout.readline())


def test_it_dies_with_an_arena_that_is_killed(mark):
    code = "import time; print(1, flush=True); time.sleep(600)"
    with arena([sys.executable, "-S", "-c", code]) as (started, _):
        assert len(alive(mark)) == 3  # the arena, the supervisor, the program
        started.kill()
    gone(mark)


ORPHANS = """
import os, sys, time
count, seconds = map(float, sys.argv[1:])
for number in range(int(count)):
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(600)
        os._exit(0)
    os.wait()
print(1, flush=True)
time.sleep(seconds)
"""
"""Starts orphans in sessions of their own, which hold its pipes, and ends after some seconds."""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux")
@pytest.mark.parametrize("end", ["kill", "quit", "own end"])
def test_no_child_survives_in_a_session_of_its_own(mark, end):
    seconds = "0.2" if end == "own end" else "600"
    running = Process([sys.executable, "-S", "-c", ORPHANS, "40", seconds], ProcessLimits())
    assert running.receive(time.perf_counter() + 30) == b"1"
    if end != "own end":
        assert len(alive(mark)) == 42  # the supervisor, the program, its orphans
        getattr(running, end)()
        assert alive(mark) == []  # at once
        return
    with pytest.raises(Fault, match="died"):
        running.receive(time.perf_counter() + 30)
    running.kill()


def test_a_program_outlives_the_thread_that_started_it(mark):
    code = "import time; print(1, flush=True); time.sleep(2); print(2, flush=True); time.sleep(600)"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(Process, [sys.executable, "-S", "-c", code], ProcessLimits()).result()
    assert [running.receive(time.perf_counter() + 30) for _ in range(2)] == [b"1", b"2"]
    running.kill()


STOPS = """
import os, signal, sys, time
supervisor, count, pause = os.getppid(), int(sys.argv[1]), float(sys.argv[2])
for _ in range(count):
    if not os.fork():
        os.setsid()
        while True:
            os.kill(supervisor, signal.SIGSTOP)
            time.sleep(pause)
print(1, flush=True)
sys.stdin.readline()
print(2, flush=True)
time.sleep(600)
"""
"""Orphans in sessions of their own, which stop the supervisor once, or again and again."""


def is_stopped(supervisor):
    stat = Path(f"/proc/{supervisor}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def wait_until_stopped(supervisor):
    until = time.monotonic() + 60
    while not is_stopped(supervisor):
        assert time.monotonic() < until
        time.sleep(0.001)


def stopped(count, pause):
    """A program whose supervisor is stopped."""
    running = Process([sys.executable, "-S", "-c", STOPS, str(count), str(pause)], ProcessLimits())
    assert running.receive(time.perf_counter() + 30) == b"1"
    wait_until_stopped(running.supervisor)
    return running


@pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read from /proc")
@pytest.mark.parametrize("end", ["kill", "quit"])
@pytest.mark.parametrize(("count", "pause"), [(1, 600), (5, 0.0)], ids=["once", "again and again"])
def test_a_supervisor_that_is_stopped_ends_with_every_descendant(mark, end, count, pause):
    running = stopped(count, pause)
    assert len(alive(mark)) == 2 + count
    getattr(running, end)()
    gone(mark)
    assert running._child.returncode in (0, -signal.SIGKILL)  # continued, or killed after the others


@pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read from /proc")
def test_a_supervisor_that_is_stopped_dies_with_an_arena_that_is_killed(mark):
    """It is continued by the kernel: nobody else is left to do it."""
    with arena([sys.executable, "-S", "-c", STOPS, "1", "600"]) as (started, supervisor):
        wait_until_stopped(supervisor)
        assert len(alive(mark)) == 4
        started.kill()
    gone(mark)


SIGNALLING = """
import os, signal, sys, time
supervisor = os.getppid()
if not os.fork():
    os.setsid()
    time.sleep(600)
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM}:
    os.kill(supervisor, number)
print(1, flush=True)
time.sleep(600)
"""
"""Sends its supervisor every signal that a process can ignore."""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux")
def test_no_signal_that_can_be_ignored_ends_a_supervisor(mark):
    running = Process([sys.executable, "-S", "-c", SIGNALLING], ProcessLimits())
    assert running.receive(time.perf_counter() + 30) == b"1"
    assert len(alive(mark)) == 3
    running.kill()
    gone(mark)


@pytest.mark.skipif(sys.platform != "linux", reason="ignored signals are read from /proc")
def test_a_program_ignores_no_signal_as_its_supervisor_does():
    running = Process(["grep", "SigIgn", "/proc/self/status"], ProcessLimits())
    assert int(running.receive(time.perf_counter() + 30).split()[1], 16) == 0
    running.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read from /proc")
def test_a_supervisor_that_is_stopped_is_continued_with_the_next_message(mark):
    running = stopped(1, 600)
    running.send({"type": "quit"})
    assert running.receive(time.perf_counter() + 30) == b"2"
    assert not is_stopped(running.supervisor)
    running.kill()
    assert running._child.returncode == 0
    assert alive(mark) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted on Linux")
def test_a_program_with_too_many_processes_is_killed(mark, tmp_path):
    log = tmp_path / "log"
    command = [sys.executable, "-S", "-c", ORPHANS, "20", "600"]
    running = Process(command, ProcessLimits(processes=10), str(log))
    lines = iter(lambda: running.receive(time.perf_counter() + 30), None)
    with pytest.raises(Fault, match="died"):
        list(lines)
    running.kill()
    assert re.search(r"killed: [12]\d processes, expected at most 10", log.read_text())


def test_a_program_gets_the_variables_of_the_list_and_those_named(monkeypatch, mark):
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setenv("WANTED", "y")
    code = "import os, json; print(json.dumps(dict(os.environ)))"
    running = Process([sys.executable, "-S", "-c", code], ProcessLimits(), environment=["WANTED", "MISSING"])
    found = json.loads(running.receive(time.perf_counter() + 30))
    running.kill()
    assert found.pop("WANTED") == "y"
    assert set(found) <= {*process.ENVIRONMENT}
    assert found["PATH"] == os.environ["PATH"]


def test_an_ended_match_leaves_no_program(started, mark):
    agents = [Program(ProgramSettings(bot("well"), time=30, start=30))]
    list(play([*agents, AlwaysCall(), AlwaysCall()], 1))
    assert len(started) == 1
    assert alive(mark)
    del agents[0]
    gone(mark)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("command='no-such-program-anywhere'", "expected a program"),
        ("command=''", "expected a program"),
        ("command='true', time=0", "time 0: expected seconds"),
        ("command='true', memory=1", "memory 1: expected"),
        ("command='true', cpu=0.5", r"cpu=0\.5: expected int"),
        ("command='true', processes=0", "processes 0: expected"),
        ("command='true', environment='PATH'", "environment='PATH': expected"),
        ("", "command"),
    ],
)
def test_wrong_settings_are_refused(settings, reason):
    with pytest.raises(ModelError, match=reason):
        load(f"program({settings})")
