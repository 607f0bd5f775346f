"""Round robin: every agent plays every other, at tables of two, three or more, all on the same decks."""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from baycarp.arena.journal import Unit
from baycarp.arena.match import Match, seatings
from baycarp.arena.ranking import Results
from baycarp.arena.scores import NET
from baycarp.arena.series import Series
from baycarp.arena.session import HANDS, Played, Table
from baycarp.errors import TableError
from baycarp.game.variant import Variant

__all__ = ["Game", "groups", "results", "round_robin"]

Game = tuple[int, ...]
"""The agents of one game, by number."""


def groups(agents: int, seats: int, most: int | None = None, seed: int = 0) -> tuple[Game, ...]:
    """The groups of agents that play together: all of one size, or a draw in which all play equally often.

    Parameters
    ----------
    agents
        How many there are.
    seats
        Of a table.
    most
        Groups at most; None = all that there are.
    seed
        Fixes the draw.

    Raises
    ------
    TableError
        Fewer agents than seats, or too few groups for every agent to play.

    Examples
    --------
    >>> groups(3, 2)
    ((0, 1), (0, 2), (1, 2))
    >>> groups(9, 6, most=3)
    ((2, 3, 4, 5, 7, 8), (0, 1, 2, 3, 5, 6), (0, 1, 4, 6, 7, 8))
    """
    if agents < seats:
        raise TableError(f"{agents} agents: expected at least {seats}, the seats of a table")
    if most is None or most >= math.comb(agents, seats):
        return tuple(itertools.combinations(range(agents), seats))
    if most * seats < agents:
        raise TableError(f"{most} groups of {seats}: expected enough for {agents} agents to play")
    draw = random.Random(seed)
    drawn: dict[Game, None] = {}
    games = [0] * agents
    while len(drawn) < most:
        least = sorted(range(agents), key=lambda agent: (games[agent], draw.random()))[:seats]
        group = tuple(sorted(least))
        while group in drawn:  # then any other will do
            group = tuple(sorted(draw.sample(range(agents), seats)))
        drawn[group] = None
        for agent in group:
            games[agent] += 1
    return tuple(drawn)


def round_robin(
    variant: Variant,
    players: Sequence[str],
    specs: Sequence[str],
    games: Sequence[Game],
    hands: int = HANDS,
    **conditions: Any,
) -> Series:
    """The matches of a tournament, one a game.

    Parameters
    ----------
    variant
        The rules of every table.
    players, specs
        Names and specifications of the agents.
    games
        The agents of each game, see ``groups``.
    hands
        Of a session.
    conditions
        What all tables share, as in ``arena.session.Table``: seed, budget, stacks, estimators.

    Examples
    --------
    >>> game = Variant.load("holdem.limit.2p.reverse_blinds")
    >>> players, specs = ("a", "b", "c"), ("call", "call", "raise")
    >>> series = round_robin(game, players, specs, groups(3, 2), hands=4)
    >>> [match.table.players for match in series.matches]
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    seated = (([players[agent] for agent in game], [specs[agent] for agent in game]) for game in games)
    tables = (Table(variant, tuple(names), tuple(own), **conditions) for names, own in seated)
    return Series(tuple(Match(table, seatings(variant.seats), hands) for table in tables))


def results(
    series: Series,
    players: Sequence[str],
    games: Sequence[Game],
    played: Mapping[Unit, Played],
    judge: str = NET,
) -> Results:
    """The results of a round robin by one estimator, for the ranking."""
    scored = series.scores(played)
    blocks = tuple(scores.blocks[judge] for scores in scored)
    return Results(tuple(players), tuple(games), blocks, scored[0].unit, scored[0].seatings, judge)
