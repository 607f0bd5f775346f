"""All-in equity of holdings and ranges."""

from argparse import Namespace

from baycarp.api.equity import versus
from baycarp.cli.options import BUDGET, JSON, PICTURE, SEEDED, option, options
from baycarp.cli.output import as_json, drawn

__all__ = ["add", "run"]

add = options(
    option("sides", nargs="+", metavar="RANGE", help="two to ten: 'AhKd', '77+, AQ+', '15%%', ..."),
    option("--board", default="", help="none, three, four or five cards"),
    BUDGET,
    SEEDED,
    PICTURE,
    JSON,
)


def run(args: Namespace) -> int:
    """Compute, and show the shares."""
    found = versus(*args.sides, board=args.board, budget=args.budget, seed=args.seed)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
    if args.picture:
        print(drawn("picture", args.picture, found.draw))
    return 0
