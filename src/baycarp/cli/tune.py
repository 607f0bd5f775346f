"""Tune feature weights, similarity constants and thresholds of a model's cases, and measure the gain."""

import argparse
import os
from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Rate
from baycarp.cli.figures import as_json
from baycarp.cli.grids import add_numbers
from baycarp.cli.options import count, seed
from baycarp.cli.progress import stages
from baycarp.errors import ModelError
from baycarp.strategies.model import SHIPPED, play_with
from baycarp.train.tune import Plan, Tuned, tune


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "model", nargs="?", type=Path, default=SHIPPED, help="folder of a model (default: the shipped one)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("tuned"), help="folder of journals and weights (default: ./tuned)"
    )
    usual = Plan(SHIPPED, Path())
    for name, kind, help in (
        ("generations", count, "of the search of each street, at most"),
        ("ask", count, "held-out cases of a street to choose by, at most, and as many to measure the gain"),
        ("finalists", count, "how many weights play against the thesis'"),
        ("deals", seed, "of that match, each in all seatings; 0 = none"),
        ("seed", seed, "fixes every card and draw"),
    ):
        value = getattr(usual, name)
        parser.add_argument(f"--{name}", type=kind, default=value, help=f"{help} (default: {value})")
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    parser.add_argument(
        "--keep", action="store_true", help="put the weights into the model's manifest, to be played with"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Tune, and print what was found."""
    if args.keep and args.model.resolve() == SHIPPED:
        raise ModelError("--keep: expected a model of your own; the shipped one is not changed")
    plan = Plan(args.model, args.out, args.generations, args.ask, args.finalists, args.deals, args.seed)
    model = "" if args.model == SHIPPED else f" {args.model}"
    settings = ("generations", "ask", "finalists", "deals", "seed")
    command = f"baycarp tune{model} " + " ".join(f"--{name} {getattr(plan, name)}" for name in settings)
    with stages() as progress:
        tuned = tune(plan, command, args.workers, progress)
    if args.keep:
        play_with(args.model, tuned.weights)
    if args.json:
        record = {"changes": {street: asdict(change) for street, change in tuned.changes.items()}}
        match = [asdict(rate) for rate in tuned.match]
        print(as_json({**record, "match": match, "weights": tuned.weights.to_dict()}))
    else:
        _show(tuned, _spec(args.model, args.out / "weights.json"))
    return 0


def _spec(model: Path, weights: Path) -> str:
    """The agent that plays with the weights."""
    own = "" if model == SHIPPED else f"model='{model}', "
    return f"{'cases' if own else 'baycarp2'}({own}weights='{weights}')"


def _show(tuned: Tuned, agent: str) -> None:
    console = Console()
    grid = Grid(box=SIMPLE, padding=(0, 2, 0, 0), title="what held-out cases did: log loss (nats, 95 %)")
    grid.add_column("street")
    add_numbers(grid, ("cases", "the thesis'", "tuned", "difference"))
    for street, change in tuned.changes.items():
        difference = "{:+.3f} ± {:.3f}".format(*change.difference)
        grid.add_row(
            street, str(change.asked), f"{change.before[0]:.3f}", f"{change.after[0]:.3f}", difference
        )
    console.print(grid)
    for place, rate in enumerate(tuned.match, 1):
        console.print(f"finalist {place} won {_rate(rate)} than the thesis' weights", highlight=False)
    if not tuned.improved:
        console.print("every finalist lost to the thesis' weights, which stay", highlight=False)
    else:
        console.print(agent, highlight=False, soft_wrap=True)


def _rate(rate: Rate) -> str:
    return f"{rate} more over {rate.n} hands"
