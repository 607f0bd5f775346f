"""Kuhn's poker and Leduc hold'em: exploitability by iteration, and the strategy as a file."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from baycarp.cli.options import count, option, options
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import progress
from baycarp.cli.stopping import Stop, stopping
from baycarp.draw import decay_as_text
from baycarp.search import ALGORITHMS, GAMES, Origin, Point, flatten, save_strategy, solve

__all__ = ["add", "run"]

TICKS = 256
"""Iterations between two looks at the progress bar, which takes longer than one of them."""

add = options(
    option("--iterations", type=count, default=1000, help="of the algorithm"),
    option("--algorithm", choices=[*ALGORITHMS], default="cfr+", help="mccfr samples, and uses the seed"),
    option("--save", type=Path, metavar="FILE", help="write the average strategy, as .npz"),
)


def run(args: Namespace) -> int:
    """Solve, print and save; after an interruption, what was done until then."""
    tree = flatten(GAMES[args.problem]())
    solver = ALGORITHMS[args.algorithm](tree, args.seed)
    points: list[Point] = []
    with stopping() as stop, progress("iterations", args.iterations) as tick:

        def is_over() -> bool:
            if solver.iterations % TICKS == 0:
                tick(solver.iterations)
            return stop()

        for point in solve(solver, args.iterations, is_over):
            points.append(point)
            tick(point.iterations)
    if not points:
        return stop.status
    saved = {}
    if args.save:
        last = points[-1]
        origin = Origin(args.algorithm, last.iterations, args.seed, last.exploitability)
        saved = {"file": str(args.save), "digest": save_strategy(solver.average(), origin, args.save)}
    if args.json:
        print(as_json(_to_dict(args, points, stop, saved)))
    else:
        _show(args, points, stop, saved)
    return stop.status


def _to_dict(args: Namespace, points: Sequence[Point], stop: Stop, saved: dict[str, str]) -> dict[str, Any]:
    return {
        "game": args.problem,
        "algorithm": args.algorithm,
        "seed": args.seed,
        "interrupted": stop.status != 0,
        "points": [asdict(point) for point in points],
        "saved": saved or None,
    }


def _show(args: Namespace, points: Sequence[Point], stop: Stop, saved: dict[str, str]) -> None:
    console = Console()
    last = points[-1]
    if stop.status:
        console.print(f"interrupted after {last.iterations:,} of {args.iterations:,} iterations")
    table = grid("iterations", "exploitability", "value", words=("",))
    for point in points:
        table.add_row(f"{point.iterations:,}", f"{point.exploitability:.3e}", f"{point.value:+.7f}")
    console.print(table)
    console.print(
        decay_as_text([p.iterations for p in points], [p.exploitability for p in points], "iterations")
    )
    console.print(
        f"{args.problem}, {args.algorithm}: {last.iterations / max(last.seconds, 1e-9):,.0f} iterations/s"
    )
    if saved:
        console.print(f"strategy: {saved['file']}, digest {saved['digest']}", soft_wrap=True)
