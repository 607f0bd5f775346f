"""What table players win from another at heads-up limit, on sampled boards."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from baycarp.api.tournament import TournamentResult
from baycarp.arena.names import named
from baycarp.cli.options import count, flag, option, options
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import progress
from baycarp.strategies.sartre import GAME
from experiments.cases.versus import BOARDS, BoardRun, boards, rates, round_robin, winnings_on
from experiments.options import JSON, ONE_WORKER

__all__ = ["add", "run"]

RESAMPLES = 1000
"""Orders drawn by the bootstrap over boards."""

add = options(
    JSON,
    ONE_WORKER,
    option("--players", nargs="+", default=["sartre"], metavar="AGENT", help="NAME=AGENT names one"),
    option("--against", default="equilibrium", metavar="AGENT", help="from which they win"),
    flag("--round-robin", "the players against each other: total bankroll and instant run-off"),
    option("--boards", type=count, default=BOARDS, help="boards of five cards, drawn at random"),
    option("--drawn-by", type=int, default=1, metavar="SEED", help="fixes the boards"),
    option("--journal", type=Path, metavar="FOLDER", help="continued there after an interruption"),
)


def run(args: Namespace) -> int:
    """Value the boards, and print what each player wins, and how much more than the first."""
    names, specs = named(args.players)
    drawn = boards(args.boards, args.drawn_by)
    if args.round_robin:
        return _round_robin(names, specs, args)
    with progress("boards", len(drawn)) as tick:
        path = args.journal and args.journal / "boards.journal"
        won = winnings_on(specs, args.against, drawn, GAME, BoardRun(args.workers, tick, path))
    alone, more = rates(won), rates(won - won[:, :1])
    if args.json:
        rows = zip(names, alone, more, strict=True)
        print(as_json([{"agent": n, "won": a.mean, "margin": a.margin, "more": m.mean} for n, a, m in rows]))
        return 0
    table = grid("agent", "won, sb/h", "more than the first", words=("agent",))
    for place, (name, own, other) in enumerate(zip(names, alone, more, strict=True)):
        table.add_row(name, own.cell(4), other.cell(4) if place else "-")
    Console().print(table)
    boards_drawn = f"{np.size(won, 0)} boards of five cards, each with all holdings, all betting, both seats"
    print(f"against {args.against}: {boards_drawn}; 95 % intervals")
    return 0


def _round_robin(names: Sequence[str], specs: Sequence[str], args: Namespace) -> int:
    """Value all pairs, and print the cross table and both rankings."""
    drawn = boards(args.boards, args.drawn_by)
    with progress("boards", len(drawn) * (len(specs) - 1)) as tick:
        results = round_robin((names, specs), drawn, GAME, args.workers, tick, args.journal)
    found = TournamentResult.of(results, RESAMPLES, args.drawn_by)
    if args.json:
        print(as_json(found.to_dict()))
        return 0
    found.show()
    print(f"a hand is a board here: {len(drawn)} boards, each with all holdings, all betting, both seats")
    return 0
