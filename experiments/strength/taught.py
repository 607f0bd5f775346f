"""A local best response whose earlier hands taught the agent another strategy."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from baycarp.agents.base import Agent
from baycarp.agents.registry import load_for
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed
from baycarp.game import State, Variant
from baycarp.responses.belief import PLAYER, RESPONDER
from baycarp.responses.local_run import LocalPlan

__all__ = ["LESSONS", "TaughtPlan"]

LESSONS = 400
"""Hands before those of the responder."""


@dataclass(frozen=True, slots=True)
class TaughtPlan(LocalPlan):
    """Hands of a local best response after lessons, from which alone the agent learns.

    Parameters
    ----------
    before
        The strategy that the responder played in the lessons: a specification.
    lessons
        Their number.
    """

    before: str = "station"
    lessons: int = LESSONS

    @property
    def header(self) -> dict[str, Any]:
        """The header of the journal; see ``LocalPlan.header``."""
        return {**super(TaughtPlan, self).header, "before": self.before, "lessons": self.lessons}

    def player(self, unit: int) -> Agent:
        """The agent after the lessons, the same in every unit."""
        return _taught(self)


@lru_cache(1)
def _taught(plan: TaughtPlan) -> Agent:
    variant, names = Variant.load(plan.game), (PLAYER, RESPONDER)
    agents = [load_for(variant, spec) for spec in (plan.spec, plan.before)]
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, agent_seed(plan.seed, PLAYED, seat))
    for dealt in deals(names, plan.seed, PLAYED, plan.lessons):
        state = State(variant, deck=dealt.deck)
        play_hand(state, dealt.by_position(agents), dealt.names, dealt.hand)
    return agents[0]
