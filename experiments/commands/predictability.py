"""Measure the predictability of agents, and the win rate of a responder trained on each."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from baycarp.arena.names import named
from baycarp.arena.workers import Workers
from baycarp.cli.options import JSON, WORKERS, count, folder, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import stages
from baycarp.errors import ArgumentError
from experiments.options import fields
from experiments.people.deception import Measured, Plan, measure
from experiments.people.predict import FOLDS

SETTINGS = {
    "deals": (count, "at the default table, each in all rotations"),
    "watched": (count, "heads-up against each probe, in both seats, to train the responder on"),
    "answered": (seed, "heads-up against the responder, in both seats; 0 = none is trained"),
    "seed": (seed, "fixes every card and draw"),
}
"""Fields of a plan that are options: type and help."""

add = options(
    option("agents", nargs="+", metavar="AGENT", help="compared with the first; NAME=AGENT names it"),
    folder("predictability", "folder of journals"),
    fields(Plan((), Path()), SETTINGS),
    WORKERS,
    JSON,
)


def run(args: Namespace) -> int:
    """Measure, and print one row an agent."""
    names, specs = named(args.agents)
    if args.deals < FOLDS:
        raise ArgumentError(f"--deals {args.deals}: expected at least {FOLDS}, which are predicted in turn")
    plan = Plan(specs, args.out, **{name: getattr(args, name) for name in SETTINGS})
    with stages() as progress:
        measured = measure(plan, Workers(args.workers), progress)
    if args.json:
        print(as_json([{"agent": name, **asdict(each)} for name, each in zip(names, measured, strict=True)]))
    else:
        _show(names, measured)
    return 0


def _show(names: tuple[str, ...], measured: list[Measured]) -> None:
    print("next action from public information: log loss, by gradient-boosted trees on other hands (nats;")
    print("less = more predictable), and from the price alone; win rate of a responder trained on the agent")
    print("heads-up (sb/h), which is no more than a best response would; 95 % intervals")
    table = grid("agent", "won, sb/h", "than first", "log loss", "by price", "responder", padding=0)
    table.columns[0].min_width = 8
    for arm, (name, each) in enumerate(zip(names, measured, strict=True)):
        losses = (each.predicted.loss, each.predicted.by_price)
        table.add_row(
            name,
            each.won.cell(2),
            each.more.cell(2) if arm else "-",
            *("{:.3f} ± {:.3f}".format(*loss) for loss in losses),
            each.lost.cell(2) if each.lost else "-",
        )
    Console().print(table)
