"""Revise: what a solution was worth, once the episode is over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from baycarp.cases.schema import Case

__all__ = ["Revision", "SignedCost", "Step"]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A case of an episode that is not over yet: for which case-base, and what its solution cost."""

    base: str
    case: Case
    cost: float


Revision: TypeAlias = Callable[[Step, bool], float]
"""A rule: a step and whether its episode was won (or split) -> the case's outcome."""


@dataclass(frozen=True, slots=True)
class SignedCost:
    """The seed's rule: what the solution cost, negative if the episode was lost or given up.

    What was free is worth 0 either way (seed 000, sections 5.4.5 and 6.2.1).

    Examples
    --------
    >>> SignedCost()(Step("flop", None, 2.0), won=False)
    -2.0
    """

    def __call__(self, step: Step, won: bool) -> float:
        """The outcome of one step."""
        return step.cost if won or step.cost == 0 else -step.cost
