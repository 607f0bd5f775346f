"""Watch players, fit the network, build the case-bases, and say what the network is worth."""

import argparse
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.session import Table
from baycarp.cli.options import add_play
from baycarp.cli.progress import stages
from baycarp.game.variant import Variant
from baycarp.train.model import Trained, train
from baycarp.train.networks import Accuracy, Measured

PUBLISHED = {
    "HandGroup": (0.32, 0.50, 0.65, 0.77),
    "HandType": (0.50, 0.67, 0.78),
    "HandTypeTurn": (0.44, 0.61, 0.72),
    "HandTypeFinal": (0.42, 0.59, 0.72),
}
"""Seed 000, tables 7.1 and 7.3: other players, another program."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("folder", type=Path, help="where the model goes; sessions found there are used again")
    add_play(parser, 10_000, "hands to watch")


def run(args: argparse.Namespace) -> int:
    """Train, and print tables 7.1 and 7.3 on held-out hands."""
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, args.seed)
    command = f"baycarp train --hands {args.hands} --seed {args.seed}"
    console = Console()
    with stages() as progress:
        trained = train(table, args.hands, args.folder, command, args.workers, progress=progress)
    show(console, trained)
    return 0


def show(console: Console, trained: Trained) -> None:
    """Print what was made and what it is worth."""
    for name, casebase in trained.model.casebases.items():
        console.print(f"{name:<8} {len(casebase)} cases")
    if trained.measured is None:
        return
    console.print(f"network  fitted on {trained.showdowns} showdown rows\n")
    console.print(_accuracies(trained.measured.accuracies))
    console.print(_faults(trained.measured))


def _accuracies(accuracies: tuple[Accuracy, ...]) -> Grid:
    grid = Grid(
        title="held-out hands: the truth among the first k (tables 7.1, 7.3)",
        box=SIMPLE,
        padding=(0, 1, 0, 0),
    )
    for title in ("node", "players", "rows", "1", "2", "3", "4", "unseen", "seed"):
        grid.add_column(title, justify="left" if title in ("node", "players") else "right", no_wrap=True)
    for line in accuracies:
        top = [f"{share:.0%}" for share in line.top]
        published = PUBLISHED[line.node] if line.players == "active" else ()
        seed = "/".join(f"{100 * share:.0f}" for share in published)
        grid.add_row(line.node, line.players, str(line.rows), *top, f"{line.unseen:.1%}", seed)
    return grid


def _faults(measured: Measured) -> Grid:
    """Figures 7.1, 7.2 and table 7.2: where the true group was not among the four."""
    actions = sorted({action for action, _ in measured.asked})
    positions = ("Blinds", "Early", "Middle", "Late")
    total = sum(measured.faults.values()) or 1
    grid = Grid(
        title="faults: hand group below the top four (figures 7.1, 7.2, table 7.2)",
        box=SIMPLE,
        padding=(0, 1, 0, 0),
    )
    grid.add_column("action")
    for title in (*positions, "all", "asked"):
        grid.add_column(title, justify="right")
    for action in actions:
        shares = [measured.faults[action, position] / total for position in positions]
        asked = sum(count for (name, _), count in measured.asked.items() if name == action)
        grid.add_row(action, *(f"{share:.0%}" for share in shares), f"{sum(shares):.0%}", str(asked))
    columns = [sum(measured.faults[action, position] for action in actions) / total for position in positions]
    grid.add_row("all", *(f"{share:.0%}" for share in columns), "100%", str(sum(measured.asked.values())))
    return grid
