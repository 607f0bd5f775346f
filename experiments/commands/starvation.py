"""Decisions without a similar case, by the number of training hands: ``python -m experiments starvation``.

Fresh hands are played at the table that the model was trained on and at another one; every decision of every
player is a query to the cases of the first n hands. Rubin and Watson (2007), section 8: in 10,000
hands CASPER met 86 such decisions preflop at the table of its training and 222 at another, with more cases 38
and 45. With ``--seats`` the hands are played at tables of several sizes, and all cases are queried.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT
from baycarp.cases import CaseBase, Settled, retrieve_all
from baycarp.cli.options import count, option, options
from baycarp.cli.output import as_json, grid, print_each
from baycarp.cli.progress import progress
from baycarp.game.action import STREETS
from baycarp.strategies.model import DEFAULT_AGENT, Model, first_hands, load_model
from baycarp.training.curriculum import Curriculum, parse_seats
from benchmarks.parts.goal import Goal, at_most, missed
from experiments.cases.starvation import Starved, starvation_by_seats
from experiments.options import JSON
from experiments.papers.experiment import EXPERIMENT_TABLES
from experiments.recipes.retrieval_cases import decisions, table_of

__all__ = ["add", "run", "starved"]

TABLES = {"watched table": (*TABLE, EIGHTH), "unseen table": EXPERIMENT_TABLES["unseen"].watched}
"""The players of the fresh hands."""

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Hands that the cases come from."""


add = options(
    JSON,
    option(
        "--trained",
        type=Path,
        default=DEFAULT_AGENT,
        help="a model that was trained (default: the default agent's)",
    ),
    option("--fresh", type=count, default=300, help="hands played at each table"),
    option("--seats", default="", metavar="SIZES", help="by table size instead: 2-10, or 2,6,9"),
)

MOST = 2.0
"""The percentage of decisions that may fall back at any size and street."""


def run(args: Namespace) -> int:
    """Measure and print."""
    model = load_model(args.trained)
    if args.seats:
        return _by_seats(model, args)
    goals = [goal for name, specs in TABLES.items() for goal in _goals(model, name, specs, args.fresh)]
    if args.json:
        print_each(goals)
    else:
        Console().print(_grid(goals))
    return 0


def _by_seats(model: Model, args: Namespace) -> int:
    """Measure and print by table size; 1 where a share is above the goal."""
    curriculum = Curriculum(parse_seats(args.seats), 2, TABLES["watched table"])
    with progress("hands played", args.fresh * len(curriculum.seats)) as tick:
        found = list(starvation_by_seats(model, curriculum, args.fresh, tick))
    goals = [
        at_most(f"{each.seats} seats, {each.base}", MOST, 100 * each.share, "% starved") for each in found
    ]
    if args.json:
        for goal, each in zip(goals, found, strict=True):
            more = {"asked": each.asked, "low": 100 * each.low, "high": 100 * each.high}
            print(as_json(asdict(goal) | more))
    else:
        Console().print(_by_size(found))
    return missed(goals)


def _by_size(found: Sequence[Starved]) -> Grid:
    """A line for each size and street."""
    table = grid(
        "seats",
        "street",
        "decisions",
        "starved",
        "95 % interval",
        words=("street",),
        title="decisions that no case is near enough to",
    )
    for each in found:
        ends = f"{100 * each.low:.2f} .. {100 * each.high:.2f} %"
        table.add_row(str(each.seats), each.base, str(each.asked), f"{100 * each.share:.2f} %", ends)
    return table


def starved(casebase: CaseBase, steps: Sequence[Settled]) -> float:
    """The share of the decisions of a case-base's street that no case is near enough to; nan without any."""
    asked = [step.case.situation for step in steps if step.base == casebase.schema.name]
    found = retrieve_all(casebase, asked, at_most=1, fallback=0)
    return float(np.mean([len(each) == 0 for each in found])) if found else float("nan")


def _goals(model: Model, name: str, specs: tuple[str, ...], fresh: int) -> Iterator[Goal]:
    steps = decisions(table_of(specs, 2), HELD_OUT, fresh, model=model)
    watched = 1 + max(int(each.columns()["provenance"]["hand"].max()) for each in model.casebases.values())
    for hands in [size for size in SIZES if size < watched] + [watched]:
        asked = {step.base for step in steps}
        for street, casebase in ((name, base) for name, base in model.casebases.items() if name in asked):
            share = starved(first_hands(casebase, hands), steps)
            yield Goal(f"{name}, {street}, cases of {hands:,} hands", 100 * share, "% starved")


def _grid(goals: Sequence[Goal]) -> Grid:
    """Tables and sizes by street."""
    lines: dict[tuple[str, str], list[str]] = {}
    for goal in goals:
        name, _, size = goal.goal.split(", ", 2)
        lines.setdefault((name, size.removeprefix("cases of ")), []).append(f"{goal.measured:.2f} %")
    table = grid(
        "at",
        "cases of",
        *STREETS,
        words=("at", "cases of"),
        title="decisions that no case is near enough to",
    )
    for place, shares in lines.items():
        table.add_row(*place, *shares)
    return table
