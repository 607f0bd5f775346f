"""A line of a benchmark: a measured value and its bound."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["MISSED", "Goal", "at_least", "at_most", "missed"]

MISSED = 3
"""The exit status where a goal is missed: another than that of refused input."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One line: a name, the measured value and its unit; the bound, the aim, and whether the bound is met."""

    goal: str
    measured: float
    unit: str
    must: float | None = None
    stretch: float | None = None
    met: bool | None = None


def at_least(goal: str, must: float, measured: float, unit: str, stretch: float | None = None) -> Goal:
    """A goal that is met from ``must`` up."""
    return Goal(goal, measured, unit, must, stretch, measured >= must)


def at_most(goal: str, must: float, measured: float, unit: str, stretch: float | None = None) -> Goal:
    """A goal that is met up to ``must``."""
    return Goal(goal, measured, unit, must, stretch, measured <= must)


def missed(goals: Iterable[Goal]) -> int:
    """The exit status: ``MISSED`` when a goal is missed, else 0."""
    return MISSED * any(goal.met is False for goal in goals)
