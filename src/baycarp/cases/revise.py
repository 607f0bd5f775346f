"""Revise: what a solution was worth, once the episode is over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from baycarp.cases.schema import Case
from baycarp.errors import SchemaError

__all__ = ["Expected", "Revision", "SignedCost", "Step"]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A case of an episode that is not over yet.

    Parameters
    ----------
    base
        The name of its case-base.
    case
        Without an outcome so far.
    cost
        What its solution cost.
    worth
        What its solution could be expected to bring, luck aside; None = nobody has said.
    """

    base: str
    case: Case
    cost: float
    worth: float | None = None


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


@dataclass(frozen=True, slots=True)
class Expected:
    """What the solution could be expected to bring, whether the episode was won or lost.

    It takes the luck out of the outcome, as seed 000 proposes (section 5.4.5) and did not build.

    Raises
    ------
    SchemaError
        Nobody has said what the step is worth.

    Examples
    --------
    >>> Expected()(Step("flop", None, 2.0, worth=0.75), won=False)
    0.75
    """

    def __call__(self, step: Step, won: bool) -> float:
        """The outcome of one step."""
        if step.worth is None:
            raise SchemaError(f"a step of {step.base!r}: expected what its solution is worth")
        return step.worth
