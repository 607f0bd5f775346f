"""Round robins: ``baycarp.tournament`` plays every agent against every other, and ranks them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from rich.console import RenderableType
from rich.table import Table as Grid

from baycarp.api.players import Agents, names_and_specs, variant_of, verify_programs
from baycarp.api.printing import Console, as_text, grid, show
from baycarp.api.result import Record, Result
from baycarp.api.settings import PlayOptions, PlaySettings, SeriesPlan, carry_out, settings_of, with_settings
from baycarp.arena.measure import Rate
from baycarp.arena.ranking import RULES, Ranking, Results, rank_agents
from baycarp.arena.scores import NET
from baycarp.arena.tournament import Game, groups, results, round_robin
from baycarp.arena.workers import Workers
from baycarp.draw import drawable, save_cross_table
from baycarp.errors import TableError, brief
from baycarp.game.variant import Variant

__all__ = ["TournamentPlan", "TournamentResult", "TournamentSettings", "tournament"]


@dataclass(frozen=True, slots=True, repr=False)
class TournamentResult(Result):
    """The results of a round robin and the rankings by total bankroll and instant run-off.

    Parameters
    ----------
    results
        Winnings by game and deal.
    rankings
        By rule.
    why
        Of a rule without a ranking, the reason.
    """

    results: Results
    rankings: tuple[Ranking, ...]
    why: tuple[str, ...] = ()

    @classmethod
    def of(cls, results: Results, resamples: int, seed: int) -> "TournamentResult":
        """The rankings by all rules; ``resamples`` orders are drawn by the bootstrap."""
        rankings, why = list[Ranking](), list[str]()
        for rule in RULES:
            try:
                rankings.append(rank_agents(results, rule, resamples, seed))
            except TableError as error:
                why.append(f"no {rule}: {error}")
        return cls(results, tuple(rankings), tuple(why))

    @property
    def winner(self) -> str | None:
        """The winner by the first rule, where its lead is significant."""
        return self.rankings[0].winner

    def title(self) -> str:
        """The result in a line."""
        hands = self.results.deals * self.results.seatings
        first = self.rankings[0]
        leader = self.results.agents[first.order[0]]
        lead = "won" if first.winner else "leads without significance"
        return f"{len(self.results.agents)} agents, {hands} hands of each game: {leader} {lead}"

    def parts(self) -> Iterable[RenderableType]:
        """The cross table, the rankings and their winners."""
        results, hands = self.results, self.results.deals * self.results.seatings
        unit = f"{results.unit} ({results.judge})"
        yield f"{unit} won by the row against the column, {hands} hands of each game, 95 % intervals"
        yield _cross_table(results, self.rankings[0])
        for ranking in self.rankings:
            yield _order(ranking)
            yield _verdict(ranking)
        yield from self.why

    def show(self, console: Console | None = None) -> None:
        """Print on a console that the cross table is not cut by."""
        console = console or Console()
        show(Console(width=max(console.width, self._width()), file=console.file), self.parts())

    def _width(self) -> int:
        return 24 + 10 * len(self.results.agents)

    def to_records(self) -> list[Record]:
        """One record an agent, in the order of the first ranking: its places and its win rate."""
        first = self.rankings[0]
        return [
            {
                "agent": self.results.agents[agent],
                **{ranking.rule: int(ranking.places[agent]) for ranking in self.rankings},
                "rate": first.rate(agent).mean,
                "margin": first.rate(agent).margin,
            }
            for agent in first.order
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything that is printed, as JSON values."""
        results, agents = self.results, range(len(self.results.agents))
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
            **{ranking.rule: _ranking_to_dict(ranking) for ranking in self.rankings},
        }

    def draw(self, path: Path | str) -> None:
        """Draw the cross table; formats and errors are those of ``MatchResult.draw``."""
        results, order = self.results, self.rankings[0].order
        rates = np.full((2, len(order), len(order)), np.nan)
        for row, agent in enumerate(order):
            for column, other in enumerate(order):
                if (rate := results.against(agent, other)) is not None:
                    rates[:, row, column] = rate.mean, rate.margin
        names = [results.agents[agent] for agent in order]
        save_cross_table(names, rates[0], rates[1], results.unit, drawable(Path(path)))

    def __str__(self) -> str:
        return as_text(self.parts(), max(100, self._width()))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettings(PlaySettings):
    """The settings of ``tournament``, given there by name; the others are those of ``PlaySettings``.

    Parameters
    ----------
    seats
        Of a table.
    groups
        The number of groups that are drawn; None = all.
    resamples
        Orders drawn by the bootstrap.
    """

    seats: int = 2
    groups: int | None = None
    resamples: int = 1000


class TournamentOptions(PlayOptions, total=False):
    """The names and types of ``TournamentSettings``."""

    seats: int
    groups: int | None
    resamples: int


@dataclass(frozen=True, slots=True)
class TournamentPlan(SeriesPlan[TournamentResult]):
    """A tournament to be played, and how its units become a result.

    Parameters
    ----------
    players
        Names.
    games
        The agents of each game, which is a match of the series.
    settings
        Of the ranking: resamples, seed, and the estimator that judges.
    """

    players: tuple[str, ...]
    games: tuple[Game, ...]
    settings: TournamentSettings

    @classmethod
    def of(
        cls, agents: Agents, game: str | Variant, deals: int, settings: TournamentSettings
    ) -> "TournamentPlan":
        """The plan of agents, verified before anything is played; see ``tournament`` for the errors."""
        if deals < 1:
            raise TableError(f"deals {brief(deals)}: expected at least 1")
        players, specs = names_and_specs(agents, settings.workers)
        variant = variant_of(game, settings.seats)
        games = groups(len(players), variant.seats, settings.groups, settings.seed)
        series = round_robin(variant, players, specs, games, **settings.conditions)
        verify_programs(variant, specs)
        return cls(series, deals, players, games, settings)

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> TournamentResult:
        """Play what the journal in a folder lacks, and rank the agents."""
        own = self.settings
        played = self.play(folder, workers, tick)
        found = results(self.series, self.players, self.games, played, (*own.estimators, NET)[0])
        return TournamentResult.of(found, own.resamples, own.seed)


@with_settings(TournamentSettings)
def tournament(
    agents: Agents, game: str | Variant = "", deals: int = 1000, **settings: Unpack[TournamentOptions]
) -> TournamentResult:
    """Play a round robin on the same cards at all tables, and rank the agents.

    Parameters
    ----------
    agents
        Specifications, each ``AGENT`` or ``NAME=AGENT``, or agents; or both by name; two or more.
    game
        The name or the file of a game, or its rules; empty = fixed limit for ``seats`` players.
    deals
        Of every group, in all seatings.
    settings
        By name, those of ``TournamentSettings``:

    Raises
    ------
    TableError, ArgumentError, ModelError, JournalError
        As of ``match``; also fewer agents than seats.

    Examples
    --------
    >>> result = tournament(["rule", "call", "raise"], deals=20, seed=3)
    >>> [record["agent"] for record in result.to_records()]
    ['rule', 'raise', 'call']
    """
    own = settings_of(TournamentSettings, settings, tournament)
    return carry_out(TournamentPlan.of(agents, game, deals, own), own, own.out)
