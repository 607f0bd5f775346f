"""The three controls: random, always call, always raise. They play every kind of betting."""

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Stateless
from baycarp.agents.policy import smallest
from baycarp.agents.sampling import draw, generator
from baycarp.budget import Budget
from baycarp.game import Observation, Variant

__all__ = ["AlwaysCall", "AlwaysRaise", "Random"]


class Random(Stateless):
    """Every kind of legal action with the same probability; in no-limit every bet or raise is the least.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> hand = State(Variant.ring(8)).observe(2)
    >>> Random().decide(hand).policy_by_kind()["raise"]
    0.3333333333333333
    """

    plays = Plays(frozenset({"limit", "no-limit"}))
    _seed = 0

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed."""
        self._seed = seed

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        actions = smallest(observation).values()
        policy = {action: 1 / len(actions) for action in actions}
        action = draw(policy, generator(self._seed, observation).random())
        return recorder.decision(Answer(action, policy, "at random"))


class AlwaysCall(Stateless):
    """Checks, or calls any price."""

    plays = Plays(frozenset({"limit", "no-limit"}))
    prefers: tuple[str, ...] = ("check", "call")

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose the first legal action of its preference; in no-limit the least bet or raise."""
        legal = {action.name: action for action in reversed(observation.legal_actions())}
        action = next(legal[name] for name in self.prefers if name in legal)
        policy = dict.fromkeys(legal.values(), 0.0) | {action: 1.0}
        return Decision(action, policy, reason=f"always: {action.name}")


class AlwaysRaise(AlwaysCall):
    """Bets and raises while the rules allow it, else calls."""

    prefers = ("bet", "raise", "check", "call")
