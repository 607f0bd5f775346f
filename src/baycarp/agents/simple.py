"""The three yardsticks: random, always call, always raise. They play every kind of betting."""

from baycarp.agents.base import Decision, Plays
from baycarp.agents.choice import choose, draw, generator, legal_policy
from baycarp.budget import Budget
from baycarp.game.event import Event
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant

__all__ = ["AlwaysCall", "AlwaysRaise", "Random"]


class _Fixed:
    """A player with one triple for every situation."""

    plays = Plays(frozenset({"limit", "no-limit"}))
    triple = (0.0, 1.0, 0.0)
    reason = "always check or call"

    def __init__(self) -> None:
        self._seed = 0

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed; nothing else matters to it."""
        self._seed = seed

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw from the triple; in no-limit every bet or raise is the least."""
        meter = (budget or Budget(time=time_limit)).start()
        policy = self._policy(seen)
        return choose(seen, policy, draw(policy, generator(self._seed, seen).random()), meter, self.reason)

    def learn(self, event: Event) -> None:
        """Nothing is learned."""

    def _policy(self, seen: Observation) -> dict[str, float]:
        return legal_policy(seen, self.triple)


class Random(_Fixed):
    """Every legal action with the same probability.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> hand = State(Variant.ring(8)).observe(2)
    >>> Random().decide(hand).policy["raise"]
    0.3333333333333333

    """

    reason = "at random"

    def _policy(self, seen: Observation) -> dict[str, float]:
        names = dict.fromkeys(action.name for action in seen.legal_actions())
        return {name: 1 / len(names) for name in names}


class AlwaysCall(_Fixed):
    """Checks, or calls any price."""


class AlwaysRaise(_Fixed):
    """Bets and raises while the rules let him, else calls."""

    triple = (0.0, 0.0, 1.0)
    reason = "always bet or raise"
