"""Play hands at one table: statistics and win rates."""

from argparse import Namespace

from baycarp.agents.registry import DEFAULT
from baycarp.api.figures import figures
from baycarp.api.printing import Console, show
from baycarp.api.table import TablePlan
from baycarp.cli.options import FULL, GAME, count, option, options
from baycarp.cli.output import as_json, drawn
from baycarp.cli.runs import journalled, own_folder, run_plan

__all__ = ["add", "run"]

add = options(
    option(
        "agents",
        nargs="*",
        metavar="AGENT",
        default=[DEFAULT],
        help="a seat each, or a table's name: people; NAME=AGENT names one. One alone sits with the seven of "
        "the default table, or with as many others as the game seats (default: baycarp)",
    ),
    GAME,
    option("--hands", type=count, default=2000, help="hands to play"),
    FULL,
    journalled(own_folder("table", "folder of journal, curve and log")),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks, and show statistics and the curve."""
    found, folder = run_plan(args, TablePlan.of(args.agents, args.game or "", args.hands, args.seed))
    found.save(folder / "hands.log")
    picture = drawn("the curve", folder / "win-rate.png", found.draw)
    if args.json:
        print(as_json(found.to_dict()))
        return 0
    console = Console()
    found.show(console)
    if args.full:
        show(console, figures(found.report, found.players[0]))
    print(f"every hand: {folder / 'hands.log'}")
    print(picture)
    return 0
