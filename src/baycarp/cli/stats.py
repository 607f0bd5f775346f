"""Count what players do: VPIP, PFR, 3-bet and more."""

from argparse import Namespace

from baycarp.api.stats import SEATS, StatsResult, stats
from baycarp.cli.options import JSON, PICTURE, SPREADSHEET, option, options, path
from baycarp.cli.output import as_json, drawn
from baycarp.cli.progress import stages
from baycarp.game import STREETS

__all__ = ["add", "run"]

STEP = 500
"""Hands between two steps of the bar."""

add = options(
    option("hands", nargs="+", metavar="HANDS", help="files, folders or archives of hands, of any format"),
    option(
        "--player",
        action="append",
        default=[],
        help="a player who is shown; again for others, side by side (default: those with most hands)",
    ),
    option(
        "--position", default="", type=str.upper, choices=("", *SEATS), metavar="SEAT", help="BTN, SB, BB ..."
    ),
    option("--street", choices=STREETS, help="statistics of this street alone"),
    option("--stakes", default="", help="hands of these stakes alone, such as 0.02/0.05 or 0.05"),
    option("--since", default="", metavar="DATE", help="hands from this date on, such as 2026-11-01"),
    option("--game", default="", help="of ACPC logs that do not show theirs"),
    option("--out", type=path, metavar="FILE", help="also as .csv or .json, by position and depth"),
    SPREADSHEET,
    PICTURE,
    JSON,
)


def run(args: Namespace) -> int:
    """Count the hands, and show the statistics."""
    with stages() as bar:
        found: StatsResult = stats(
            args.hands,
            args.game,
            lambda hands: None if hands % STEP else bar("hands", hands, None),
            player=args.player,
            position=args.position,
            street=args.street,
            stakes=args.stakes,
            since=args.since,
        )
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
    if args.out:
        found.save(args.out, args.spreadsheet)
    if args.picture:
        print(drawn("picture", args.picture, found.draw))
    return 0
