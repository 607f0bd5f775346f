"""Review recorded hands: a page of remarks and a drill."""

import sys
from argparse import Namespace
from pathlib import Path

from baycarp.agents.registry import DEFAULT
from baycarp.arena.workers import Workers
from baycarp.cli.options import SEEDED, WORKERS, count, option, options
from baycarp.cli.refusals import refusals
from baycarp.coach.choose import choose
from baycarp.coach.hands import read_hands
from baycarp.coach.page import Source, page
from baycarp.coach.rollouts import Rollouts
from baycarp.coach.spots import find_spots, reviewed_player
from baycarp.errors import TableError
from baycarp.game.variant import Variant, shipped
from baycarp.web.review import MOST

__all__ = ["add", "run"]

USUAL = {"limit": "rule", "no-limit": "sizer"}
"""The agent of the rollouts, by the betting of the game."""

add = options(
    option("log", type=Path, help="hands: a file, folder or archive of any format, or of baycarp play"),
    option("--player", default="", help="the reviewed player's name (default: the hero, or You)"),
    option("--game", help="of an ACPC log that does not show it: a shipped game or a file"),
    option("--judge", default="", metavar="AGENT", help="the judging agent (default: baycarp)"),
    option("--rest", default="", metavar="AGENT", help="plays the rollouts on (default: rule, or sizer)"),
    option("--deals", type=count, default=1000, help="rollouts of each action that value a decision"),
    SEEDED,
    WORKERS,
    option("--out", type=Path, default=Path("review.html"), help="the page"),
)


def run(args: Namespace) -> int:
    """Write the page, and print what it has."""
    with refusals() as left_out:
        hands = read_hands(args.log, args.game, left_out)
    variant = hands[0].variant
    ships = variant.name in shipped() and Variant.load(variant.name) == variant
    game = args.game or (variant.name if ships else "")
    if len(hands) == MOST:
        print(f"the first {MOST} hands are reviewed", file=sys.stderr)
    betting = variant.betting
    if betting not in USUAL:
        raise TableError(f"{betting}: no agent plays it; expected {' or '.join(USUAL)}")
    judge, rest = args.judge or DEFAULT, args.rest or USUAL[betting]
    review = find_spots(hands, reviewed_player(hands, args.player), judge)
    rollouts = Rollouts(rest, args.seed, max(2, args.deals))
    selection = choose(review, rollouts, Workers(args.workers))
    args.out.write_text(page(review, selection, Source(str(args.log), game, judge, rest)), "utf-8")
    print(
        f"{review.hands} hands, {review.decisions} decisions, {len(review.spots)} that {judge} disagrees with"
    )
    print(f"{len(selection.remarks)} remarks of {selection.tested} candidates; drill {len(selection.drill)}")
    print(args.out)
    return 0
