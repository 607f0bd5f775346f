"""Is an agent late? Decisions under a time limit, timed from outside, at situations of random hands."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.arena.rotation import deals
from baycarp.arena.workers import CONTEXT
from baycarp.budget import Budget
from baycarp.game.action import Action
from baycarp.game.event import Acted, HandOver
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["Clocks", "Timed", "busy", "measure"]

HANDS = 10
"""Hands before the agent moves to a table of another size, where nobody is known."""

BOLDNESS = {"fold": 1, "check": 5, "call": 6, "bet": 3, "raise": 2}
"""How often what is legal is done, to one another: hands go on to the river, with and without raises."""

PAUSE = 0.002
"""Seconds in which it is another's turn. Who never waits is made to wait in the middle of a decision."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the time is, in seconds, by the clock on the wall and of the process; and how to let it pass."""

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
        Seconds that each had.
    wall, cpu
        Seconds that each took, by the clock on the wall and of the process; float64, shape (decisions,).
    complete
        Which of them left nothing undone that the agent wished to do; bool, shape (decisions,).
    illegal
        How many were against the rules.
    """

    limit: float
    wall: NDArray[np.float64]
    cpu: NDArray[np.float64]
    complete: NDArray[np.bool_]
    illegal: int

    @property
    def over(self) -> NDArray[np.float64]:
        """Seconds over the limit; negative where there was time left."""
        return self.wall - self.limit

    @property
    def late(self) -> float:
        """Share of the decisions that were over the limit by more than 2 ms and a twentieth of it."""
        return float(np.mean(self.over > max(0.002, 0.05 * self.limit)))


def measure(
    agent: Agent,
    limit: float,
    decisions: int,
    seed: int = 0,
    clocks: Clocks = CLOCKS,
) -> Timed:
    """Let an agent decide under a time limit at situations of all streets.

    He sits at limit tables of two to eight seats, where everybody acts at random, himself too: he decides at
    each of his turns, and then something is done.

    Parameters
    ----------
    limit
        Seconds a decision.
    decisions
        How many.
    seed
        Fixes the hands.
    clocks
        What times the decisions.
    """
    chance = random.Random(seed)
    times, complete, illegal = np.zeros((decisions, 2)), np.zeros(decisions, bool), 0
    turns = _turns(agent, chance, seed)
    for number in range(decisions):
        state, position, players, hand = next(turns)
        observation = state.observe(position, players, hand)
        clocks.sleep(PAUSE)
        began = clocks.wall(), clocks.cpu()
        decision = agent.decide(observation, budget=Budget(time=limit))
        times[number] = clocks.wall() - began[0], clocks.cpu() - began[1]
        complete[number] = all(stage.done for stage in decision.trace)
        illegal += not state.can(decision.action)
    return Timed(limit, times[:, 0], times[:, 1], complete, illegal)


Turn = tuple[State, int, tuple[str, ...], int]


def _turns(agent: Agent, chance: random.Random, seed: int) -> Iterator[Turn]:
    """The agent's turns, hand after hand without end; he hears everything in between."""
    session = 0
    while True:
        variant = Variant.ring(chance.randint(2, 8))
        agent.sit(0, variant, chance.getrandbits(32))
        names = [f"player {seat}" for seat in range(variant.seats)]
        for dealt in deals(names, seed, session, HANDS):
            hand, players, state = dealt.hand, dealt.names, State(variant, deck=dealt.deck)
            while (position := state.to_act) is not None:
                if dealt.seats[position] == 0:
                    yield state, position, players, hand
                before = state.observe(None, players, hand)
                agent.learn(Acted(before, state.apply(_anything(state, chance))))
            agent.learn(HandOver(state.observe(None, players, hand), state.payoffs()))
        session += 1


def _anything(state: State, chance: random.Random) -> Action:
    legal = state.legal_actions()
    return chance.choices(legal, [BOLDNESS[action.name] for action in legal])[0]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy with processes that do nothing but run."""
    ready = CONTEXT.Barrier(processes + 1)
    spinning = [CONTEXT.Process(target=_spin, args=(ready,), daemon=True) for _ in range(processes)]
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
