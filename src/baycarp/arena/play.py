"""Matches from Python: ``baycarp.match`` plays one, and its result prints, draws itself and gives rows."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any, get_args

from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.measure import Rate
from baycarp.arena.names import named
from baycarp.arena.report import Report, report
from baycarp.arena.run import Results, run
from baycarp.arena.scores import NET, Scores, scores
from baycarp.arena.session import Stacks, Table
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.errors import TableError
from baycarp.game.variant import Variant

__all__ = ["MatchResult", "MatchSettings", "match"]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a duplicate match.

    Parameters
    ----------
    scores
        Winnings by player and deal.
    counts
        Statistics of the players.
    judge
        The estimator by which players are compared.
    """

    scores: Scores
    counts: Report
    judge: str

    @staticmethod
    def of(table: Table, results: Results) -> "MatchResult":
        """The result of all units of a match.

        Parameters
        ----------
        table
            Of the match.
        results
            Its whole rounds.
        """
        found = scores(table.variant, table.players, results)
        # The first estimator judges: a choice of the narrowest would favour one result.
        return MatchResult(found, report(table, list(results.values())), (*table.estimators, NET)[0])

    @property
    def players(self) -> tuple[str, ...]:
        """Their names."""
        return self.scores.players

    def rate(self, player: str, estimator: str | None = None) -> Rate:
        """The win rate of a player, with its 95 % interval over deals; by the judge unless one is named."""
        return self.scores.rate(player, estimator or self.judge)

    def difference(self, one: str, other: str, estimator: str | None = None) -> Rate:
        """The difference of two players' win rates, paired by deal."""
        return self.scores.difference(one, other, estimator or self.judge)

    def verdict(self, one: str, other: str) -> str:
        """The comparison in words: ``one > other`` where the interval of the difference excludes 0."""
        return self.scores.verdict(one, other, self.judge)

    def rows(self) -> list[dict[str, float | int | str]]:
        """One row a player, such as a data frame takes: statistics, win rate and half of its interval."""
        found = {row["player"]: row for row in self.counts.rows()}
        rates = ((player, self.rate(player)) for player in self.players)
        return [found[player] | {"rate": rate.mean, "margin": rate.margin} for player, rate in rates]

    def to_dict(self) -> dict[str, Any]:
        """Rates, differences and counts, as JSON values."""
        found = self.scores
        return {
            "deals": len(found.blocks[NET]),
            "seatings": found.seatings,
            "unit": found.unit,
            "judge": self.judge,
            "players": {
                player: {name: found.rate(player, name).to_dict() for name in found.blocks}
                | {"counts": tally.to_dict()}
                for player, tally in zip(found.players, self.counts.tallies, strict=True)
            },
            "differences": [
                {"players": [*pair], "verdict": self.verdict(*pair)}
                | {name: found.difference(*pair, name).to_dict() for name in found.blocks}
                for pair in combinations(found.players, 2)
            ],
        }

    def __str__(self) -> str:
        width = max(map(len, self.players))
        rates = [f"{player:<{width}}  {self.rate(player).cell()}" for player in self.players]
        verdicts = [self.verdict(*pair) for pair in combinations(self.players, 2)]
        return "\n".join([self._title(), *rates, *verdicts])

    def _title(self) -> str:
        deals, found = len(self.scores.blocks[NET]), self.scores
        return (
            f"{deals * found.seatings} hands, {deals} deals in {found.seatings} seatings; {found.unit}, 95 %"
        )

    def _repr_html_(self) -> str:
        """The rates as bars around 0, their intervals as lines, in a notebook."""
        rates = [self.rate(player) for player in self.players]
        most = max((abs(rate.mean) + rate.margin for rate in rates if isfinite(rate.margin)), default=0)
        rows = "".join(
            f"<tr><td>{escape(player)}</td><td>{rate.cell()}</td><td>{_bar(rate, most or 1.0)}</td></tr>"
            for player, rate in zip(self.players, rates, strict=True)
        )
        verdicts = "<br>".join(escape(self.verdict(*pair)) for pair in combinations(self.players, 2))
        return f"<table><caption>{escape(self._title())}</caption>{rows}</table><p>{verdicts}</p>"


def _bar(rate: Rate, most: float) -> str:
    """An SVG of a rate on a scale of -most to most."""
    if not isfinite(rate.margin):
        return ""
    middle, low, high = (
        100 + 95 * value / most for value in (rate.mean, rate.mean - rate.margin, rate.mean + rate.margin)
    )
    return (
        f'<svg width="200" height="14" role="img" aria-label="{escape(str(rate))}">'
        '<line x1="100" y1="0" x2="100" y2="14" stroke="currentColor" stroke-opacity="0.4"/>'
        f'<rect x="{min(100, middle):.1f}" y="3" width="{abs(middle - 100):.1f}" height="8" '
        'fill="#4477aa" fill-opacity="0.6"/>'
        f'<line x1="{low:.1f}" y1="7" x2="{high:.1f}" y2="7" stroke="currentColor" stroke-width="2"/></svg>'
    )


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The settings of ``match``, given there by name.

    Parameters
    ----------
    seed
        Of cards and players; the result is the same for any number of workers.
    estimators
        Unbiased estimators with less luck, such as ``("control",)``; the first one judges.
    budget
        Of every decision.
    stacks
        ``"reset"`` before every hand, or ``"carried"`` through a session.
    workers
        Processes.
    out
        A folder for the journal: a match that was interrupted, or a shorter one, is continued there, by
        ``baycarp match --out`` as well.
    tick
        Called with the number of hands played.
    """

    seed: int = 1
    estimators: Sequence[str] = ()
    budget: Budget | None = None
    stacks: Stacks = "reset"
    workers: int = 1
    out: Path | str | None = None
    tick: Callable[[int], None] = lambda hands: None

    def __post_init__(self) -> None:
        if self.stacks not in get_args(Stacks):
            raise TableError(f"stacks {self.stacks!r:.60}: expected one of {get_args(Stacks)}")
        if isinstance(self.estimators, str):
            raise TableError(f"estimators {self.estimators!r:.60}: expected several, not one text")


def match(
    agents: Sequence[str] | Mapping[str, str], game: str = "", deals: int = 1000, **settings: Any
) -> MatchResult:
    """Play a duplicate match: the same cards in every seating.

    Parameters
    ----------
    agents
        Specifications, each ``AGENT`` or ``NAME=AGENT``, or specifications by name; two or more.
    game
        The name or the file of a game; empty = fixed limit for this number of players.
    deals
        Each is played in all seatings.
    settings
        Of ``MatchSettings``: seed, estimators, budget, stacks, workers, out, tick.

    Raises
    ------
    TableError
        Fewer than two agents, one that cannot play the game, or settings out of their range.
    ModelError
        A specification that is no agent.
    JournalError
        A folder that holds another match.

    Examples
    --------
    >>> result = match(["call", "Bob=raise"], deals=20, seed=3)
    >>> result.players, result.scores.seatings
    (('call', 'Bob'), 2)
    >>> round(result.rate("call").mean + result.rate("Bob").mean, 9)
    0.0
    """
    if isinstance(agents, str):
        raise TableError(f"agents {agents!r:.60}: expected several, not one text")
    if deals < 1:
        raise TableError(f"deals {deals!r}: expected at least 1")
    if isinstance(agents, Mapping):
        players, specs = tuple(agents), tuple(agents.values())
    else:
        players, specs = named(agents)
    if len(specs) < 2:
        raise TableError(f"{', '.join(players) or 'no agent'} alone: expected two agents or more")
    own = MatchSettings(**settings)
    variant = Variant.load(game) if game else Variant.ring(len(specs))
    table = Table(variant, players, specs, own.seed, own.budget, own.stacks, tuple(own.estimators))
    played = Match(table, seatings(len(players)))
    journal = Journal(Path(own.out) / "whole.journal", played.header()) if own.out else nullcontext(None)
    with journal as records:
        play, workers = partial(play_unit, played), Workers(own.workers)
        results = run(play, played.rounds(deals), records, workers, own.tick)
    return MatchResult.of(table, results)
