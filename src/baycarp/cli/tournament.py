"""Play every agent against every other, and rank them."""

from argparse import Namespace

from baycarp.api.tournament import TournamentPlan, TournamentSettings
from baycarp.cli.options import AGENTS, BUDGET, ESTIMATED, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json, drawn
from baycarp.cli.runs import journalled, own_folder, run_plan

__all__ = ["add", "run"]

add = options(
    AGENTS,
    GAME,
    option("--seats", type=count, default=2, help="of a table"),
    option("--groups", type=count, help="draw this number of groups (default: all)"),
    option("--deals", type=count, default=1000, help="of every group, in all seatings"),
    STACKS,
    BUDGET,
    option("--resamples", type=count, default=1000, help="orders drawn by the bootstrap"),
    ESTIMATED,
    journalled(own_folder("tournament")),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks, show the ranking, and draw the cross table."""
    names = ("seats", "groups", "resamples", "estimators", "budget", "stacks", "seed")
    settings = TournamentSettings(**{name: getattr(args, name) for name in names})
    plan = TournamentPlan.of(args.agents, args.game or "", args.deals, settings)
    found, folder = run_plan(args, plan)
    picture = drawn("the cross table", folder / "cross-table.png", found.draw)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
        print(picture)
    return 0
