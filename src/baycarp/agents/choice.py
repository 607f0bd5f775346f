"""From a triple (fold, call, raise) to a decision: what is legal, what is drawn, what is written down."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from baycarp.agents.base import Decision, Stage
from baycarp.agents.policy import smallest
from baycarp.budget import Meter
from baycarp.game.action import Action
from baycarp.game.observation import Observation
from baycarp.opponents.triple import FOLD_CALL_RAISE, actor

__all__ = ["Record", "draw", "explored", "generator", "legal_policy"]

Choice = TypeVar("Choice", Action, str)
"""What is drawn: an action, or the name of a solution."""


def generator(seed: int, seen: Observation) -> np.random.Generator:
    """The generator of one decision: made of seed, hand and acts, so that no earlier draw matters."""
    return np.random.default_rng((seed, seen.hand, actor(seen), len(seen.acts)))


def legal_policy(seen: Observation, triple: Sequence[float]) -> dict[Action, float]:
    """The probability of each kind of action: a free fold is a check, a raise beyond the cap a call.

    In no-limit every bet or raise is the smallest.
    """
    policy = dict.fromkeys(smallest(seen).values(), 0.0)
    columns = {FOLD_CALL_RAISE[action.name]: action for action in policy}
    for column, probability in enumerate(triple):
        policy[columns.get(column, columns[1])] += probability
    return policy


def draw(policy: Mapping[Choice, float], uniform: float) -> Choice:
    """What lies at a uniform number in [0, 1), in the order of the policy."""
    total = 0.0
    for choice, probability in policy.items():
        total += probability
        if uniform < total:
            return choice
    return max(policy, key=lambda choice: policy[choice])


def explored(policy: dict[Choice, float], legal: Sequence[Choice], share: float) -> dict[Choice, float]:
    """A policy of which a share is spread evenly over what is legal; share 0 leaves it as it is."""
    if not share:
        return policy
    return {each: (1 - share) * policy.get(each, 0.0) + share / len(legal) for each in legal}


class Record:
    """The stages of one decision, timed one after the other.

    Parameters
    ----------
    meter
        The running budget.
    repeat
        How work that may end at any time goes on: it is given a chunk of it, which says whether there is no
        more to do, and says whether it came to that. By default it goes on until the budget is spent.
    """

    def __init__(self, meter: Meter, repeat: Callable[[Callable[[], bool]], bool] | None = None) -> None:
        self.meter = meter
        self.repeat = repeat or self._repeat
        self._stages: list[Stage] = []
        self._last = meter.spent()

    def add(self, name: str, said: dict[str, Any], done: bool = True) -> None:
        """Write down the stage that ends now."""
        now = self.meter.spent()
        self._stages.append(Stage(name, now - self._last, done, said))
        self._last = now

    def _repeat(self, chunk: Callable[[], bool]) -> bool:
        while not chunk():
            if self.meter.left() <= 0:
                return False
        return True

    def decision(
        self, policy: Mapping[Action, float], action: Action, reason: str, exact: bool = True
    ) -> Decision:
        """The decision for that action of the policy."""
        return Decision(action, policy, self.meter.spent(), exact, tuple(self._stages), reason)
