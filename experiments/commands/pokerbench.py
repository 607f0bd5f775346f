"""An agent on a CSV file of PokerBench, which you bring: before the flop or after it.

Zhuang et al. (2025), whose solver's decisions the files call correct. They have no values: what a wrong
answer loses is by a look-ahead of the package, against what its models of players hold and do.
"""

from argparse import Namespace
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from baycarp.agents.registry import load_for
from baycarp.api.printing import as_json
from baycarp.cli.options import count, option, options
from baycarp.cli.output import console, grid
from baycarp.errors import NotationError
from baycarp.game import Variant
from experiments.options import JSON
from experiments.pokerbench.layout import GAME, BenchSpot, read_rows, spot_of
from experiments.pokerbench.score import BenchScore, score

__all__ = ["add", "run"]

add = options(
    JSON,
    option("file", type=Path, help="a CSV file of PokerBench, with its header"),
    option("--agent", default="sizer", help="the agent that answers"),
    option("--rows", type=count, help="the first rows alone (default: all)"),
    option("--playouts", type=count, help="value wrong answers, by that many playouts each, at least 2"),
)


def run(args: Namespace) -> int:
    """Score, and print."""
    agent = load_for(Variant.load(GAME), args.agent)
    reasons: list[str] = []
    spots = _spots(args.file, args.rows, reasons)
    found = score(agent, spots, args.playouts)
    if args.json:
        print(as_json({"agent": args.agent, **_to_dict(found)}))
        return 0
    table = grid("answers", "right", "%", words=("answers",), title=f"{args.agent} on {args.file.name}")
    shares = {"by kind": found.kind, "with the size": found.exact}
    shares |= {f"correct: {kind}": share for kind, share in found.by_move.items()}
    for name, share in shares.items():
        table.add_row(name, str(share), f"{100 * share.value:.2f}" if share.of else "-")
    console().print(table)
    print(f"{found.refused} rows not played; pots differ by {found.rounding:.2f} bb at most (their rounding)")
    if args.playouts:
        print(f"a wrong answer loses {found.lost} by a look-ahead, not by a solver")
    for reason in reasons[:3]:
        print(f"not read: {reason[:200]}")
    return 0


def _spots(path: Path, rows: int | None, reasons: list[str]) -> Iterator[BenchSpot | None]:
    """The spots of a file; None for a row that cannot be read, its reason added."""
    for line, row in islice(read_rows(path), rows):
        try:
            yield spot_of(row)
        except NotationError as error:
            reasons.append(f"line {line}: {error}")
            yield None


def _to_dict(found: BenchScore) -> dict[str, object]:
    shares = {"kind": found.kind, "exact": found.exact, **found.by_move}
    right = {name: {"right": share.count, "of": share.of} for name, share in shares.items()}
    return {**right, "not played": found.refused, "rounding": found.rounding, "lost": found.lost.to_dict()}
