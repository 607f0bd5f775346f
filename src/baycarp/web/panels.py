"""A decision as the page opens it: its reason and values, ranges, similar hands, and its record in words."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer, Decision
from baycarp.agents.sections import TraceSection, sections
from baycarp.agents.terms import percent
from baycarp.agents.trace import stage_of
from baycarp.agents.value.stages import ValueStage
from baycarp.agents.value.words import above, close_to, cost_words, first_line
from baycarp.card import CLASS_OF, blocked_by, text
from baycarp.errors import BaycarpError
from baycarp.explain.least import counterfactual_of, least_changes
from baycarp.explain.similar import SimilarHand, similar_hands
from baycarp.game import Action, Observation
from baycarp.game.action import action_text
from baycarp.game.seats import seat_names
from baycarp.opponents.belief import Belief
from baycarp.web.frames import Frame, frame

__all__ = ["Panel", "combos", "decide", "grid"]


MIXED = 0.05
"""From this probability on an action is one that the agent does now and then."""


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

    @property
    def verdict(self) -> str:
        """The taken action beside the decided one: what it costs, or that it is as good; "" = the same."""
        if self.taken == self.decision.action:
            return ""
        share = self.decision.policy.get(self.taken, 0.0)
        stage = stage_of(self.decision.trace, ValueStage)
        words = cost_words(stage, self.decision.action, self.taken) if stage else ""
        if words.startswith("costs") and share >= MIXED:
            return f"it does so too, {percent(share)} of the time"
        return words

    @property
    def close(self) -> str:
        """That other actions are as good as the decided one within the error of the values, or valued higher.

        So is an action that was drawn although another one is played more often; "" = none is.
        """
        stage = stage_of(self.decision.trace, ValueStage)
        if stage and (better := above(stage, self.decision.action)):
            return f"it mixes; by the values alone {action_text(better[0])} is better"
        policy = self.decision.policy
        usual = max(policy, key=lambda each: policy[each], default=self.decision.action)
        if policy.get(usual, 0.0) > policy.get(self.decision.action, 0.0):
            return f"it mixes; {percent(policy[usual])} of the time it would {action_text(usual)}"
        others = close_to(stage, self.decision.action) if stage else []
        if not others:
            return ""
        return "close, either is fine" if len(others) == 1 else "close, any is fine"

    def to_dict(self, advice: bool) -> Frame:
        """JSON values; ``advice``: whether another player than the agent acted."""
        return self._shown() | {
            "advice": advice,
            "taken": action_text(self.taken),
            "verdict": self.verdict,
            "flips": self.flips(),
        }

    def hint(self) -> Frame:
        """JSON values of the advice before the person acts: without what takes long, or was not done yet."""
        return self._shown() | {"advice": True, "taken": None, "verdict": "", "flips": ""}

    def _shown(self) -> Frame:
        record = self.decision.to_dict()
        return {
            "agent": self.agent,
            "situation": frame(self.observation),
            "action": action_text(self.decision.action),
            "policy": record["policy"],
            "reason": self.reason,
            "close": self.close,
            "values": _values(self.decision),
            "beliefs": [_belief(each, self.observation) for each in self.beliefs],
            "similar": [_similar(each) for each in similar_hands(self.player, self.decision)],
            "details": [_untimed(each) for each in sections(record)],
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


def _untimed(section: TraceSection) -> Frame:
    """A section without its duration: the same decision has the same panel."""
    return {"title": section.title, "rows": section.rows, "table": section.table, "done": section.done}


def _values(decision: Decision) -> Frame | None:
    """What each action is worth, in chips with its standard error; the big blind, 0 = not known."""
    stage = stage_of(decision.trace, ValueStage)
    if stage is None or not stage.values:
        return None
    values = [
        {"action": action_text(each.action), "chips": each.chips, "error": each.error}
        for each in stage.values
    ]
    return {"values": values, "big_blind": stage.big_blind}


def _belief(belief: Belief, observation: Observation) -> Frame:
    """The belief about an opponent, and its range by starting class; see ``combos``."""
    known = (*observation.hole, *observation.board)
    return {"player": belief.player, "range": combos(belief.weights, known)}


def combos(weights: NDArray[np.float64], known: tuple[int, ...]) -> Frame:
    """A range as its starting classes are counted: combos of the likeliest holding's weight.

    Parameters
    ----------
    weights
        A range: float64, shape (1326,), at least 0.
    known
        Card ids; holdings with one of them do not count.

    Returns
    -------
    dict
        By class, in the order of ``card.CLASSES``, 169 numbers each: ``held``, the sum of the weights, of
        which the greatest counts 1; ``of``, the holdings that the known cards leave.
    """
    free = ~blocked_by(known)
    share = np.where(free, weights, 0.0)
    held = np.bincount(CLASS_OF, share / max(float(share.max()), 1e-300), minlength=169)
    of = np.bincount(CLASS_OF, free, minlength=169)
    return {"held": np.round(held, 3).tolist(), "of": of.astype(int).tolist()}


def _similar(hand: SimilarHand) -> Frame:
    """A hand like this one: its cards, what was done and brought, its features beside the present."""
    return asdict(hand) | {"hole": _shown_cards(hand.hole), "board": _shown_cards(hand.board)}


def _shown_cards(ids: tuple[int, ...]) -> list[str]:
    return [text((card,)) for card in ids]


def _flips(agent: Agent, observation: Observation, decision: Decision) -> str:
    """The smallest change that flips it by what the agent knows now; "" where there is none."""
    try:
        found = next(iter(least_changes(counterfactual_of(agent, observation, decision)).values()))
    except BaycarpError:
        return ""
    return str(found) if found else ""
