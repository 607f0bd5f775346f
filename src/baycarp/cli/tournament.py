"""Play a round robin: cross table, total bankroll and instant run-off, and how sure the order is."""

from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Rate
from baycarp.arena.names import named
from baycarp.arena.ranking import RULES, Ranking, Results, rank_agents
from baycarp.arena.tournament import Conditions, groups, results, round_robin
from baycarp.cli.options import BUDGET, ESTIMATED, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json, console, drawn, grid
from baycarp.cli.runs import game, journalled, judge, play_series, verify_programs
from baycarp.draw import save_cross_table
from baycarp.errors import TableError

add = options(
    option("agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"),
    GAME,
    option("--seats", type=count, default=2, help="of a table"),
    option("--groups", type=count, help="draw this number of groups (default: all)"),
    option("--deals", type=count, default=1000, help="of every group, in all seatings"),
    STACKS,
    BUDGET,
    option("--resamples", type=count, default=1000, help="orders drawn by the bootstrap"),
    ESTIMATED,
    journalled("tournament"),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the ranking."""
    players, specs = named(args.agents)
    variant = game(args, args.seats)
    games = groups(len(players), variant.seats, args.groups, args.seed)
    conditions = Conditions(variant, args.seed, args.budget, args.stacks, args.estimators)
    series = round_robin(conditions, players, specs, games)
    verify_programs(variant, specs)
    played = play_series(args, series, args.deals)
    if played is not None:
        show(results(series, players, games, played, judge(args)), args)
    return 0


def show(results: Results, args: Namespace) -> None:
    """Print the cross table and both rankings, and draw the table."""
    rankings, why = [], []
    for rule in RULES:
        try:
            rankings.append(rank_agents(results, rule, args.resamples, args.seed))
        except TableError as error:
            why.append(f"no {rule}: {error}")
    picture = _draw(results, rankings[0].order, args)
    if args.json:
        print(as_json(to_dict(results, rankings)))
        return
    hands = results.deals * results.seatings
    unit = f"{results.unit} ({results.judge})"
    print(f"{unit} won by the row against the column, {hands} hands of each game, 95 % intervals")
    console(24 + 10 * len(results.agents)).print(_cross_table(results, rankings[0]))
    for ranking in rankings:
        Console().print(_order(ranking))
        print(_verdict(ranking))
    print(*why, picture, sep="\n")


def _cross_table(results: Results, ranking: Ranking) -> Grid:
    """Win rate of each row against each column, all agents in the order of the ranking."""
    table = grid("", "", *(str(1 + place) for place in range(len(results.agents))), "all")
    for place, agent in enumerate(ranking.order, 1):
        cells = [results.against(agent, other) for other in ranking.order]
        table.add_row(str(place), results.agents[agent], *map(_cell, [*cells, ranking.rate(agent)]))
    return table


def _cell(rate: Rate | None) -> str:
    if rate is None:
        return ""
    return rate.cell(0 if rate.unit == "mbb/h" else 3).replace(" ± ", "\n±")


def _order(ranking: Ranking) -> Grid:
    """The place of each agent, its winnings in its last round, and its places in the bootstrap."""
    results, last = ranking.results, "" if len(ranking.rounds) == 1 else " in its last round"
    titles = ("place", "agent", f"{results.unit}{last}", "share of the orders drawn, by place")
    table = grid(*titles, words=titles, title=ranking.rule)
    for agent in ranking.order:
        likely = [(share, place) for place, share in enumerate(ranking.shares[agent], 1) if share >= 0.005]
        shares = ", ".join(f"{place}: {share:.0%}" for share, place in sorted(likely, reverse=True))
        rate = _cell(ranking.rate(agent)).replace("\n", " ")
        table.add_row(str(ranking.places[agent]), results.agents[agent], rate, shares)
    return table


def _verdict(ranking: Ranking) -> str:
    if ranking.winner is not None:
        return f"{ranking.rule}: {ranking.winner} won"
    hands = ranking.results.deals * ranking.results.seatings
    return f"{ranking.rule}: no winner; {hands} hands of each game show no significant lead"


def _draw(results: Results, order: list[int], args: Namespace) -> str:
    """Draw the cross table where matplotlib is installed; the line to print about it."""
    rates = np.full((2, len(order), len(order)), np.nan)
    for row, agent in enumerate(order):
        for column, other in enumerate(order):
            if (rate := results.against(agent, other)) is not None:
                rates[:, row, column] = rate.mean, rate.margin
    names = [results.agents[agent] for agent in order]
    draw = partial(save_cross_table, names, rates[0], rates[1], results.unit)
    return drawn("the cross table", args.out / "cross-table.png", draw)


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
            [rate and rate.to_dict() for rate in (results.against(agent, other) for other in agents)]
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
                **ranking.rate(agent).to_dict(),
                "share by place": ranking.shares[agent].tolist(),
            }
            for agent in ranking.order
        ],
        "rounds": [
            {names[agent]: float(won) for agent, won in zip(round.pool, round.bankrolls, strict=True)}
            for round in ranking.rounds
        ],
    }
