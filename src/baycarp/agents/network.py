"""The network alone: a control for BayCaRP with the same beliefs, and no cases after the flop.

Before the flop it is BayCaRP2. After it the product of the hand's strengths against the ranges of all
opponents decides: it bets or raises from a threshold on, calls when strength and positive potential together
beat the pot odds, and else checks or folds. This threshold rule is our choice.
"""

from dataclasses import dataclass
from functools import partial

from baycarp.agents.anytime import Answer, Anytime, Recorder
from baycarp.agents.base import Decision
from baycarp.agents.cases.case_player import FULL, CasePlayer, PlayerTier
from baycarp.agents.cases.stages import BeliefStage
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.agents.factory import Factory
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.errors import ArgumentError, ModelError
from baycarp.game import Action, Event, Observation, Variant
from baycarp.rules.strength import relative_strength
from baycarp.strategies.model import Model
from baycarp.strategies.spec import Beliefs, Strategy

__all__ = ["NETWORK_ALONE", "THRESHOLD", "NetworkAlone", "StrengthStage", "by_strength"]

THRESHOLD = 0.8
"""Our choice: of 0.5, 0.65, 0.7, 0.8 and 0.9 it won most, over 1,200 to 3,200 hands each at the default
table, on other decks; it differed significantly from 0.5, not from its neighbours."""


@dataclass(frozen=True, slots=True)
class StrengthStage(Stage, name="strength"):
    """Strength against the believed ranges, and the threshold rule of the network alone."""

    strength: float
    positive_potential: float | None
    pot_odds: float
    threshold: float
    legal: tuple[Action, ...]


class NetworkAlone:
    """The control.

    Parameters
    ----------
    strategy
        Its opponent model is used on every street, its cases before the flop.
    model
        With a network.
    threshold
        The product of strengths, 0..1, from which it bets and raises.

    Raises
    ------
    ModelError
        A model without a network.
    ArgumentError
        A threshold out of range.
    """

    def __init__(self, strategy: Strategy, model: Model, threshold: float = THRESHOLD) -> None:
        if model.network is None:
            raise ModelError("the network alone: expected a model with a network")
        if not 0 <= threshold <= 1:
            raise ArgumentError(f"threshold {threshold!r}: expected 0..1")
        self.player, self.threshold, self.plays = CasePlayer(strategy, model), threshold, strategy.plays
        self._anytime = Anytime()

    @property
    def loaded_from(self) -> list[str]:
        """The digests of its files."""
        return self.player.loaded_from

    @property
    def size(self) -> str:
        """The size of its model."""
        return self.player.size

    def beliefs(self, observation: Observation) -> Beliefs:
        """The belief of a decision without a time limit, by position."""
        return self.player.beliefs(observation)

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the opponent models are new."""
        self.player.sit(seat, variant, seed)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; see ``Agent.decide``."""
        self.plays.verify_turn(observation)
        if not observation.street:
            return self.player.decide(observation, time_limit, budget)
        budget = budget or Budget(time=time_limit)
        tiers = {tier.name: partial(self._answer, tier) for tier in self.player.tiers(observation, budget)}
        return self._anytime.decide(budget.start(), observation, tiers, first="rules")

    def learn(self, event: Event) -> None:
        """Update the opponent models."""
        self.player.learn(event)

    def _answer(self, tier: PlayerTier, observation: Observation, recorder: Recorder) -> Answer:
        beliefs = self.beliefs(observation)
        recorder.add(BeliefStage.of(beliefs, recorder.lap()))
        ranges = [belief.weights for belief in beliefs.values()]
        look_ahead = 2 if tier.name == FULL else 1
        hs, ppot, _ = relative_strength(observation.hole, observation.board, ranges, look_ahead)
        owed, pot, legal = observation.state.owed, observation.state.pot, observation.legal_actions()
        odds = owed / (pot + owed)
        stage = StrengthStage(hs, ppot, odds, self.threshold, legal, seconds=recorder.lap())
        recorder.add(stage)
        action, hope = by_strength(stage), hs + (ppot or 0.0)
        reason = f"strength {hs:.2f}, with potential {hope:.2f}, at pot odds of {stage.pot_odds:.2f}"
        return Answer(action, {each: float(each == action) for each in legal}, reason)


def _of_baycarp2(
    model: str | None = None, threshold: float = THRESHOLD, published: bool = False
) -> NetworkAlone:
    """BayCaRP2's network without its cases after the flop.

    Parameters
    ----------
    model
        The folder of the model; None = the shipped one.
    threshold
        The product of strengths, 0..1, from which it bets and raises.
    published
        Whether the network's belief is taken as it is, as in Unger (2011).
    """
    system = SYSTEMS["baycarp2"].changed(model=model, published=published)
    strategy = system.opponents.of(system.named_strategy())
    return NetworkAlone(strategy, system.model.load(strategy)[0], threshold)


NETWORK_ALONE = Factory(
    _of_baycarp2, "the network of baycarp2 with a strength rule in place of cases after the flop"
)


def by_strength(stage: StrengthStage) -> Action:
    """The action of the threshold rule: bet or raise from the threshold on, else what the price is worth."""
    legal = {action.name: action for action in stage.legal}
    bold = [name for name in ("bet", "raise") if name in legal and stage.strength >= stage.threshold]
    hope = stage.strength + (stage.positive_potential or 0.0)
    name = bold[0] if bold else "check" if "check" in legal else "call" if hope > stage.pot_odds else "fold"
    return legal[name]
