"""Kuhn's poker and Leduc hold'em: exploitability by iteration, and the strategy as a file."""

from argparse import Namespace
from pathlib import Path

from rich.console import Console

from baycarp.api.solve import solve
from baycarp.cli.options import count, option, options
from baycarp.cli.output import as_json
from baycarp.cli.progress import progress
from baycarp.cli.stopping import stopping
from baycarp.solvers import ALGORITHMS

__all__ = ["add", "run"]

add = options(
    option("--iterations", type=count, default=1000, help="of the algorithm"),
    option("--algorithm", choices=[*ALGORITHMS], default="cfr+", help="mccfr samples, and uses the seed"),
    option("--save", type=Path, metavar="FILE", help="write the average strategy, as .npz"),
)


def run(args: Namespace) -> int:
    """Solve, print and save; after an interruption, what was done until then."""
    with stopping() as stop, progress("iterations", args.iterations) as tick:
        found = solve(args.problem, args.iterations, args.algorithm, seed=args.seed, tick=tick, stop=stop)
    digest = found.save_strategy(args.save) if args.save else ""
    if args.json:
        saved = {"file": str(args.save), "digest": digest} if digest else None
        print(as_json(found.to_dict() | {"interrupted": stop.status != 0, "saved": saved}))
        return stop.status
    console = Console()
    if stop.status:
        done = found.points[-1].iterations
        console.print(f"interrupted after {done:,} of {args.iterations:,} iterations")
    found.show(console)
    if digest:
        console.print(f"strategy: {args.save}, digest {digest}", soft_wrap=True)
    return stop.status
