"""How predictable agents are, and what a responder trained on each wins from it: in one table."""

import argparse
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.cli.figures import as_json
from baycarp.cli.grids import add_numbers
from baycarp.cli.match import named
from baycarp.cli.options import count, seed
from baycarp.cli.progress import stages
from baycarp.study.deception import Measured, Plan, measure


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="compared with the first; NAME=AGENT names it"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("predictability"), help="folder of journals (default: ./%(default)s)"
    )
    usual = Plan((), Path())
    for name, kind, help in (
        ("deals", count, "at the default table, each in all rotations"),
        ("watched", count, "heads-up against each probe, in both seats, to train the responder on"),
        ("answered", seed, "heads-up against the responder, in both seats; 0 = none is trained"),
        ("seed", seed, "fixes every card and draw"),
    ):
        value = getattr(usual, name)
        parser.add_argument(f"--{name}", type=kind, default=value, help=f"{help} (default: {value})")
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(args: argparse.Namespace) -> int:
    """Measure, and print one row an agent."""
    names, specs = named(args.agents)
    plan = Plan(specs, args.out, args.deals, args.watched, args.answered, args.seed)
    with stages() as progress:
        measured = measure(plan, args.workers, progress)
    if args.json:
        rows = zip(names, measured, strict=True)
        print(as_json([{"agent": name, **asdict(each)} for name, each in rows]))
    else:
        _show(names, measured)
    return 0


def _show(names: tuple[str, ...], measured: list[Measured]) -> None:
    print("next action from public information: log loss, by gradient-boosted trees on other hands (nats;")
    print("less = more predictable), and from the price alone; win rate of a responder trained on the agent")
    print("heads-up (sb/h), which is no more than a best response would; 95 % intervals")
    grid = Grid(box=SIMPLE, padding=0)
    grid.add_column("agent", min_width=8, overflow="fold")
    add_numbers(grid, ("won, sb/h", "than first", "log loss", "by price", "responder"))
    for arm, (name, each) in enumerate(zip(names, measured, strict=True)):
        predicted = each.predicted
        grid.add_row(
            name,
            each.won.cell(2),
            each.more.cell(2) if arm else "-",
            _figure(predicted.loss),
            _figure(predicted.by_price),
            each.lost.cell(2) if each.lost else "-",
        )
    Console().print(grid)


def _figure(figure: Any) -> str:
    return "{:.3f} ± {:.3f}".format(*figure)
