"""A decision as the page opens it: its record, and the belief about each opponent as a 13 x 13 grid."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer, Decision
from baycarp.agents.trace import stage_of
from baycarp.agents.value.stages import ValueStage
from baycarp.agents.value.words import first_line
from baycarp.card import CLASS_OF
from baycarp.errors import BaycarpError
from baycarp.explain.least import counterfactual_of, least_changes
from baycarp.game import Action, Observation
from baycarp.game.action import action_text
from baycarp.game.seats import seat_names
from baycarp.opponents.belief import Belief
from baycarp.web.frames import Frame, frame

__all__ = ["Panel", "decide", "grid"]


@dataclass(frozen=True, slots=True)
class Panel:
    """A decision, kept from the moment at which it was made.

    Parameters
    ----------
    observation, decision
        Everything that the decision could depend on; that of the agent, or the advice of the adviser.
    beliefs
        About each opponent still in, where the agent holds beliefs.
    player
        The agent itself, for the smallest change that flips its decision.
    taken
        The action that was applied.
    agent
        The specification of the agent.
    """

    observation: Observation
    decision: Decision
    beliefs: tuple[Belief, ...]
    player: Agent
    taken: Action
    agent: str

    @property
    def reason(self) -> str:
        """Why, to the person at the table: of another player by its name."""
        stage, observation = stage_of(self.decision.trace, ValueStage), self.observation
        if stage is None or observation.seat is None:
            return self.decision.reason
        names = observation.players or seat_names(observation.variant)
        return first_line(stage, names[observation.seat])

    def to_dict(self, advice: bool) -> Frame:
        """JSON values; ``advice``: whether another player than the agent acted."""
        return {
            "agent": self.agent,
            "advice": advice,
            "taken": action_text(self.taken),
            "situation": frame(self.observation),
            "decision": self.decision.to_dict() | {"reason": self.reason},
            "beliefs": [_belief(each) for each in self.beliefs],
            "flips": self.flips(),
        }

    def flips(self) -> str:
        """The least change that flips the decision, by what the agent knows now."""
        return _flips(self.player, self.observation, self.decision)


def decide(agent: Agent, observation: Observation, time_limit: float | None = None) -> Panel:
    """Let an agent decide, and keep everything that its panel shows; the action is taken to be its own."""
    beliefs = _beliefs(agent, observation)
    decision = agent.decide(observation, time_limit=time_limit)
    return Panel(observation, decision, beliefs, agent, decision.action, "")


def grid(weights: NDArray[np.float64]) -> list[list[float]]:
    """The mean weight of each starting class, of the greatest one.

    Parameters
    ----------
    weights
        A range: float64, shape (1326,), at least 0.

    Returns
    -------
    list
        13 rows of 13 numbers, 0..1: the cells of ``card.CLASSES``.
    """
    sums = np.bincount(CLASS_OF, weights, minlength=169)
    counts = np.bincount(CLASS_OF, np.asarray(weights) > 0, minlength=169)
    means = sums / np.maximum(counts, 1)
    return np.round(means / max(float(means.max()), 1e-300), 4).reshape(13, 13).tolist()


def _beliefs(agent: Agent, observation: Observation) -> tuple[Belief, ...]:
    return tuple(agent.beliefs(observation).values()) if isinstance(agent, Believer) else ()


def _belief(belief: Belief) -> dict[str, Any]:
    return {
        "position": belief.position,
        "player": belief.player,
        "evidence": belief.evidence,
        "groups": _likeliest(belief.groups),
        "types": _likeliest(belief.types),
        "grid": grid(belief.weights),
    }


def _likeliest(chances: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(chances.items(), key=lambda item: -item[1])[:6]


def _flips(agent: Agent, observation: Observation, decision: Decision) -> str:
    """The smallest change that flips it by what the agent knows now; "" where there is none."""
    try:
        found = next(iter(least_changes(counterfactual_of(agent, observation, decision)).values()))
    except BaycarpError:
        return ""
    return str(found) if found else ""
