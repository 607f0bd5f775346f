"""Measure this machine against the goals of a part, in one run."""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.cli.bench import (
    bn,
    deadlines,
    decide,
    explanations,
    game,
    kernels,
    opponents,
    retrieval,
    robustness,
    signature,
    starvation,
)
from baycarp.cli.bench.goal import Goal
from baycarp.cli.grids import add_numbers
from baycarp.cli.options import count


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("part", choices=sorted([*PARTS, *LONGER]), help="what to measure")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each goal")
    parser.add_argument(
        "--workers", type=count, default=1, help="processes, where a part takes them (default: %(default)s)"
    )
    for name, module in (LONGER | {"decide": decide, "retrieval": retrieval}).items():
        module.add(parser.add_argument_group(name))


def run(args: argparse.Namespace) -> int:
    """Measure and print; 1 when a goal is missed."""
    if args.part in LONGER:
        return int(LONGER[args.part].run(args))
    goals = list(PARTS[args.part](args))
    if args.json:
        for goal in goals:
            print(json.dumps(asdict(goal)))
    else:
        grid = Grid("goal", box=SIMPLE, padding=(0, 1, 0, 0))
        add_numbers(grid, ("must", "stretch", "measured"))
        for title in ("unit", "met"):
            grid.add_column(title, no_wrap=True)
        for goal in goals:
            must, stretch = ("-" if x is None else f"{x:,.6g}" for x in (goal.must, goal.stretch))
            met = "-" if goal.met is None else "yes" if goal.met else "NO"
            grid.add_row(goal.goal, must, stretch, f"{goal.measured:,.4g}", goal.unit, met)
        Console().print(grid)
    return 1 if any(goal.met is False for goal in goals) else 0


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Goal]]] = {
    "game": lambda args: game.goals(),
    "decide": decide.goals,
    "kernels": lambda args: kernels.goals(),
    "bn": lambda args: bn.goals(),
    "retrieval": retrieval.goals,
}

LONGER = {
    "deadlines": deadlines,
    "explanations": explanations,
    "opponents": opponents,
    "robustness": robustness,
    "signature": signature,
    "starvation": starvation,
}
"""Parts with options and a table of their own."""
