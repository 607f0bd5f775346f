"""What a best response gains from re-solves of the turn and the river, beside the blueprint: exactly."""

from argparse import Namespace
from dataclasses import asdict

from baycarp.cli.options import JSON, SEEDED, count, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.game.action import STREETS
from experiments.solvers.subgames import gains

__all__ = ["add", "run"]

add = options(
    option("--spots", type=count, default=20, help="subgames of each street"),
    SEEDED,
    JSON,
)


def run(args: Namespace) -> int:
    """Measure all forms on both streets, and print."""
    with progress("subgames", 2 * args.spots) as tick:
        found = gains(args.spots, args.seed, tick)
    if args.json:
        print(as_json([asdict(each) for each in found]))
        return 0
    table = grid(
        "street",
        "form",
        "subgames",
        "mean, % of the pot",
        "worst subgame",
        "worst holding",
        "mbb a hand dealt",
        "gap, % of the pot",
        title="a best response gains more from the re-solve than from the blueprint by",
    )
    for each in found:
        shares = (*each.more, each.holding)
        table.add_row(
            STREETS[each.street],
            each.form,
            str(each.subgames),
            *(f"{100 * share:+.2f}" for share in shares),
            f"{each.hand:+.1f}",
            f"{100 * each.gap:.2f}",
        )
    console(120).print(table)
    return 0
