"""Play a round robin: cross table, total bankroll and instant run-off, and how sure the order is."""

from argparse import Namespace

from baycarp.api.tournament import TournamentPlan, TournamentSettings
from baycarp.cli.options import BUDGET, ESTIMATED, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json, drawn
from baycarp.cli.runs import folder_of, journalled, own_folder, play_series

add = options(
    option("agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"),
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
    plan = TournamentPlan.of(args.agents, args.game or "", settings)
    played = play_series(args, plan.series, args.deals)
    if played is None:
        return 0
    found = plan.result(played)
    picture = drawn("the cross table", folder_of(args, plan.series.header()) / "cross-table.png", found.draw)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
        print(picture)
    return 0
