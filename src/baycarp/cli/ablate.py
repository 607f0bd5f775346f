"""Seat one agent after the other in the same place, on the same decks, and compare them in one table."""

import argparse
import json
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import TABLE
from baycarp.arena.ablation import arms, decision_times
from baycarp.arena.measure import Rate, interval
from baycarp.arena.scores import NET, Scores
from baycarp.arena.series import play_in_series
from baycarp.arena.session import Table
from baycarp.budget import Budget
from baycarp.cli.grids import add_numbers
from baycarp.cli.match import named, rate_to_dict
from baycarp.cli.options import add_estimators, count
from baycarp.cli.runs import add_run, play_rounds
from baycarp.game.variant import Variant

HERO = "the arm"
"""The name of all arms at the table, so that a player cannot distinguish them by name."""

TIMED = 30
"""Hands over which decisions are timed."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="to be compared with the first; NAME=AGENT names it"
    )
    parser.add_argument(
        "--deals", type=count, default=100, help="each played in all seatings (default: %(default)s)"
    )
    add_place(parser)
    add_run(parser, "ablation")


def add_place(parser: argparse.ArgumentParser) -> None:
    """Name the options of the place that agents take in turn."""
    parser.add_argument(
        "--table",
        nargs="+",
        metavar="AGENT",
        default=list(TABLE),
        help="the other players at the table (default: the seven of baycarp table)",
    )
    parser.add_argument("--game", help="a shipped game or a .game file (default: limit)")
    parser.add_argument(
        "--playouts", type=count, help="a budget for every decision, instead of the agents' own"
    )
    add_estimators(parser)


def place(args: argparse.Namespace, spec: str) -> Table:
    """The table, with one agent in that place."""
    others, field = named(args.table)
    game = Variant.load(args.game) if args.game else Variant.ring(1 + len(field))
    budget = Budget(playouts=args.playouts) if args.playouts else None
    return Table(game, (HERO, *others), (spec, *field), args.seed, budget, estimators=args.estimators)


def run(args: argparse.Namespace) -> int:
    """Play what is missing and show the table."""
    names, specs = named(args.agents)
    series = arms(place(args, specs[0]), specs)
    played = play_rounds(
        args,
        partial(play_in_series, series),
        series.header(),
        series.rounds(args.deals),
        series.hands(args.deals),
    )
    if played is not None:
        times = [decision_times(match.table, TIMED) for match in series.matches]
        judge = (*args.estimators, NET)[0]  # named beforehand, as in a match
        show(args.json, names, series.scores(played), times, judge)
    return 0


def show(
    as_json: bool,
    names: tuple[str, ...],
    scored: tuple[Scores, ...],
    times: list[NDArray[np.float64]],
    judge: str = NET,
) -> None:
    """Print one row an arm: win rate by the judge, difference to the first, time of a decision."""
    won = [scores.won(HERO, judge) for scores in scored]
    rates = [scores.rate(HERO, judge) for scores in scored]
    differences = [interval(arm - won[0], scored[0].seatings, scored[0].unit) for arm in won]
    if as_json:
        rows = zip(names, rates, differences, times, strict=True)
        print(json.dumps({"unit": scored[0].unit, "judge": judge, "arms": [_to_dict(*row) for row in rows]}))
        return
    deals, seats = len(won[0]), scored[0].seatings
    print(
        f"{scored[0].unit} ({judge}) over {rates[0].n} hands an arm, {deals} deals in {seats} seatings each"
    )
    print("95 % intervals; differences deal by deal; of the times the median and the 99th percentile")
    grid = Grid(box=SIMPLE, padding=(0, 2, 0, 0))
    grid.add_column("agent")
    add_numbers(grid, ("won", "more than the first", "significant", "ms a decision"))
    for arm, name in enumerate(names):
        more = differences[arm]
        apart = "-" if not arm else "yes" if abs(more.mean) > more.margin else "no"
        grid.add_row(name, rates[arm].cell(), more.cell() if arm else "-", apart, _milliseconds(times[arm]))
    Console().print(grid)


def _milliseconds(seconds: NDArray[np.float64]) -> str:
    median, late = _percentiles(seconds)
    return f"{median:.1f} / {late:.1f}"


def _percentiles(seconds: NDArray[np.float64]) -> tuple[float, float]:
    """Median and 99th percentile in milliseconds; 0 where nothing had to be decided."""
    median, late = 1000 * np.percentile(seconds, (50, 99)) if len(seconds) else (0.0, 0.0)
    return float(median), float(late)


def _to_dict(name: str, rate: Rate, difference: Rate, seconds: NDArray[np.float64]) -> dict[str, Any]:
    median, late = _percentiles(seconds)
    return {
        "agent": name,
        "won": rate_to_dict(rate),
        "more than the first": rate_to_dict(difference),
        "ms a decision": {"median": median, "p99": late, "decisions": len(seconds)},
    }
