"""Drawing an action: the generator of a decision, legal policies, exploration."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from baycarp.agents.policy import smallest
from baycarp.game import Action, Observation
from baycarp.kernels.arguments import seeded
from baycarp.rules.betting.context import FOLD_CALL_RAISE, actor

__all__ = ["draw", "explored", "generator", "legal_policy"]

Choice = TypeVar("Choice", Action, str)
"""The element that is drawn: an action, or the name of a solution."""


def generator(seed: int, observation: Observation) -> np.random.Generator:
    """The generator of one decision; its seed is made of seed, hand and acts: earlier draws do not matter."""
    return seeded(seed, observation.hand, actor(observation), len(observation.acts))


def legal_policy(observation: Observation, triple: Sequence[float]) -> dict[Action, float]:
    """The probability of each kind of action: a free fold is a check, a raise beyond the cap a call.

    In no-limit every bet or raise is the smallest.
    """
    policy = dict.fromkeys(smallest(observation).values(), 0.0)
    columns = {FOLD_CALL_RAISE[action.name]: action for action in policy}
    for column, probability in enumerate(triple):
        policy[columns.get(column, columns[1])] += probability
    return policy


def draw(policy: Mapping[Choice, float], uniform: float) -> Choice:
    """The element at a uniform number in [0, 1), in the order of the policy."""
    total = 0.0
    for choice, probability in policy.items():
        total += probability
        if uniform < total:
            return choice
    return max(policy, key=lambda choice: policy[choice])


def explored(policy: dict[Choice, float], legal: Sequence[Choice], share: float) -> dict[Choice, float]:
    """A policy of which a share is spread evenly over the legal elements; share 0 changes nothing."""
    if not share:
        return policy
    return {each: (1 - share) * policy.get(each, 0.0) + share / len(legal) for each in legal}
