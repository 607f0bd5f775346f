"""Play the same cards in every seating, and compare."""

from argparse import Namespace

from baycarp.api.figures import figures
from baycarp.api.match import MatchPlan, MatchSettings
from baycarp.api.printing import Console, show
from baycarp.arena.protocol import PROTOCOLS
from baycarp.cli.options import AGENTS, BUDGET, ESTIMATED, FULL, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json
from baycarp.cli.runs import journalled, own_folder, run_plan

__all__ = ["add", "run"]

add = options(
    AGENTS,
    GAME,
    option("--deals", type=count, default=1000, help="each played in all seatings"),
    option("--until", metavar="'A>B @95%'", default="", help="stop when a sequential test decides it"),
    STACKS,
    BUDGET,
    ESTIMATED,
    option("--protocol", choices=tuple(PROTOCOLS), default="", help="play as a benchmark does, in its unit"),
    FULL,
    journalled(own_folder("match")),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the results."""
    names = ("until", "protocol", "estimators", "budget", "stacks", "seed")
    settings = MatchSettings(**{name: getattr(args, name) for name in names})
    found, _ = run_plan(args, MatchPlan.of(args.agents, args.game or "", args.deals, settings))
    if args.json:
        print(as_json(found.to_dict()))
        return 0
    found.show()
    if args.full:
        show(Console(), figures(found.counts, found.players[0]))
    return 0
