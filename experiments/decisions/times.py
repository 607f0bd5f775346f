"""Seconds that the decisions of an agent take."""

import time

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.registry import load_for
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import Table
from baycarp.budget import Budget
from baycarp.game import Observation, State

__all__ = ["decision_times"]


def decision_times(table: Table, hands: int) -> NDArray[np.float64]:
    """Seconds that each decision of the table's first player took over some hands, in this process.

    It is measured apart from the match, whose results must not depend on the clock.
    """
    first, *others = (load_for(table.variant, spec) for spec in table.specs)
    hero = _Clocked(first)
    agents: list[Agent] = [hero, *others]
    for seat, agent in enumerate(agents):
        agent.sit(seat, table.variant, table.seed + seat)
    for dealt in deals(table.players, table.seed, PLAYED, hands):
        seated = dealt.by_position(agents)
        play_hand(State(table.variant, deck=dealt.deck), seated, dealt.names, dealt.hand, table.budget)
    return np.array(hero.seconds)


class _Clocked:
    """An agent, and the duration of each of its decisions."""

    def __init__(self, agent: Agent) -> None:
        self.plays, self.sit, self.learn = agent.plays, agent.sit, agent.learn
        self._decide, self.seconds = agent.decide, list[float]()

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        began = time.perf_counter()
        decision = self._decide(observation, time_limit, budget)
        self.seconds.append(time.perf_counter() - began)
        return decision
