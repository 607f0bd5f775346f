"""Counterfactuals: a decision repeated without some cases, or with other evidence or features."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.cases.case_player import FULL, CasePlayer
from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.cases.reuse import Query
from baycarp.agents.cases.stages import BeliefStage, CaseStage, ReuseStage
from baycarp.agents.sampling import draw, explored
from baycarp.agents.trace import TierStage, stage_of
from baycarp.cases import Distribution, Retrieved, Situation, without
from baycarp.errors import ModelError
from baycarp.game.state import Observation
from baycarp.opponents.belief import Belief
from baycarp.opponents.model import opponents_of

__all__ = ["Counterfactual", "Evidence", "is_explained", "shares", "shift"]

Evidence = Mapping[int, Mapping[str, str]]
"""The evidence about each opponent, by position: node -> state."""


def is_explained(agent: Agent, decision: Decision) -> bool:
    """Whether a decision can be explained by cases: a case player retrieved some, and kept to no plan."""
    plan = stage_of(decision.trace, PlanStage)
    reuse = stage_of(decision.trace, ReuseStage)
    return isinstance(agent, CasePlayer) and reuse is not None and not (plan and plan.kept)


class Counterfactual:
    """A decision of a seated case player under other conditions.

    Parameters
    ----------
    agent
        The player that decided, with the same cases as then.
    observation
        The observation of the decision.
    decision
        The decision.

    Raises
    ------
    ModelError
        A decision without retrieved cases, or of another agent.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> line = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c"
    >>> observation = baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")
    >>> counterfactual = Counterfactual(agent, observation, agent.decide(observation))
    >>> counterfactual.evidence
    {1: {'Position': 'Blinds', 'Action': 'Raise', 'Board': 'KLow'}}
    >>> evidence = {1: {"Position": "Blinds", "Action": "Call", "Board": "KLow"}}
    >>> counterfactual.action(counterfactual.given(evidence))
    'bet'
    """

    def __init__(self, agent: Agent, observation: Observation, decision: Decision) -> None:
        if not isinstance(agent, CasePlayer) or not is_explained(agent, decision):
            raise ModelError("decision: expected one by retrieved cases, of a case player that kept no plan")
        beliefs, case = stage_of(decision.trace, BeliefStage), stage_of(decision.trace, CaseStage)
        reuse = stage_of(decision.trace, ReuseStage)
        assert beliefs is not None
        assert case is not None
        assert reuse is not None
        self.agent = agent
        self.observation = observation
        self.decision = decision
        self.casebase = agent.casebases[case.base]
        self.schema = self.casebase.schema
        self.situation = self.schema.situation(case.values)
        self.retrieved = agent.similar(self.casebase, self.situation)
        self.choices = agent.strategy.choices(observation, self.schema)
        self.draw = reuse.draw or 0.0
        self.explore = reuse.explore
        tiers = [stage.tier for stage in decision.trace if isinstance(stage, TierStage) and stage.done]
        self.tier = agent.full if FULL in tiers or agent.fast is None else agent.fast
        self.players = opponents_of(observation)
        self.evidence = {each.position: each.evidence for each in beliefs.opponents}
        self._beliefs: dict[tuple[int, tuple[tuple[str, str], ...]], Belief] = {}

    def action(self, distribution: Distribution) -> str:
        """The action's name by a distribution, with the recorded random number."""
        chances = explored(distribution.probabilities, list(self.choices.legal), self.explore)
        return self.choices.legal[draw(chances, self.draw)].name

    def without(self, ids: NDArray[np.int64]) -> Distribution:
        """The distribution without these cases."""
        return self._weigh(self.situation, without(self.casebase, self.situation, self.retrieved, ids))

    def at(self, situation: Situation) -> Distribution:
        """The distribution in another situation with the same legal actions."""
        return self._weigh(situation, self.agent.similar(self.casebase, situation))

    def case(self, evidence: Evidence) -> Situation:
        """The situation under other evidence about the opponents."""
        beliefs = {position: self.belief(position, nodes) for position, nodes in evidence.items()}
        return self.agent.describe(self.observation, self.tier, beliefs).situation

    def given(self, evidence: Evidence) -> Distribution:
        """The distribution under other evidence about the opponents."""
        return self.at(self.case(evidence))

    def belief(self, position: int, nodes: Mapping[str, str]) -> Belief:
        """The belief about an opponent under other evidence about it."""
        key = position, tuple(nodes.items())
        if key not in self._beliefs:
            self._beliefs[key] = self.tier.opponents.suppose(
                self.observation, position, self.players[position], nodes
            )
        return self._beliefs[key]

    def _weigh(self, situation: Situation, retrieved: Retrieved) -> Distribution:
        reuse = self.agent.reuse
        return reuse.together(reuse.weigh(Query(situation, retrieved, self.casebase, self.choices)))


def shift(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The total variation between two distributions over actions, 0..1.

    Examples
    --------
    >>> shift({"check": 1.0, "bet": 0.0}, {"check": 0.75, "bet": 0.25})
    0.25
    """
    return sum(abs(one.get(name, 0.0) - other.get(name, 0.0)) for name in {*one, *other}) / 2


def shares(votes: Mapping[str, int]) -> dict[str, float]:
    """Votes as a distribution."""
    total = sum(votes.values())
    return {name: n / total for name, n in votes.items()}
