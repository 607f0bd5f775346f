"""A line of a benchmark: a measured value and its bound; and how the lines of a part are printed."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console

from baycarp.cli.output import grid, print_each

__all__ = ["MISSED", "Goal", "at_least", "at_most", "missed", "printing"]

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


def printing(measure: Callable[[Namespace], Iterator[Goal]]) -> Callable[[Namespace], int]:
    """The command of a part: measures, prints a table or JSON, and returns the exit status."""

    def run(args: Namespace) -> int:
        goals = list(measure(args))
        if args.json:
            print_each(goals)
        else:
            _print(goals)
        return missed(goals)

    return run


def _print(goals: Iterable[Goal]) -> None:
    table = grid("goal", "must", "stretch", "measured", "unit", "met", words=("goal", "unit", "met"))
    for goal in goals:
        must, stretch = ("-" if x is None else f"{x:,.6g}" for x in (goal.must, goal.stretch))
        met = "-" if goal.met is None else "yes" if goal.met else "NO"
        table.add_row(goal.goal, must, stretch, f"{goal.measured:,.4g}", goal.unit, met)
    Console().print(table)
