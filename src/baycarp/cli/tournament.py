"""Play a round robin: cross table, total bankroll and instant run-off, and how sure the order is."""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Rate
from baycarp.arena.ranking import RULES, Ranking, Results, rank_agents
from baycarp.arena.scores import NET
from baycarp.arena.series import play_in_series
from baycarp.arena.tournament import Conditions, groups, results, round_robin
from baycarp.budget import Budget
from baycarp.cli.match import named, rate_to_dict
from baycarp.cli.options import add_estimators, count
from baycarp.cli.runs import add_run, play_rounds
from baycarp.draw import save_cross_table
from baycarp.errors import TableError
from baycarp.game.variant import Variant


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"
    )
    parser.add_argument("--game", help="a shipped game or a .game file (default: limit, for --seats players)")
    parser.add_argument("--seats", type=count, default=2, help="of a table (default: %(default)s)")
    parser.add_argument("--groups", type=count, help="draw so many groups (default: all that there are)")
    parser.add_argument(
        "--deals", type=count, default=1000, help="of every group, in all seatings (default: %(default)s)"
    )
    parser.add_argument(
        "--stacks", choices=("reset", "carried"), default="reset", help="what a hand begins with"
    )
    parser.add_argument(
        "--playouts", type=count, help="a budget for every decision, instead of the agents' own"
    )
    parser.add_argument(
        "--resamples", type=count, default=1000, help="orders drawn by the bootstrap (default: %(default)s)"
    )
    add_estimators(parser)
    add_run(parser, "tournament")


def run(args: argparse.Namespace) -> int:
    """Play what is missing and show the ranking."""
    players, specs = named(args.agents)
    game = Variant.load(args.game) if args.game else Variant.ring(args.seats)
    budget = Budget(playouts=args.playouts) if args.playouts else None
    games = groups(len(players), game.seats, args.groups, args.seed)
    conditions = Conditions(game, args.seed, budget, args.stacks, args.estimators)
    series = round_robin(conditions, players, specs, games)
    played = play_rounds(
        args,
        partial(play_in_series, series),
        series.header(),
        series.rounds(args.deals),
        series.hands(args.deals),
    )
    if played is not None:
        show(results(series, players, games, played, (*args.estimators, NET)[0]), args)
    return 0


def show(results: Results, args: argparse.Namespace) -> None:
    """Print the cross table and both rankings, and draw the table."""
    rankings, why = [], ""
    for rule in RULES:
        try:
            rankings.append(rank_agents(results, rule, args.resamples, args.seed))
        except TableError as error:
            why = f"no {rule}: {error}"
    if args.json:
        print(json.dumps(to_dict(results, rankings)))
    else:
        wide = Console(width=max(Console().width, 24 + 10 * len(results.agents)))  # nothing is cut
        hands = results.deals * results.seatings
        unit = f"{results.unit} ({results.judge})"
        print(f"{unit} won by the row against the column, {hands} hands of each game, 95 % intervals")
        wide.print(_cross_table(results, rankings[0]))
        for ranking in rankings:
            Console().print(_order(ranking))
            print(_verdict(ranking))
        if why:
            print(why)
    picture = _draw(results, rankings[0].order, args.out / "cross-table.png")
    if not args.json:
        print(picture)


def _cross_table(results: Results, ranking: Ranking) -> Grid:
    """Win rate of each row against each column, all agents in the order of the ranking."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    grid.add_column("")
    grid.add_column("", no_wrap=True)
    for place in range(1, len(results.agents) + 1):
        grid.add_column(str(place), justify="right", no_wrap=True)
    grid.add_column("all", justify="right", no_wrap=True)
    for place, agent in enumerate(ranking.order, 1):
        cells = [results.against(agent, other) for other in ranking.order]
        grid.add_row(str(place), results.agents[agent], *map(_cell, [*cells, ranking.rate(agent)]))
    return grid


def _cell(rate: Rate | None) -> str:
    if rate is None:
        return ""
    return rate.cell(0 if rate.unit == "mbb/h" else 3).replace(" ± ", "\n±")


def _order(ranking: Ranking) -> Grid:
    """The place of each agent, its winnings in its last round, and its places in the bootstrap."""
    results, last = ranking.results, "" if len(ranking.rounds) == 1 else " in its last round"
    grid = Grid(title=ranking.rule, box=SIMPLE, padding=(0, 2, 0, 0))
    for title in ("place", "agent", f"{results.unit}{last}", "share of the orders drawn, by place"):
        grid.add_column(title)
    for agent in ranking.order:
        likely = [(share, place) for place, share in enumerate(ranking.shares[agent], 1) if share >= 0.005]
        shares = ", ".join(f"{place}: {share:.0%}" for share, place in sorted(likely, reverse=True))
        rate = _cell(ranking.rate(agent)).replace("\n", " ")
        grid.add_row(str(ranking.places[agent]), results.agents[agent], rate, shares)
    return grid


def _verdict(ranking: Ranking) -> str:
    if ranking.winner is not None:
        return f"{ranking.rule}: {ranking.winner} won"
    hands = ranking.results.deals * ranking.results.seatings
    return f"{ranking.rule}: no winner; {hands} hands of each game show no significant lead"


def _draw(results: Results, order: list[int], path: Path) -> str:
    """Draw the cross table where matplotlib is installed; the line to print about it."""
    rates = np.full((2, len(order), len(order)), np.nan)
    for row, agent in enumerate(order):
        for column, other in enumerate(order):
            if (rate := results.against(agent, other)) is not None:
                rates[:, row, column] = rate.mean, rate.margin
    try:
        save_cross_table([results.agents[agent] for agent in order], rates[0], rates[1], results.unit, path)
    except ImportError as hint:
        return str(hint)
    return f"the cross table: {path}"


def to_dict(results: Results, rankings: list[Ranking]) -> dict[str, Any]:
    """Everything that is printed, in what JSON can hold."""
    agents = range(len(results.agents))
    return {
        "unit": results.unit,
        "judge": results.judge,
        "deals": results.deals,
        "seatings": results.seatings,
        "agents": list(results.agents),
        "groups": [list(game) for game in results.games],
        "cross table": [
            [rate and rate_to_dict(rate) for rate in (results.against(agent, other) for other in agents)]
            for agent in agents
        ],
        **{ranking.rule: _ranking_to_dict(ranking) for ranking in rankings},
    }


def _ranking_to_dict(ranking: Ranking) -> dict[str, Any]:
    names = ranking.results.agents
    return {
        "winner": ranking.winner,
        "order": [
            {
                "place": int(ranking.places[agent]),
                "agent": names[agent],
                **rate_to_dict(ranking.rate(agent)),
                "share by place": ranking.shares[agent].tolist(),
            }
            for agent in ranking.order
        ],
        "rounds": [
            {names[agent]: float(won) for agent, won in zip(round.pool, round.bankrolls, strict=True)}
            for round in ranking.rounds
        ],
    }
