"""A decision of BayCaRP taken anew on other grounds: without some cases, with other evidence or features."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision
from baycarp.agents.baycarp import BayCaRP, situation_of
from baycarp.agents.choice import draw, explored
from baycarp.agents.schemas import REPAIR, STREETS
from baycarp.cases import Distribution, Retrieved, Situation, combine, retrieve, tally, without
from baycarp.errors import ModelError
from baycarp.game.observation import Observation
from baycarp.opponents.belief import Belief
from baycarp.opponents.reads import opponents_of

__all__ = ["Evidence", "WhatIf", "shares", "shift"]

Evidence = Mapping[int, Mapping[str, str]]
"""What was seen of each opponent, by position: node -> state."""


class WhatIf:
    """What a seated BayCaRP would have done.

    Parameters
    ----------
    agent
        The one who decided, with the cases that he had then.
    seen
        What he saw.
    decision
        What he decided; its trace says on what grounds.

    Raises
    ------
    ModelError
        A decision in which no precedents were asked.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> seen = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> if_not = WhatIf(agent, seen, agent.decide(seen))
    >>> if_not.evidence
    {1: {'Position': 'Blinds', 'Action': 'Raise', 'Board': 'KLow'}}
    >>> if_not.action(if_not.given({1: {"Position": "Blinds", "Action": "Call", "Board": "KLow"}}))
    'bet'
    """

    def __init__(self, agent: BayCaRP, seen: Observation, decision: Decision) -> None:
        parts = {stage.name: stage.said for stage in decision.trace if stage.done}
        if "reuse" not in parts or "kept" in parts.get("plan", {}):
            raise ModelError("decision: expected one in which BayCaRP asked precedents, and kept no plan")
        self.agent, self.seen, self.decision = agent, seen, decision
        self.casebase = agent.casebases[STREETS[seen.street]]
        self.schema = self.casebase.schema
        self.values: dict[str, Any] = parts["case"]
        self.query = self.schema.situation(self.values)
        self.retrieved = retrieve(self.casebase, self.query)
        self.legal = {action.name: action for action in seen.legal_actions()}
        self.lot, self.explore = (float(parts["reuse"].get(name, 0.0)) for name in ("lot", "explore"))
        self.look_ahead = 2 if "precedents" in parts else 1
        self.reads = agent.reads if self.look_ahead == 2 else agent.glance
        self.players = opponents_of(seen)
        self.evidence = {who: parts["beliefs"][name]["seen"] for who, name in self.players.items()}
        self._believed: dict[tuple[int, tuple[tuple[str, str], ...]], Belief] = {}

    def action(self, told: Distribution) -> str:
        """What is done by a distribution, with the lot that was drawn."""
        return draw(explored(told.probabilities, list(self.legal), self.explore), self.lot)

    def without(self, ids: NDArray[np.int64]) -> Distribution:
        """What is done had these cases never been stored."""
        left = without(self.casebase, self.query, self.retrieved, ids)
        return self._weigh(self.query, left)

    def sums_without(self, ids: NDArray[np.int64]) -> Distribution:
        """What the own memory would say then, for any policy to choose by."""
        return tally(
            without(self.casebase, self.query, self.retrieved, ids), self.casebase, self.legal, REPAIR
        )

    def sums_at(self, query: Situation) -> Distribution:
        """What the own memory says in another situation, for any policy to choose by."""
        return tally(retrieve(self.casebase, query), self.casebase, self.legal, REPAIR)

    def at(self, query: Situation) -> Distribution:
        """What is done in another situation, where the same actions are legal."""
        return self._weigh(query, retrieve(self.casebase, query))

    def case(self, evidence: Evidence) -> Situation:
        """The situation had this been seen of the opponents."""
        beliefs = {who: self.belief(who, seen) for who, seen in evidence.items()}
        return self.schema.situation(
            situation_of(self.seen, beliefs, self.look_ahead, self.agent.schemas).values
        )

    def given(self, evidence: Evidence) -> Distribution:
        """What is done had this been seen of the opponents."""
        return self.at(self.case(evidence))

    def belief(self, who: int, seen: Mapping[str, str]) -> Belief:
        """What would be believed of an opponent had this been seen of him."""
        key = who, tuple(seen.items())
        if key not in self._believed:
            self._believed[key] = self.reads.suppose(self.seen, who, self.players[who], seen)
        return self._believed[key]

    def _weigh(self, query: Situation, retrieved: Retrieved) -> Distribution:
        own = self.agent.weigh(query, retrieved, self.casebase, self.legal)
        told = [own, *self.agent.consult(query, self.casebase, self.legal)]
        return combine(told) if self.agent.experts else own


def shift(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How far two distributions over actions are apart: total variation, 0..1.

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
