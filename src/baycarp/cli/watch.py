"""Write logs of hands among agents, all cards known."""

from argparse import Namespace
from typing import get_args

from baycarp.api.players import variant_of
from baycarp.arena.names import named
from baycarp.arena.session import Table
from baycarp.cli.options import CLUSTER, GAME, JSON, folder, option, options, play
from baycarp.cli.output import as_json, counted
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of
from baycarp.errors import TableError
from baycarp.training.hand_texts import Format
from baycarp.training.log_writer import LogPlan

__all__ = ["add", "run"]

SOLVED = "holdem.limit.2p.reverse_blinds"
"""The game of two agents."""

add = options(
    option(
        "agents",
        nargs="*",
        metavar="AGENT",
        default=["equilibrium", "equilibrium"],
        help="a name or specification; NAME=AGENT names it (default: two of equilibrium)",
    ),
    GAME,
    play(10_000, "hands in all"),
    option("--format", choices=get_args(Format), default="acpc", help="ACPC logs, or PHHS files"),
    folder("watched", "folder of the files; one that was interrupted is completed"),
    CLUSTER,
    JSON,
)


def run(args: Namespace) -> int:
    """Write the files that the folder lacks."""
    given = args.agents * 2 if len(args.agents) == 1 else args.agents
    players, specs = named(given)
    usual = SOLVED if len(specs) == 2 else ""
    variant = variant_of(args.game or usual, len(specs))
    if len(specs) != variant.seats:
        raise TableError(f"{len(specs)} agents: expected the {variant.seats} of {variant.name}")
    plan = LogPlan(Table(variant, players, specs, args.seed), args.hands, args.format)
    with workers_of(args) as workers, stages() as tick:
        paths = plan.run(args.out, workers, tick)
    if args.json:
        print(as_json(plan.about() | {"files": [path.name for path in paths]}))
        return 0
    print(f"{counted(args.hands, 'hand')} of {variant.name}: {counted(len(paths), 'file')} in {args.out}")
    return 0
