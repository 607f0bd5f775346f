"""Play a duplicate match: the same cards in every seating, win rates and differences with intervals."""

import argparse
import json
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import isfinite
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.measure import Rate
from baycarp.arena.report import Report, report
from baycarp.arena.run import Results
from baycarp.arena.scores import NET, Scores, scores
from baycarp.arena.sequential import Until
from baycarp.arena.session import Table
from baycarp.budget import Budget
from baycarp.cli.figures import show_figures, statistics
from baycarp.cli.options import add_estimators, count
from baycarp.cli.runs import add_run, play_rounds
from baycarp.errors import TableError
from baycarp.game.variant import Variant


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"
    )
    parser.add_argument(
        "--game", help="a shipped game or a .game file (default: the limit game of so many seats)"
    )
    parser.add_argument(
        "--deals", type=count, default=1000, help="each played in all seatings (default: %(default)s)"
    )
    parser.add_argument("--until", metavar="'A>B @95%'", help="stop when a sequential test decides it")
    parser.add_argument(
        "--stacks", choices=("reset", "carried"), default="reset", help="what a hand begins with"
    )
    parser.add_argument(
        "--playouts", type=count, help="a budget for every decision, instead of the agents' own"
    )
    add_estimators(parser)
    parser.add_argument(
        "--full", action="store_true", help="also VPIP, PFR, aggression, acts by street, chips by hand type"
    )
    add_run(parser, "match")


def run(args: argparse.Namespace) -> int:
    """Play what is missing and show what it came to."""
    players, specs = named(args.agents)
    if len(specs) < 2:
        raise TableError(f"{', '.join(players)} alone: expected two agents or more")
    game = Variant.load(args.game) if args.game else Variant.ring(len(specs))
    budget = Budget(playouts=args.playouts) if args.playouts else None
    table = Table(game, players, specs, args.seed, budget, args.stacks, args.estimators)
    match = Match(table, seatings(len(players)))
    until = Until.parse(args.until) if args.until else None
    if until is not None and not {until.one, until.other} <= set(players):
        raise TableError(f"until {args.until!r}: expected two of {', '.join(players)}")

    judge = (*args.estimators, NET)[0]  # named beforehand: whichever comes out narrowest would be a choice

    def enough(results: Results) -> bool:
        return until is not None and _settled(until, scores(game, players, results), judge)

    results = play_rounds(
        args,
        partial(play_unit, match),
        match.header(),
        match.rounds(args.deals),
        args.deals * len(match.seatings),
        enough,
    )
    if results is not None:
        scored, counted = scores(game, players, results), report(table, list(results.values()))
        if args.json:
            print(json.dumps(to_dict(scored, counted, judge)))
        else:
            show(scored, counted, judge, args.full)
            if until is not None:
                settled = _settled(until, scored, judge)
                print(f"{'settled' if settled else 'not settled'} at {until.level:.0%} ({judge})")
    return 0


def named(agents: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications; a name that comes again is numbered.

    Examples
    --------
    >>> named(["karma", "karma", "Bob=rule"])
    (('karma', 'karma-2', 'Bob'), ('karma', 'karma', 'rule'))
    """
    names: list[str] = []
    specs = []
    for agent in agents:
        name, equals, spec = agent.partition("=")
        if not equals or "(" in name:
            name, spec = agent, agent
        again = sum(other == name or other.startswith(f"{name}-") for other in names)
        names.append(f"{name}-{again + 1}" if again else name)
        specs.append(spec)
    return tuple(names), tuple(specs)


def _settled(until: Until, scores: Scores, judge: str) -> bool:
    return until.settled(scores.won(until.one, judge) - scores.won(until.other, judge))


def show(scores: Scores, counted: Report, judge: str, full: bool) -> None:
    """Print statistics, rates by every estimator, and the differences by the one that judges."""
    console = Console()
    deals = len(scores.blocks[NET])
    console.print(
        f"{deals} deals in {scores.seatings} seatings: {deals * scores.seatings} hands; {scores.unit}, 95 %"
    )
    won = [scores.rate(player).cell() for player in scores.players]
    console.print(statistics(scores.players, counted.tallies, won, scores.unit))
    if len(scores.blocks) > 1:
        console.print(_estimates(scores))
    if full:
        show_figures(console, counted, scores.players[0])
    for player, tally in zip(scores.players, counted.tallies, strict=True):
        if tally.faults:
            console.print(
                f"{player} lost hands by: {', '.join(f'{n} {why}' for why, n in tally.faults.items())}"
            )
    for one, other in combinations(scores.players, 2):
        difference = scores.difference(one, other, judge).cell()
        console.print(f"{one} - {other}: {difference}  {scores.verdict(one, other, judge)}")


def _estimates(scores: Scores) -> Grid:
    """Every estimate beside the chips."""
    grid = Grid(box=SIMPLE)
    grid.add_column("player")
    for name in scores.blocks:
        grid.add_column("won" if name == NET else name, justify="right", no_wrap=True)
    for player in scores.players:
        grid.add_row(player, *(scores.rate(player, name).cell() for name in scores.blocks))
    return grid


def to_dict(scores: Scores, counted: Report, judge: str) -> dict[str, Any]:
    """Everything that is printed, in what JSON can hold."""
    return {
        "deals": len(scores.blocks[NET]),
        "seatings": scores.seatings,
        "unit": scores.unit,
        "judge": judge,
        "players": {
            player: {name: rate_to_dict(scores.rate(player, name)) for name in scores.blocks}
            | {"counts": tally.to_dict()}
            for player, tally in zip(scores.players, counted.tallies, strict=True)
        },
        "differences": [
            {
                "players": [one, other],
                "verdict": scores.verdict(one, other, judge),
                **{name: rate_to_dict(scores.difference(one, other, name)) for name in scores.blocks},
            }
            for one, other in combinations(scores.players, 2)
        ],
    }


def rate_to_dict(rate: Rate) -> dict[str, float | int | None]:
    """A rate, with None where there is no interval."""
    return {
        "mean": rate.mean if isfinite(rate.mean) else None,
        "margin": rate.margin if isfinite(rate.margin) else None,
        "hands": rate.n,
    }
