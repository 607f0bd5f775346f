"""Seat one agent after the other in the same place, on the same decks, and compare them in one table."""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from baycarp.agents.table import TABLE
from baycarp.api.players import variant_of
from baycarp.api.settings import SeriesPlan
from baycarp.arena.measure import Rate, interval
from baycarp.arena.names import named
from baycarp.arena.run import Results
from baycarp.arena.scores import NET, Scores
from baycarp.arena.series import arms
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.cli.options import BUDGET, ESTIMATED, GAME, count, option, options
from baycarp.cli.output import as_json, grid
from baycarp.cli.runs import journalled, own_folder, run_plan
from experiments.decisions.times import decision_times

HERO = "the arm"
"""The name of all arms at the table, so that a player cannot distinguish them by name."""

TIMED = 30
"""Hands over which decisions are timed."""

PLACE = options(
    option(
        "--table",
        nargs="+",
        metavar="AGENT",
        default=list(TABLE),
        help="the other players, or a table's name: people (default: the seven of baycarp table)",
    ),
    GAME,
    BUDGET,
    ESTIMATED,
)
"""Options of the place that agents take in turn."""

add = options(
    option("agents", nargs="+", metavar="AGENT", help="compared with the first; NAME=AGENT names it"),
    option("--deals", type=count, default=100, help="each played in all seatings"),
    PLACE,
    journalled(own_folder("ablation")),
)


def place(args: Namespace, spec: str) -> Table:
    """The table, with one agent in that place."""
    others, field = named(args.table)
    variant, players = variant_of(args.game or "", 1 + len(field)), (HERO, *others)
    return Table(variant, players, (spec, *field), args.seed, args.budget, estimators=args.estimators)


def judge(args: Namespace) -> str:
    """The estimator that judges: the first, since a choice of the narrowest would favour one result."""
    return str((*args.estimators, NET)[0])


class ArmsPlan(SeriesPlan[Results]):
    """The deals of some arms that are to be played."""

    __slots__ = ()

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Results:
        """Play what the journal in a folder lacks."""
        return self.play(folder, workers, tick)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the table."""
    names, specs = named(args.agents)
    series = arms(place(args, specs[0]), specs)
    played, _ = run_plan(args, ArmsPlan(series, args.deals))
    times = [decision_times(match.table, TIMED) for match in series.matches]
    show(args, names, series.scores(played), times)
    return 0


def show(
    args: Namespace, names: tuple[str, ...], scored: tuple[Scores, ...], times: list[NDArray[np.float64]]
) -> None:
    """Print one row an arm: win rate by the judge, difference to the first, time of a decision."""
    unit, seats = scored[0].unit, scored[0].seatings
    won = [scores.won(HERO, judge(args)) for scores in scored]
    rates = [scores.rate(HERO, judge(args)) for scores in scored]
    differences = [interval(arm - won[0], seats, unit) for arm in won]
    rows = list(zip(names, rates, differences, times, strict=True))
    if args.json:
        print(as_json({"unit": unit, "judge": judge(args), "arms": [_to_dict(*row) for row in rows]}))
        return
    hands = f"{rates[0].n} hands an arm, {len(won[0])} deals in {seats} seatings each"
    print(f"{unit} ({judge(args)}) over {hands}")
    print("95 % intervals; differences deal by deal; of the times the median and the 99th percentile")
    table = grid("agent", "won", "more than the first", "significant", "ms a decision")
    for arm, (name, rate, more, seconds) in enumerate(rows):
        apart = "yes" if abs(more.mean) > more.margin else "no"
        compared = (more.cell(), apart) if arm else ("-", "-")
        table.add_row(name, rate.cell(), *compared, "{:.1f} / {:.1f}".format(*_milliseconds(seconds)))
    Console().print(table)


def _milliseconds(seconds: NDArray[np.float64]) -> list[float]:
    """Median and 99th percentile; 0 where nothing had to be decided."""
    return list(map(float, 1000 * np.percentile(seconds, (50, 99)))) if len(seconds) else [0.0, 0.0]


def _to_dict(name: str, rate: Rate, difference: Rate, seconds: NDArray[np.float64]) -> dict[str, Any]:
    median, late = _milliseconds(seconds)
    return {
        "agent": name,
        "won": rate.to_dict(),
        "more than the first": difference.to_dict(),
        "ms a decision": {"median": median, "p99": late, "decisions": len(seconds)},
    }
