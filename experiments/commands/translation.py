"""What bets between two sizes take of a player that translates them."""

from argparse import Namespace
from collections.abc import Sequence

from rich.table import Table as Grid

from baycarp.cli.options import count, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from experiments.cases.translation import HOW, POT, STACK, Setting, Taken, translation
from experiments.options import JSON

__all__ = ["add", "run"]

USUAL = Setting()

WIDTH = 110
"""Of the table, characters."""

add = options(
    JSON,
    option("--rivers", type=count, default=USUAL.boards, help="random boards of the last street"),
    option("--holdings", type=count, default=USUAL.holdings, help="random holdings of each player"),
    option("--iterations", type=count, default=USUAL.iterations, help="of CFR+, by which the victim is made"),
)


def run(args: Namespace) -> int:
    """Measure and print."""
    setting = Setting(args.rivers, args.holdings, args.iterations)
    with progress("boards", setting.boards) as tick:
        found = list(translation(setting, tick))
    if args.json:
        for each in found:
            chips = {how: rate.to_dict() for how, rate in each.chips.items()}
            print(as_json({"bets": each.amounts, **chips, "absolute - soft": each.less.to_dict()}))
    else:
        console(WIDTH).print(_grid(found))
    return 0


def _grid(found: Sequence[Taken]) -> Grid:
    """A line for each group of bets."""
    title = f"chips a hand that bets take, pot {POT}, stacks {STACK}"
    table = grid("bets", *HOW, "absolute - soft", words=("bets",), title=title)
    for each in found:
        cells = (rate.cell(2) for rate in (*each.chips.values(), each.less))
        table.add_row(" / ".join(map(str, each.amounts)), *cells)
    return table
