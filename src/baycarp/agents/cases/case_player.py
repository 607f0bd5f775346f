"""The case player: it plays any strategy, and learns from the outcomes of its decisions.

Observation -> beliefs -> situation -> retrieved cases -> solution -> action;   after the hand: revise, retain
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from baycarp.agents.anytime import Answer, Anytime, Recorder
from baycarp.agents.base import Decision
from baycarp.agents.cases.citation import cite, retrieved_cases
from baycarp.agents.cases.commitment import Commitment
from baycarp.agents.cases.selection import Selection
from baycarp.agents.policy import by_action
from baycarp.agents.sampling import draw, explored, generator
from baycarp.agents.trace import (
    BeliefStage,
    CaseStage,
    Computed,
    OpponentBelief,
    RetrievalStage,
    RetrievedCase,
    ReuseStage,
)
from baycarp.bn.inference import Inference
from baycarp.budget import Budget
from baycarp.cases import (
    COMBINATIONS,
    BestOutcome,
    CaseBase,
    CaseStore,
    Distribution,
    Policy,
    Retrieved,
    Situation,
    local_similarities,
    retain,
    retrieve,
)
from baycarp.cases.plans import steps_of
from baycarp.errors import ModelError
from baycarp.game import Acted, Event, Observation, Variant
from baycarp.opponents.belief import Belief
from baycarp.opponents.model import OpponentModel, believe_all
from baycarp.opponents.uniform import new_opponent_model
from baycarp.rules.outcome import HandResult
from baycarp.strategies.episode import DecisionPoint, Episode, decision_point
from baycarp.strategies.model import Model
from baycarp.strategies.spec import Beliefs, Choices, Describe, Strategy

__all__ = ["FAST", "FULL", "CasePlayer", "PlayerTier"]

FAST, FULL = "fast", "full"
"""Names of the tiers above the cheapest action."""


@dataclass(frozen=True, slots=True)
class PlayerTier:
    """A tier of a case player: its name, its description of a decision, and its opponent model."""

    name: str
    describe: Describe
    opponents: OpponentModel


class CasePlayer:
    """A player that decides by similar cases.

    Parameters
    ----------
    strategy
        The strategy that it plays.
    model
        Case-bases, and the network if the strategy needs one. The player learns into a copy of its own.
    store
        Where learned cases are made durable; None = in memory only.
    learning
        Whether cases of its own decisions are retained. A player that learns may begin without a case: where
        no case reaches the threshold, and fewer are stored than the fall-back takes, every legal action is
        equally likely (as CASEY began: Unger 2011, section 4.3.2). Without learning, an empty case-base is a
        ``ModelError``.
    experts
        Models whose case-bases are queried too; the results are combined (``Strategy.together``). Cases are
        not added to them.
    explore
        Probability, 0..1, of an action that is drawn uniformly from the legal ones, so that the memory
        also holds actions that were not rated best.

    Raises
    ------
    ModelError
        An expert of another schema, ``explore`` out of range, or a strategy with plans that has either;
        run-time selection that explores; a model or an expert whose cases another kind of belief described.
    """

    def __init__(
        self,
        strategy: Strategy,
        model: Model,
        store: CaseStore | None = None,
        learning: bool = True,
        experts: Sequence[Model] = (),
        explore: float = 0.0,
    ) -> None:
        if not 0 <= explore <= 1:
            raise ModelError(f"explore {explore!r}: expected a probability, 0..1")
        for each in (model, *experts):
            each.verify(strategy)
        self.strategy, self.model, self.store, self.learning = strategy, model, store, learning
        self.experts, self.explore, self.plays = tuple(experts), explore, strategy.plays
        self.casebases = {name: casebase.fork() for name, casebase in model.casebases.items()}
        for name, casebase in self.casebases.items():
            bases = [expert.casebases.get(name) for expert in experts]
            if any(base is None or base.schema != casebase.schema for base in bases):
                raise ModelError(f"experts: expected case-bases of the model's schemas, as {name!r}")
        self.inference = Inference(model.network) if model.network else None
        self.commitment = Commitment(strategy, self.casebases) if strategy.plans else None
        if self.commitment and (experts or explore):
            raise ModelError("plans: expected no experts and no exploration")
        self.selection = Selection(1 + len(experts)) if strategy.together == "select" else None
        if self.selection and explore:
            raise ModelError(f"explore {explore!r}: expected 0 with run-time selection")
        self._anytime = Anytime()
        self._seed = 0
        self._begin()

    def __repr__(self) -> str:
        cases = sum(map(len, self.casebases.values()))
        return f"<{type(self).__name__} {self.strategy.name}: {cases:,} cases>"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the opponent models are new, nothing is pending."""
        self._seed = seed
        self._begin()

    def _begin(self) -> None:
        if self.strategy.at_table:
            self.strategy = self.strategy.at_table(self.strategy, self._seed)
        strategy = self.strategy
        full = new_opponent_model(strategy.opponents, self.inference)
        self.full = PlayerTier(FULL, strategy.describe, full)
        self.fast: PlayerTier | None = None
        if strategy.fast:
            same = strategy.fast.opponents == strategy.opponents
            model = full if same else new_opponent_model(strategy.fast.opponents, self.inference)
            self.fast = PlayerTier(FAST, strategy.fast.describe, model)
        self._point: DecisionPoint | None = None
        self._episode: tuple[tuple[int, int], Episode] | None = None  # its position and hand
        if self.commitment:
            self.commitment.begin()
        if self.selection:
            self.selection.begin(self._seed)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; see ``Agent.decide``.

        Tiers: the cheapest legal action; under a time limit the strategy's fast tier; the full tier, which
        is always done where there is no limit.

        Raises
        ------
        EvidenceError, RangeError
            The opponent model holds the observed actions to be impossible.
        ModelError
            A case-base without a case, and the player does not learn.
        """
        self.plays.verify_turn(observation)
        budget = budget or Budget(time=time_limit)
        tiers = {tier.name: partial(self._answer, tier) for tier in self.tiers(observation, budget)}
        return self._anytime.decide(budget.start(), observation, tiers, first="rules")

    def tiers(self, observation: Observation, budget: Budget) -> list[PlayerTier]:
        """The tiers above the cheapest action, in order of worth."""
        fast = self.strategy.fast
        if self.fast and fast and budget.time is not None and observation.street in fast.streets:
            return [self.fast, self.full]
        return [self.full]

    def _answer(self, tier: PlayerTier, observation: Observation, recorder: Recorder) -> Answer:
        """Beliefs, situation, retrieval, reuse."""
        point = self.describe(observation, tier, self.believe(observation, tier, recorder))
        recorder.add(CaseStage(point.schema.name, _shown(point.values)))
        casebase = self.casebases[point.schema.name]
        retrieved = retrieve(casebase, point.situation)
        # A case-base only grows: its cases are the same when the trace is read.
        nearest = Computed(partial(_nearest, retrieved, casebase, point.situation))
        fell_back = retrieved.fell_back or not len(retrieved)
        recorder.add(RetrievalStage(len(retrieved), retrieved.stored, retrieved.scored, fell_back, nearest))
        choices = self.strategy.choices(observation, point.schema)
        memories = self.weigh(point.situation, retrieved, casebase, choices)
        if self.selection:
            memories = (memories[self.selection.choose(observation, memories)],)
        chosen = self.together(memories)
        share = self._share(chosen, retrieved, casebase)
        choice = chosen.choice
        if choice is None and share < 1:
            raise ModelError(f"case-base {casebase.schema.name!r} holds no case: expected a trained model")
        name = choice or next(iter(choices.legal))
        chances = explored(chosen.probabilities, list(choices.legal), share)
        uniform = None
        if chances[name] < 1:  # a mixed strategy
            uniform = generator(self._seed, observation).random()
            name = draw(chances, uniform)
        cited = partial(_cited, self.strategy.policy, retrieved, casebase, memories[0], name, choices)
        own = not self.selection or not self.selection.chosen
        recorder.add(
            ReuseStage(
                repr(self.strategy.policy),
                choices.legal,
                memories,
                share,
                uniform,
                Computed(cited) if own else (),
                self.strategy.together if len(memories) > 1 else "mean",
            )
        )
        reason = self._reason(name, chosen, retrieved, share)
        if self.commitment:
            plan = self.commitment.plan(point, retrieved, choices.legal, name, self._seed)
            recorder.add(plan)
            if plan.kept:
                name, reason = steps_of(plan.plan)[plan.step - 1], f"keeps to its plan, {plan.plan}"
                chances = {each: float(each == name) for each in choices.legal}
        if tier is self.full:  # cases are described in one way
            self._point = point
        return Answer(choices.legal[name], by_action(chances, choices.legal), reason)

    def _reason(self, name: str, chosen: Distribution, retrieved: Retrieved, share: float) -> str:
        """Why, in one sentence."""
        votes = sum(chosen.votes.values())
        if share == 1 > self.explore:
            return f"{votes} cases to go by, too few: any legal action, drawn at random"
        if not chosen.probabilities.get(name):
            return "explored: no similar case supports it"
        if not votes:
            return "no similar case: by default"
        cases = "most similar cases, none above the threshold" if retrieved.fell_back else "similar cases"
        if isinstance(self.strategy.policy, BestOutcome):
            return f"the best outcome, {chosen.outcomes[name]:+.1f} small bets, in {votes} {cases}"
        return f"{chosen.votes[name]} of {votes} {cases} did so"

    def _share(self, chosen: Distribution, retrieved: Retrieved, own: CaseBase) -> float:
        """The share of exploration: everything where a player that learns has too few cases."""
        few = retrieved.fell_back and sum(chosen.votes.values()) < own.schema.fallback
        return 1.0 if self.learning and (few or not chosen) else self.explore

    def believe(
        self, observation: Observation, tier: PlayerTier, recorder: Recorder | None = None
    ) -> Beliefs:
        """The belief about each opponent still in, by position."""
        wanted = self.strategy.believed or self.strategy.outcome.needs_ranges
        beliefs = believe_all(tier.opponents, observation) if wanted else {}
        if recorder:
            recorder.add(BeliefStage(Computed(partial(_summaries, beliefs))))
        return beliefs

    def describe(self, observation: Observation, tier: PlayerTier, beliefs: Beliefs) -> DecisionPoint:
        """The situation of the query."""
        schema = self.casebases[self.strategy.key(observation)].schema
        return decision_point(self.strategy, observation, beliefs, schema, tier.describe)

    def weigh(
        self, situation: Situation, retrieved: Retrieved, casebase: CaseBase, choices: Choices
    ) -> tuple[Distribution, ...]:
        """The distribution of each memory over the legal solutions: the player's own, then the experts'."""
        if self.commitment:
            return (self.commitment.weigh(retrieved, casebase, choices),)
        others = (expert.casebases[casebase.schema.name] for expert in self.experts)
        memories = [(retrieved, casebase), *((retrieve(other, situation), other) for other in others)]
        policy = self.strategy.policy
        return tuple(policy(cases, base, choices.legal, choices.counted) for cases, base in memories)

    def together(self, memories: tuple[Distribution, ...]) -> Distribution:
        """The distribution of several memories, or of the one that is selected in this hand."""
        if self.selection:
            return memories[self.selection.chosen if len(memories) > 1 else 0]
        return COMBINATIONS[self.strategy.together](memories) if len(memories) > 1 else memories[0]

    def learn(self, event: Event) -> None:
        """Update the opponent models; keep own decisions as cases, settled once the hand is over."""
        for model in {tier.opponents for tier in (self.full, self.fast) if tier}:
            model.learn(event)
        if self.selection:
            self.selection.learn(event, self.strategy.solution)
        if isinstance(event, Acted):
            self._act(event)
            if self.commitment:
                self.commitment.act(event)
        elif self._episode is not None and self._episode[0][1] == event.observation.hand:
            (position, _), episode = self._episode
            state, payoff = event.observation.state, event.payoffs[position]
            won = position in state.seats_in and payoff + state.committed[position] > 0
            holes = {each: state.hole_of(each) for each in state.seats_in}
            retain(episode.settle(HandResult(payoff, won, holes)), self.casebases, self.store)
            self._episode = None

    def _act(self, event: Acted) -> None:
        """Record the decision that was just carried out."""
        point, act = self._point, event.act
        if point is None or not self.learning or not point.is_answered_by(act, event.observation):
            return
        hand = (act.seat, event.observation.hand)
        if self._episode is None or self._episode[0] != hand:  # a hand that never ended gives no cases
            self._episode = hand, Episode(self.strategy)
        self._episode[1].act(point, act)
        self._point = None


def _summaries(beliefs: Beliefs) -> list[OpponentBelief]:
    return [_summary(belief) for belief in beliefs.values()]


def _summary(belief: Belief) -> OpponentBelief:
    """A belief for the trace: the likeliest groups and types."""
    return OpponentBelief(
        belief.position,
        belief.player,
        belief.evidence,
        groups=_likeliest(belief.groups, 4),
        types=_likeliest(belief.types, 3),
        holdings=int(np.count_nonzero(belief.weights)),
    )


def _likeliest(chances: Mapping[str, float], count: int) -> dict[str, float]:
    return dict(sorted(chances.items(), key=lambda item: -item[1])[:count])


def _shown(values: Mapping[str, Any]) -> dict[str, float | str | Mapping[str, float]]:
    """The values for the trace; most are floats."""
    return {name: value if type(value) is float else _short(value) for name, value in values.items()}


def _short(value: Any) -> float | str | Mapping[str, float]:
    """The likeliest states of a prediction; of the keys of a symbol the finest."""
    if isinstance(value, tuple):
        return str(value[0])
    return dict(list(value.items())[:3]) if isinstance(value, Mapping) else value


def _nearest(retrieved: Retrieved, casebase: CaseBase, situation: Situation) -> list[RetrievedCase]:
    """The five nearest of the retrieved cases, with their local similarities."""
    columns, five = casebase.schema.columns, slice(5)
    similarities = local_similarities(casebase, situation, retrieved.ids[five]).T.tolist()
    return [
        replace(case, columns=dict(zip(columns, line, strict=True)))
        for case, line in zip(retrieved_cases(retrieved, casebase, five), similarities, strict=True)
    ]


def _cited(
    policy: Policy, retrieved: Retrieved, casebase: CaseBase, own: Distribution, name: str, choices: Choices
) -> list[RetrievedCase]:
    return retrieved_cases(retrieved, casebase, cite(policy, retrieved, casebase, own, name, choices.counted))
