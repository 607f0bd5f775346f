"""The three controls: random, always call, always raise. They play every kind of betting."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Agent, ClassPolicies, Decision, Plays, Seeded
from baycarp.agents.factory import Factory
from baycarp.agents.policy import smallest
from baycarp.agents.sampling import draw, generator
from baycarp.budget import Budget
from baycarp.errors import ArgumentError
from baycarp.game import Observation, State
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["SIMPLE_PLAYERS", "AlwaysCall", "AlwaysRaise", "Frequency", "Random"]


class _OneClass(Seeded, ClassPolicies):
    """The tables of a player that does not look at its cards: all holdings are one class."""

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """See ``ClassPolicies``."""
        return np.zeros(1326, np.uint16)

    def class_policies(self: Agent, state: State) -> NDArray[np.float64]:
        """The policy of the decision in this state, of any cards."""
        row = np.zeros((1, 3))
        for action, probability in self.decide(state.observe(state.to_act)).policy.items():
            row[0, FOLD_CALL_RAISE[action.name]] += probability
        return row


class Random(_OneClass):
    """Every kind of legal action with the same probability; in no-limit every bet or raise is the least.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> hand = State(Variant.ring(8)).observe(2)
    >>> Random().decide(hand).policy_by_kind()["raise"]
    0.3333333333333333
    """

    plays = Plays(frozenset({"limit", "no-limit"}))

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action; see ``Agent.decide``."""
        self.plays.verify_turn(observation, cards=False)
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        actions = smallest(observation)
        policy = dict(zip(actions.values(), self._shares(tuple(actions)), strict=True))
        action = draw(policy, generator(self._seed, observation).random())
        return recorder.decision(Answer(action, policy, "at random"))

    def _shares(self, names: Sequence[str]) -> Sequence[float]:
        """The probability of each legal kind of action; sums to 1."""
        return [1 / len(names)] * len(names)


class Frequency(Random):
    """Fixed frequencies of its actions, whatever its cards.

    Parameters
    ----------
    fold, raises
        Probabilities of a fold and of a raise where there is a bet to call; the rest are calls.
    bet
        Probability of a bet, or of a raise of the own blind, where there is none.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> hand = State(Variant.ring(8)).observe(2)
    >>> Frequency(fold=0.5, raises=0.25).decide(hand).policy_by_kind()["call"]
    0.25
    """

    def __init__(self, fold: float = 0.4, raises: float = 0.2, bet: float = 0.4) -> None:
        shares = {"fold": fold, "raises": raises, "bet": bet, "fold + raises": fold + raises}
        for name, share in shares.items():
            if not 0 <= share <= 1:
                raise ArgumentError(f"{name} {share!r}: expected 0..1")
        self.fold, self.raises, self.bet = fold, raises, bet

    def _shares(self, names: Sequence[str]) -> Sequence[float]:
        """Where a raise is not legal, its share is called."""
        bold = self.raises if "call" in names else self.bet
        share = {"fold": self.fold if "call" in names else 0.0, "bet": bold, "raise": bold}
        rest = 1.0 - sum(share.get(name, 0.0) for name in names)
        return [share.get(name, rest) for name in names]


class AlwaysCall(_OneClass):
    """Checks, or calls any price."""

    plays = Plays(frozenset({"limit", "no-limit"}))
    prefers: tuple[str, ...] = ("check", "call")

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose the first legal action of its preference; in no-limit the least bet or raise."""
        self.plays.verify_turn(observation, cards=False)
        legal = {action.name: action for action in reversed(observation.legal_actions())}
        action = next(legal[name] for name in self.prefers if name in legal)
        policy = dict.fromkeys(legal.values(), 0.0) | {action: 1.0}
        return Decision(action, policy, reason=f"always: {action.name}")


class AlwaysRaise(AlwaysCall):
    """Bets and raises while the rules allow it, else calls."""

    prefers = ("bet", "raise", "check", "call")


SIMPLE_PLAYERS: Mapping[str, Factory] = {
    "random": Factory(Random, "every kind of legal action with the same probability"),
    "call": Factory(AlwaysCall, "checks, or calls any price"),
    "raise": Factory(AlwaysRaise, "bets and raises while the rules allow it, else calls"),
    "frequency": Factory(Frequency, "fixed frequencies of its actions, whatever its cards"),
}
"""By name."""
