"""From a triple (fold, call, raise) to a decision: what is legal, what is drawn, what is written down."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from baycarp.agents.base import Decision, Stage
from baycarp.budget import Meter
from baycarp.game.observation import Observation
from baycarp.opponents.triple import FOLD_CALL_RAISE, actor

__all__ = ["Record", "draw", "explored", "generator", "legal_policy"]


def generator(seed: int, seen: Observation) -> np.random.Generator:
    """The generator of one decision: made of seed, hand and acts, so that no earlier draw matters."""
    return np.random.default_rng((seed, seen.hand, actor(seen), len(seen.acts)))


def legal_policy(seen: Observation, triple: Sequence[float]) -> dict[str, float]:
    """The probability of each legal action: a free fold is a check, a raise beyond the cap a call."""
    names = list(dict.fromkeys(action.name for action in seen.legal_actions()))
    policy = dict.fromkeys(names, 0.0)
    for column, probability in enumerate(triple):
        able = [name for name in names if FOLD_CALL_RAISE[name] == column]
        policy[able[0] if able else next(name for name in names if FOLD_CALL_RAISE[name] == 1)] += probability
    return policy


def draw(policy: dict[str, float], uniform: float) -> str:
    """The action at a uniform number in [0, 1), in the order of the policy."""
    total = 0.0
    for name, probability in policy.items():
        total += probability
        if uniform < total:
            return name
    return max(policy, key=lambda name: policy[name])


def explored(policy: dict[str, float], legal: Sequence[str], share: float) -> dict[str, float]:
    """A policy of which a share is spread evenly over what is legal; share 0 leaves it as it is."""
    if not share:
        return policy
    return {name: (1 - share) * policy.get(name, 0.0) + share / len(legal) for name in legal}


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
        self, seen: Observation, policy: dict[str, float], name: str, reason: str, exact: bool = True
    ) -> Decision:
        """The decision for the action of that name."""
        return Decision(
            seen.state.named(name), policy, self.meter.spent(), exact, tuple(self._stages), reason
        )
