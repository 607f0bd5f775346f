"""Play a duplicate match: the same cards in every seating, win rates and differences with intervals."""

from argparse import Namespace
from functools import partial

from rich.console import Console

from baycarp.api.figures import figures
from baycarp.api.match import MatchPlan, MatchSettings
from baycarp.api.printing import show
from baycarp.arena.match import play_unit
from baycarp.cli.options import BUDGET, ESTIMATED, FULL, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json
from baycarp.cli.runs import journalled, own_folder, play_rounds

add = options(
    option("agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"),
    GAME,
    option("--deals", type=count, default=1000, help="each played in all seatings"),
    option("--until", metavar="'A>B @95%'", default="", help="stop when a sequential test decides it"),
    STACKS,
    BUDGET,
    ESTIMATED,
    FULL,
    journalled(own_folder("match")),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the results."""
    names = ("until", "estimators", "budget", "stacks", "seed")
    plan = MatchPlan.of(
        args.agents, args.game or "", MatchSettings(**{name: getattr(args, name) for name in names})
    )
    match = plan.match
    hands = args.deals * len(match.seatings)
    results = play_rounds(
        args, partial(play_unit, match), match.header(), match.rounds(args.deals), hands, plan.enough
    )
    if results is None:
        return 0
    found = plan.result(results)
    if args.json:
        print(as_json(found.to_dict()))
        return 0
    found.show()
    if args.full:
        show(Console(), figures(found.counts, found.players[0]))
    return 0
