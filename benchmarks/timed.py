"""Deadlines: decisions under a time limit, timed from outside, in situations of random hands."""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.arena.rotation import deals
from baycarp.arena.workers import CONTEXT, processes
from baycarp.budget import Budget
from baycarp.game import Acted, HandOver, Observation, State, Variant

__all__ = ["Clocks", "Timed", "busy", "in_own_session", "measure"]

Result = TypeVar("Result")

HANDS = 10
"""Hands before the agent moves to a table of another size, with new players."""

WEIGHTS = {"fold": 1, "check": 5, "call": 6, "bet": 3, "raise": 2}
"""The weights of legal actions: hands reach the river, with and without raises."""

PAUSE = 0.002
"""Seconds between decisions. A process that never sleeps is preempted in the middle of a decision."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time in seconds, as wall-clock time and as the processor time of this process; and a sleep."""

    wall: Callable[[], float] = time.perf_counter
    cpu: Callable[[], float] = time.process_time
    sleep: Callable[[float], None] = time.sleep


CLOCKS = Clocks()
"""The machine's."""


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """Decisions of one agent under one time limit.

    Parameters
    ----------
    limit
        Seconds for each decision.
    wall, cpu
        Seconds that each took, wall-clock and processor time; float64, shape (decisions,).
    complete
        Whether every stage of the decision was done; bool, shape (decisions,).
    illegal
        The number of illegal actions.
    """

    limit: float
    wall: NDArray[np.float64]
    cpu: NDArray[np.float64]
    complete: NDArray[np.bool_]
    illegal: int

    @property
    def over(self) -> NDArray[np.float64]:
        """Seconds over the limit; negative where time was left."""
        return self.wall - self.limit

    @property
    def late(self) -> float:
        """Share of the decisions that were over the limit by more than 2 ms and 5 % of it."""
        return float(np.mean(self.over > max(0.002, 0.05 * self.limit)))


def measure(
    agent: Agent,
    limit: float,
    decisions: int,
    seed: int = 0,
    clocks: Clocks = CLOCKS,
    seats: int = 0,
) -> Timed:
    """Time an agent's decisions under a time limit, in situations of all streets.

    It sits at limit tables, where all actions are random, its own too: it decides at each of its turns, and
    then a random action is carried out.

    Parameters
    ----------
    limit
        Seconds for each decision.
    decisions
        The number of decisions.
    seed
        Fixes the hands.
    clocks
        The clocks that time the decisions.
    seats
        Of each table; 0 = two to eight.
    """
    times, complete, illegal = np.zeros((decisions, 2)), np.zeros(decisions, bool), 0
    for number, (state, observation) in zip(range(decisions), _turns(agent, seed, seats), strict=False):
        clocks.sleep(PAUSE)
        began = clocks.wall(), clocks.cpu()
        decision = agent.decide(observation, budget=Budget(time=limit))
        times[number] = clocks.wall() - began[0], clocks.cpu() - began[1]
        complete[number] = all(stage.done for stage in decision.trace)
        illegal += not state.can(decision.action)
    return Timed(limit, times[:, 0], times[:, 1], complete, illegal)


def _turns(agent: Agent, seed: int, seats: int) -> Iterator[tuple[State, Observation]]:
    """The agent's turns, hand after hand without end; the agent receives all events in between."""
    rng = random.Random(seed)
    for session in count():
        variant = Variant.ring(seats or rng.randint(2, 8))
        agent.sit(0, variant, rng.getrandbits(32))
        for dealt in deals([f"player {seat}" for seat in range(variant.seats)], seed, session, HANDS):
            state = State(variant, deck=dealt.deck)
            while (position := state.to_act) is not None:
                if dealt.seats[position] == 0:
                    yield state, state.observe(position, dealt.names, dealt.hand)
                before, legal = state.observe(None, dealt.names, dealt.hand), state.legal_actions()
                action = rng.choices(legal, [WEIGHTS[action.name] for action in legal])[0]
                agent.learn(Acted(before, state.apply(action)))
            agent.learn(HandOver(state.observe(None, dealt.names, dealt.hand), state.payoffs()))


def in_own_session(work: Callable[..., Result], *args: Any) -> Result:
    """Call a function in a process that leads a session of its own.

    Linux shares the processors by sessions first (``/proc/sys/kernel/sched_autogroup_enabled``), so that it
    competes with the busy processes of another session as one with one, not as one with all of them. Where
    sessions do not exist, it is just another process.

    Parameters
    ----------
    work, args
        The function and its arguments, all picklable like its result.
    """
    with processes(1, getattr(os, "setsid", None)) as pool:
        return pool.submit(work, *args).result()


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep the machine busy with processes that loop without end."""
    ready = CONTEXT.Barrier(number + 1)
    spinning = [CONTEXT.Process(target=_spin, args=(ready,), daemon=True) for _ in range(number)]
    for process in spinning:
        process.start()
    try:
        ready.wait(timeout=60)
        yield
    finally:
        for process in spinning:
            process.terminate()
            process.join()


def _spin(ready: "CONTEXT.Barrier") -> None:  # type: ignore[name-defined]
    ready.wait()
    while True:
        pass
