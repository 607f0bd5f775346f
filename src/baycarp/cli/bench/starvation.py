"""How often no retrieved case is similar enough: ``baycarp bench starvation``.

Fresh hands are played at the table that the model was trained on and at another one; every decision of every
player is a query to the cases of the first n hands. Rubin and Watson (2007), section 8: in 10,000
hands CASPER met 86 such decisions preflop at the table of its training and 222 at another, with more cases 38
and 45.
"""

import json
from argparse import Namespace, _ArgumentGroup
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT
from baycarp.cases import CaseBase, Settled, retrieve_all
from baycarp.cli.bench.goal import Goal
from baycarp.cli.options import count
from baycarp.game.action import STREETS
from baycarp.papers.experiment import EXPERIMENT_TABLES
from baycarp.strategies.model import SHIPPED, Model, first_hands, load_model
from baycarp.train.retrieval_cases import decisions, table_of

__all__ = ["add", "run", "starved"]

TABLES = {"watched table": (*TABLE, EIGHTH), "unseen table": EXPERIMENT_TABLES["unseen"].watched}
"""The players of the fresh hands."""

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Hands that the cases were made of."""


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument(
        "--trained", type=Path, default=SHIPPED, help="a model that was trained (default: the shipped one)"
    )
    group.add_argument(
        "--fresh", type=count, default=300, help="hands played at each table (default: %(default)s)"
    )


def run(args: Namespace) -> int:
    """Measure and print."""
    model = load_model(args.trained)
    goals = [goal for name, specs in TABLES.items() for goal in _goals(model, name, specs, args.fresh)]
    if args.json:
        for goal in goals:
            print(json.dumps(asdict(goal)))
    else:
        Console().print(_grid(goals))
    return 0


def starved(casebase: CaseBase, steps: Sequence[Settled]) -> float:
    """The share of the decisions of a case-base's street that no case is near enough to; nan without any."""
    asked = [step.case.situation for step in steps if step.base == casebase.schema.name]
    found = retrieve_all(casebase, asked, at_most=1, fallback=0)
    return float(np.mean([len(each) == 0 for each in found])) if found else float("nan")


def _goals(model: Model, name: str, specs: tuple[str, ...], fresh: int) -> Iterator[Goal]:
    steps = decisions(table_of(specs, 2), HELD_OUT, fresh, model=model)
    watched = 1 + max(int(each.columns()["provenance"]["hand"].max()) for each in model.casebases.values())
    for hands in [size for size in SIZES if size < watched] + [watched]:
        for street, casebase in model.casebases.items():
            share = starved(first_hands(casebase, hands), steps)
            yield Goal(f"{name}, {street}, cases of {hands:,} hands", None, 100 * share, "% starved", None)


def _grid(goals: Sequence[Goal]) -> Grid:
    """Tables and sizes by street."""
    lines: dict[tuple[str, str], list[str]] = {}
    for goal in goals:
        table, _, size = goal.goal.split(", ", 2)
        size = size.removeprefix("cases of ")
        lines.setdefault((table, size), []).append(f"{goal.measured:.2f} %")
    grid = Grid("at", "cases of", *STREETS, box=SIMPLE)
    grid.title = "decisions that no case is near enough to"
    for (table, size), shares in lines.items():
        grid.add_row(table, size, *shares)
    return grid
