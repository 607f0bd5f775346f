"""Deadlines: lateness is measured correctly, by a simulated clock."""

import json
import os
import re
import time
from collections import Counter
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

from baycarp.agents.base import Decision, Plays
from baycarp.agents.trace import TierStage
from baycarp.game.action import Action
from baycarp.game.event import Acted, HandOver
from benchmarks.__main__ import main
from benchmarks.parts import deadlines
from benchmarks.parts.goal import MISSED
from benchmarks.timed import Clocks, Timed, busy, in_own_session, measure


class Clock:
    """A simulated clock."""

    def __init__(self):
        self.wall = self.cpu = 0.0

    def sleep(self, seconds):
        self.wall += seconds


class Slow:
    """Takes the first legal action, sometimes late; counts its observations and events."""

    plays = Plays(frozenset({"limit"}))

    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, seconds
        self.streets, self.tables, self.events, self.budgets = Counter(), [], Counter(), set()

    def sit(self, seat, variant, seed):
        self.tables.append(variant.seats)

    def decide(self, observation, time_limit=None, budget=None):
        assert observation.seat == observation.state.to_act
        assert len(observation.hole) == 2
        self.streets[observation.street] += 1
        self.budgets.add(budget.time)
        seconds = self.seconds(sum(self.streets.values()))
        self.clock.wall += seconds
        self.clock.cpu += seconds / 4
        action = observation.legal_actions()[0]
        done = seconds < budget.time
        return Decision(action, {action: 1.0}, trace=(TierStage("thought", seconds=seconds, done=done),))

    def learn(self, event):
        self.events[type(event)] += 1
        if isinstance(event, HandOver):
            assert sum(event.payoffs) == 0


def clocks(clock):
    return Clocks(lambda: clock.wall, lambda: clock.cpu, clock.sleep)


def measured(seconds, decisions=1000, limit=0.02, **other):
    clock = Clock()
    agent = Slow(clock, seconds)
    vars(agent).update(other)
    timed = measure(agent, limit, decisions, 3, clocks(clock))
    return agent, timed


def test_wall_and_processor_time_are_of_the_decision_only():
    agent, timed = measured(lambda number: 0.01 + 0.04 * (number % 50 == 0))
    assert agent.budgets == {0.02}
    assert timed.wall == pytest.approx([0.01 + 0.04 * (n % 50 == 0) for n in range(1, 1001)])
    assert timed.cpu == pytest.approx(timed.wall / 4)
    assert timed.late == 0.02
    assert timed.over.max() == pytest.approx(0.03)
    assert timed.complete.mean() == 0.98
    assert timed.illegal == 0


@pytest.mark.parametrize(
    ("limit", "bound"),
    [(0.02, 0.002), (0.1, 0.005), (1.0, 0.05)],  # the longer of 2 ms and 5 %
)
def test_late_is_more_than_2_ms_and_a_twentieth(limit, bound):
    over = np.array([-0.01, 0.99 * bound, 1.01 * bound, 3 * bound])
    assert Timed(limit, limit + over, over, over > 9, 0).late == 0.5


def test_all_streets_and_table_sizes_occur():
    agent, _ = measured(lambda number: 0.0, decisions=2000)
    assert set(agent.streets) == {0, 1, 2, 3}
    assert min(agent.streets.values()) > 150
    assert set(agent.tables) == set(range(2, 9))
    assert agent.events[Acted] > agent.events[HandOver] > 100
    again, _ = measured(lambda number: 0.0, decisions=2000)
    assert (again.streets, again.tables, again.events) == (agent.streets, agent.tables, agent.events)


def test_tables_may_have_one_size():
    clock = Clock()
    agent = Slow(clock, lambda number: 0.0)
    measure(agent, 0.5, 200, clocks=clocks(clock), seats=2)
    assert set(agent.tables) == {2}


def test_illegal_actions_are_counted():
    clock = Clock()

    class Cheat(Slow):
        def decide(self, observation, time_limit=None, budget=None):
            return Decision(Action("raise", 10**6), {})

    timed = measure(Cheat(clock, None), 0.1, 40, 0, clocks(clock))
    assert timed.illegal == 40


def ticks(pid):
    """Processor time of a process in ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def test_busy_processes_run_and_end():
    if not Path("/proc/self/stat").exists():
        pytest.skip("processor times of others are read from /proc")
    before = set(active_children())
    with busy(2):
        spinning = set(active_children()) - before
        assert len(spinning) == 2
        began = {process.pid: ticks(process.pid) for process in spinning}
        patience = time.monotonic() + 30
        while not all(ticks(pid) > worked + 5 for pid, worked in began.items()):
            assert time.monotonic() < patience
            time.sleep(0.05)
    assert set(active_children()) == before


def timed(limit, loaded):
    """1,000 decisions: under load two are 30 ms late, without load one is 0.5 ms late."""
    wall = np.full(1000, limit / 2)
    wall[: 2 if loaded else 1] = limit + max(0.03, 0.06 * limit) if loaded else limit + 0.0005
    return Timed(limit, wall, wall, np.ones(1000, bool), int(loaded))


@pytest.mark.skipif(not hasattr(os, "setsid"), reason="sessions are of POSIX")
def test_the_process_of_an_own_session_leads_it_and_ends():
    before = set(active_children())
    session = in_own_session(os.getsid, 0)
    assert session not in {os.getsid(0), os.getpid()}
    assert set(active_children()) == before
    with pytest.raises(ZeroDivisionError):
        in_own_session(divmod, 1, 0)


@pytest.fixture
def loads(monkeypatch):
    """The measurements that the command asks for: name, limit, number, busy processes, own session."""
    asked, spinning, apart = [], [0], [False]

    @contextmanager
    def load(number):
        spinning[0] = number
        yield
        spinning[0] = 0

    def alone(work, *args):
        apart[0] = True
        try:
            return work(*args)
        finally:
            apart[0] = False

    def measured(name, limit, count, seats):
        assert not seats
        asked.append((name, limit, count, spinning[0], apart[0]))
        return timed(limit, spinning[0] > 0)

    monkeypatch.setattr(deadlines, "busy", load)
    monkeypatch.setattr(deadlines, "in_own_session", alone)
    monkeypatch.setattr(deadlines, "_timed", measured)
    return asked


@pytest.mark.parametrize("same", [False, True])
def test_the_agent_is_in_a_session_of_its_own_unless_asked(loads, same):
    assert main(["deadlines", "--json", *["--same-session"] * same]) == MISSED
    assert {own for *_, own in loads} == {not same}
    assert {number for *_, number, _ in loads} == {0, 2 * os.cpu_count()}


def test_goals_have_the_measured_figures(loads, capsys):
    assert main(["deadlines", "--decisions", "5000", "--json"]) == MISSED
    goals = {goal["goal"]: goal for goal in map(json.loads, capsys.readouterr().out.splitlines())}
    spinning = 2 * os.cpu_count()
    assert loads[:2] == [("baycarp", 0.02, 5000, spinning, True), ("baycarp", 0.02, 5000, 0, True)]
    assert [count for name, _, count, load, _ in loads if name == "simulation" and load] == [5000, 1000, 100]
    late, worst = goals["baycarp, 20 ms, busy: late"], goals["baycarp, 20 ms, busy: worst"]
    assert (late["measured"], late["must"], late["met"]) == (pytest.approx(0.2), 0.1, False)
    assert (worst["measured"], worst["must"], worst["met"]) == (pytest.approx(30), 25, False)
    assert goals["baycarp, 20 ms, else: p99.9"]["met"]
    assert goals["baycarp, 20 ms: illegal"]["met"] is False
    assert goals["simulation, 1000 ms, busy: complete"]["measured"] == 100
    assert len(goals) == 2 * 3 * 11


def test_the_limits_are_those_that_are_asked_for(loads):
    main(["deadlines", "--limits", "20", "50"])
    assert [limit for name, limit, _, load, _ in loads if name == "baycarp" and load] == [0.02, 0.05]


def test_the_table_names_missed_goals(loads, monkeypatch, capsys):
    assert main(["deadlines"]) == MISSED
    out = capsys.readouterr().out
    assert len(re.findall(r"^ (baycarp|simulation) +(20|100|1000) +(busy|else) +\d+ ", out, re.M)) == 12
    assert "missed: baycarp, 20 ms, busy: worst: 30, must be 25 ms over" in out
    assert max(map(len, out.splitlines())) <= 100
    monkeypatch.setattr(deadlines, "_timed", lambda name, limit, count, seats: timed(limit, False))
    assert main(["deadlines"]) == 0
    assert "missed" not in capsys.readouterr().out
