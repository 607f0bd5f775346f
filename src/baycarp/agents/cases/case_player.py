"""The case player: it plays any strategy, and learns from the outcomes of its decisions.

Observation -> beliefs -> situation -> retrieved cases -> solution -> action;   after the hand: revise, retain
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Anytime, Recorder
from baycarp.agents.base import Decision
from baycarp.agents.cases.citation import nearest
from baycarp.agents.cases.reuse import Query, Reuse
from baycarp.agents.cases.stages import BeliefStage, CaseStage, RetrievalStage
from baycarp.agents.computed import Computed
from baycarp.bn.inference import Inference
from baycarp.budget import Budget
from baycarp.card import blocked_by
from baycarp.cases import CaseBase, CaseStore, Retrieved, Situation, retain, retrieve
from baycarp.errors import ArgumentError
from baycarp.game import Acted, Event, Observation, Variant
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.opponents.belief import belief_of
from baycarp.opponents.model import OpponentModel, believe_all
from baycarp.opponents.uniform import new_opponent_model
from baycarp.rules.outcome import BY_RANGES, HandResult, street_results
from baycarp.strategies.episode import DecisionPoint, Episode, decision_point
from baycarp.strategies.model import Model
from baycarp.strategies.spec import Beliefs, Describe, Strategy

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
        for each in (model, *experts):
            each.verify(strategy)
        self.strategy, self.model, self.store, self.learning = strategy, model, store, learning
        self.plays = strategy.plays
        self.casebases = {name: casebase.fork() for name, casebase in model.casebases.items()}
        self.reuse = Reuse(strategy, self.casebases, experts, learning, explore)
        self.inference = Inference(model.network) if model.network else None
        self._anytime = Anytime()
        self.begin(0)

    def __repr__(self) -> str:
        cases = sum(map(len, self.casebases.values()))
        return f"<{type(self).__name__} {self.strategy.name}: {cases:,} cases>"

    @property
    def loaded_from(self) -> list[str]:
        """The digests of its files."""
        model, opponents = self.model, self.strategy.opponents
        found = [f"model {model.about()['digest']}"]
        if model.weights and model.weights.digest != model.published().digest:
            found.append(f"weights {model.weights.digest}")
        found += [f"expert {expert.about()['digest']}" for expert in self.reuse.experts]
        return found + list(opponents.files if opponents else ())

    @property
    def size(self) -> str:
        """The size of its model."""
        cases, network = sum(map(len, self.model.casebases.values())), self.model.network
        cells = sum(network.cpt(node).size for node in network.structure.nodes) if network else 0
        return f"{cases:,} cases" + (f", network of {cells:,} probabilities" if cells else "")

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the opponent models are new, nothing is pending."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin a session: the opponent models are new, nothing is pending."""
        self._seed = whole(seed, "seed", 0, MOST_SEED)
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
        self._supposed: dict[int, NDArray[np.float64]] = {}
        self._episode: tuple[tuple[int, int], Episode] | None = None  # its position and hand
        self.reuse.begin(strategy, self._seed)

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
        return self.propose(observation, recorder, tier)[0]

    def propose(
        self, observation: Observation, recorder: Recorder, tier: PlayerTier | None = None
    ) -> tuple[Answer, Beliefs]:
        """The answer of a tier, and the beliefs that it comes from; its stages are recorded.

        Parameters
        ----------
        observation
            Of the position to act.
        recorder
            Takes the stages.
        tier
            None = the full one.
        """
        tier = tier or self.full
        beliefs = self.believe(observation, tier)
        recorder.add(BeliefStage.of(beliefs, recorder.lap()))
        point = self.describe(observation, tier, beliefs)
        recorder.add(CaseStage.of(point.schema.name, point.values, recorder.lap()))
        answer = self.answer(point, recorder)
        if tier is self.full:  # cases are described in one way
            self._point = point
        return answer, beliefs

    def believe(self, observation: Observation, tier: PlayerTier) -> Beliefs:
        """The belief about each opponent still in, by position."""
        if not self._believes:
            return {}
        found = believe_all(tier.opponents, observation)
        free = ~blocked_by((*observation.hole, *observation.board))
        for position, weights in self._supposed.items():
            held = weights * free
            opponent = position, found[position].player
            found[position] = belief_of(opponent, {}, held / held.sum(), observation.board)
        return found

    def suppose(self, ranges: Mapping[int, NDArray[np.float64]]) -> None:
        """Replace the belief about the holdings of opponents; see ``agents.base.Supposing``."""
        if not self._believes:
            raise ArgumentError("a range: expected an agent that forms beliefs about its opponents")
        self._supposed = dict(ranges)

    @property
    def _believes(self) -> bool:
        return bool(self.strategy.believed) or self.strategy.outcome in BY_RANGES

    def beliefs(self, observation: Observation) -> Beliefs:
        """The belief of a decision without a time limit, by position."""
        return self.believe(observation, self.full)

    def describe(self, observation: Observation, tier: PlayerTier, beliefs: Beliefs) -> DecisionPoint:
        """The situation of the query."""
        schema = self.casebases[self.strategy.key(observation)].schema
        return decision_point(self.strategy, observation, beliefs, schema, tier.describe)

    def answer(self, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The answer of the similar cases to a described decision."""
        found = self.similar(self.casebases[point.schema.name], point.situation)
        return self.reuse.decide(point, self.query(point, found, recorder), recorder)

    def similar(self, casebase: CaseBase, situation: Situation) -> Retrieved:
        """The cases that a situation retrieves."""
        return retrieve(casebase, situation)

    def query(self, point: DecisionPoint, found: Retrieved, recorder: Recorder) -> Query:
        """The similar cases with the solutions that they may have; the retrieval is recorded."""
        casebase = self.casebases[point.schema.name]
        # A case-base only grows: its cases are the same when the trace is read.
        five = Computed(partial(nearest, found, casebase, point.situation))
        recorder.add(
            RetrievalStage(
                len(found),
                found.stored,
                found.scored,
                found.fell_back or not len(found),
                five,
                seconds=recorder.lap(),
            )
        )
        return Query(point.situation, found, casebase, self.strategy.choices(point.observation, point.schema))

    def learn(self, event: Event) -> None:
        """Update the opponent models; keep own decisions as cases, settled once the hand is over."""
        for model in {tier.opponents for tier in (self.full, self.fast) if tier}:
            model.learn(event)
        self.reuse.learn(event)
        if isinstance(event, Acted):
            self._act(event)
        elif self._episode is not None and self._episode[0][1] == event.observation.hand:
            (position, _), episode = self._episode
            state, payoff = event.observation.state, event.payoffs[position]
            won = position in state.seats_in and payoff + state.committed[position] > 0
            holes = {each: state.hole_of(each) for each in state.seats_in}
            result = HandResult(payoff, won, holes, street_results(state, position, payoff))
            retain(episode.settle(result), self.casebases, self.store)
            self._episode = None

    def _act(self, event: Acted) -> None:
        point, act = self._point, event.act
        if point is None or not self.learning or not point.is_answered_by(event):
            return
        hand = (act.seat, event.observation.hand)
        if self._episode is None or self._episode[0] != hand:  # a hand that never ended gives no cases
            self._episode = hand, Episode(self.strategy)
        self._episode[1].act(point, act)
        self._point = None
