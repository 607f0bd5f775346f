"""Review recorded hands: a page of themes, remarks and a drill."""

import sys
from argparse import Namespace
from pathlib import Path

from baycarp.agents.registry import DEFAULT
from baycarp.arena.workers import Workers
from baycarp.cli.options import SEEDED, WORKERS, count, option, options, path
from baycarp.cli.output import counted
from baycarp.cli.progress import progress
from baycarp.cli.refusals import refusals
from baycarp.coach.hands import read_played
from baycarp.coach.page import ReviewSource, page
from baycarp.coach.review import review
from baycarp.coach.valuation import Judge
from baycarp.files import write_whole
from baycarp.game.variant import Variant, shipped
from baycarp.web.review import MOST

__all__ = ["add", "run"]

add = options(
    option("log", type=path, help="hands: a file, folder or archive of any format, or of baycarp play"),
    option("--player", default="", help="the reviewed player's name (default: the hero, or You)"),
    option("--game", help="of an ACPC log that does not show it: a shipped game or a file"),
    option("--judge", default=DEFAULT, metavar="AGENT", help="the agent that values (default: baycarp)"),
    option("--playouts", type=count, default=1000, help="of each decision (default: %(default)s)"),
    SEEDED,
    WORKERS,
    option("--out", type=path, default=Path("review.html"), help="the page"),
)


def run(args: Namespace) -> int:
    """Write the page, and print what it has."""
    with refusals() as left_out:
        hands, aided = read_played(args.log, args.game, left_out)
    variant = hands[0].variant
    ships = variant.name in shipped() and Variant.load(variant.name) == variant
    game = args.game or (variant.name if ships else "")
    if len(hands) == MOST:
        print(f"the first {MOST} hands are reviewed", file=sys.stderr)
    judge = Judge(args.judge, args.playouts, args.seed)
    with progress("hands", len(hands)) as tick:
        found = review(hands, args.player, judge, aided, Workers(args.workers), tick)
    write_whole(args.out, page(found, hands, ReviewSource(str(args.log), game)))
    print(f"{counted(found.hands, 'hand')}, {counted(found.decisions, 'decision')} of {found.player}")
    for theme in found.named:
        print(f"{found.player} {theme}")
    found_ones = {"theme": found.named, "remark": found.remarks, "spot": found.spots}
    print(", ".join(counted(len(each), noun) for noun, each in found_ones.items()) + " to drill")
    print(f"the page: {args.out}")
    return 0
