"""Reuse: from the retrieved cases to an action.

The policy gives the distribution of each memory, the player's own cases and those of the experts. Together,
or by the memory that is selected for the hand, they make the mixed strategy that the action is drawn from; a
player that commits itself to plans may keep to one instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, get_args

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.cases.citation import cite, retrieved_cases
from baycarp.agents.cases.commitment import Commitment
from baycarp.agents.cases.selection import Selection
from baycarp.agents.cases.stages import RetrievedCase, ReuseStage
from baycarp.agents.computed import Computed
from baycarp.agents.policy import by_action
from baycarp.agents.sampling import draw, explored, generator
from baycarp.cases import (
    COMBINATIONS,
    BestOutcome,
    CaseBase,
    Distribution,
    Policy,
    Retrieved,
    Situation,
    retrieve,
)
from baycarp.cases.plans import steps_of
from baycarp.errors import ModelError, brief
from baycarp.game import Acted, Action, Event
from baycarp.strategies.episode import DecisionPoint
from baycarp.strategies.model import Model
from baycarp.strategies.spec import Choices, Strategy, Together

__all__ = ["Query", "Reuse"]


class Query(NamedTuple):
    """A situation with the cases that are retrieved for it.

    Parameters
    ----------
    situation
        The situation.
    retrieved, casebase
        The cases, and the player's case-base that they are of.
    choices
        The solutions of the decision.
    """

    situation: Situation
    retrieved: Retrieved
    casebase: CaseBase
    choices: Choices


class Reuse:
    """Chooses by cases; the parameters and errors are those of ``CasePlayer``.

    Parameters
    ----------
    strategy
        Its policy, its combination of memories, and its plans.
    casebases
        The player's own.
    experts
        Models whose case-bases are queried too.
    learns
        Whether a decision with too few cases explores.
    explore
        Probability of exploration, 0..1.
    """

    def __init__(
        self,
        strategy: Strategy,
        casebases: Mapping[str, CaseBase],
        experts: Sequence[Model],
        learns: bool,
        explore: float,
    ) -> None:
        if not 0 <= explore <= 1:
            raise ModelError(f"explore {brief(explore)}: expected a probability, 0..1")
        for name, casebase in casebases.items():
            bases = [expert.casebases.get(name) for expert in experts]
            if any(base is None or base.schema != casebase.schema for base in bases):
                raise ModelError(f"experts: expected case-bases of the model's schemas, as {name!r}")
        if strategy.plans and (experts or explore):
            raise ModelError("plans: expected no experts and no exploration")
        if strategy.together not in get_args(Together):
            raise ModelError(f"together {brief(strategy.together)}: expected one of {get_args(Together)}")
        if strategy.together == "select" and explore:
            raise ModelError(f"explore {brief(explore)}: expected 0 with run-time selection")
        self.experts, self.learns, self.explore = tuple(experts), learns, explore
        self.commitment = Commitment(strategy, casebases) if strategy.plans else None
        self.selection = Selection(1 + len(experts)) if strategy.together == "select" else None
        self.begin(strategy, 0)

    def begin(self, strategy: Strategy, seed: int) -> None:
        """Begin a session: no plan, no selected memory; the seed fixes the draws."""
        self.strategy, self._seed = strategy, seed
        if self.commitment:
            self.commitment.begin()
        if self.selection:
            self.selection.begin(seed)

    def learn(self, event: Event) -> None:
        """Rate the memories; keep to the chosen plan, if its step was done."""
        if self.selection:
            self.selection.learn(event, self.strategy.solution)
        if self.commitment and isinstance(event, Acted):
            self.commitment.act(event)

    def decide(self, point: DecisionPoint, query: Query, recorder: Recorder) -> Answer:
        """The answer of the cases.

        Raises
        ------
        ModelError
            A case-base without a case, and the player does not learn.
        """
        memories = self.weigh(query)
        if self.selection:
            memories = (memories[self.selection.choose(point.observation, memories)],)
        chosen, legal = self.together(memories), query.choices.legal
        share = self._share(chosen, query)
        if chosen.choice is None and share < 1:
            raise ModelError(f"case-base {point.schema.name!r} holds no case: expected a trained model")
        name = chosen.choice or next(iter(legal))
        chances = explored(chosen.probabilities, list(legal), share)
        uniform = None
        if chances[name] < 1:  # a mixed strategy
            uniform = generator(self._seed, point.observation).random()
            name = draw(chances, uniform)
        own = not self.selection or not self.selection.chosen
        recorder.add(
            ReuseStage(
                repr(self.strategy.policy),
                legal,
                memories,
                share,
                uniform,
                Computed(partial(_cited, self.strategy.policy, query, memories[0], name)) if own else (),
                self.strategy.together if len(memories) > 1 else "mean",
                seconds=recorder.lap(),
            )
        )
        if share < 1 and (kept := self.keep(point, query.retrieved, legal, name, recorder)):
            return kept
        reason = self._reason(name, chosen, query, share)
        return Answer(legal[name], by_action(chances, legal), reason)

    def keep(
        self,
        point: DecisionPoint,
        retrieved: Retrieved,
        legal: Mapping[str, Action],
        name: str,
        recorder: Recorder,
    ) -> Answer | None:
        """The next step of the plan that is kept to; otherwise one that begins with a solution is made.

        Returns
        -------
        None without plans, or where the solution begins its plan.
        """
        if not self.commitment:
            return None
        plan = self.commitment.plan(point, retrieved, legal, name, self._seed)
        recorder.add(replace(plan, seconds=recorder.lap()))
        if not plan.kept:
            return None
        action = legal[steps_of(plan.plan)[plan.step - 1]]
        policy = {each: float(each == action) for each in legal.values()}
        return Answer(action, policy, f"keeps to its plan, {plan.plan}")

    def weigh(self, query: Query) -> tuple[Distribution, ...]:
        """The distribution of each memory over the legal solutions: the player's own, then the experts'."""
        own, choices = query.casebase, query.choices
        if self.commitment:
            return (self.commitment.weigh(query.retrieved, own, choices),)
        others = (expert.casebases[own.schema.name] for expert in self.experts)
        memories = [(query.retrieved, own), *((retrieve(other, query.situation), other) for other in others)]
        policy = self.strategy.policy
        return tuple(policy(cases, base, choices.legal, choices.counted) for cases, base in memories)

    def together(self, memories: tuple[Distribution, ...]) -> Distribution:
        """The distribution of several memories, or of the one that is selected in this hand."""
        if self.selection:
            return memories[self.selection.chosen if len(memories) > 1 else 0]
        return COMBINATIONS[self.strategy.together](memories) if len(memories) > 1 else memories[0]

    def _share(self, chosen: Distribution, query: Query) -> float:
        """The share of exploration: everything where a player that learns has too few cases."""
        if self.learns and len(query.casebase) < self.strategy.adequate:
            return 1.0
        least = query.casebase.schema.fallback
        few = query.retrieved.fell_back and sum(chosen.votes.values()) < least
        return 1.0 if self.learns and (few or not chosen) else self.explore

    def _reason(self, name: str, chosen: Distribution, query: Query, share: float) -> str:
        votes, retrieved = sum(chosen.votes.values()), query.retrieved
        if share == 1 > self.explore:
            stored = len(query.casebase)
            few = f"{stored} of {least}" if stored < (least := self.strategy.adequate) else str(votes)
            return f"{few} cases to go by, too few: any legal action, drawn at random"
        if not chosen.probabilities.get(name):
            return "explored: no similar case supports it"
        if not votes:
            return "no similar case: by default"
        cases = "most similar cases, none above the threshold" if retrieved.fell_back else "similar cases"
        if isinstance(self.strategy.policy, BestOutcome):
            return f"the best outcome, {chosen.outcomes[name]:+.1f} small bets, in {votes} {cases}"
        return f"{chosen.votes[name]} of {votes} {cases} did so"


def _cited(policy: Policy, query: Query, own: Distribution, name: str) -> list[RetrievedCase]:
    retrieved, casebase = query.retrieved, query.casebase
    places = cite(policy, retrieved, casebase, own, name, query.choices.counted)
    return retrieved_cases(retrieved, casebase, places)
