"""Duplicate matches: ``baycarp.match`` plays one, and its result prints, draws itself and gives records."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any, Unpack

from rich.console import RenderableType

from baycarp.api.figures import statistics
from baycarp.api.players import Agents, names_and_specs, variant_of, verify_programs
from baycarp.api.printing import counted, grid
from baycarp.api.result import Record, Result
from baycarp.api.settings import Plan, PlayOptions, PlaySettings, carry_out, settings_of, with_settings
from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.measure import Rate
from baycarp.arena.protocol import PROTOCOLS, MatchProtocol
from baycarp.arena.report import Report, report
from baycarp.arena.run import Results, run
from baycarp.arena.scores import NET, Scores, scores
from baycarp.arena.sequential import Until
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.draw import drawable, save_rates
from baycarp.errors import TableError, brief, one_of
from baycarp.files import plain_text
from baycarp.game.variant import Variant

__all__ = ["MatchPlan", "MatchResult", "MatchSettings", "match"]


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Result):
    """The result of a duplicate match.

    Parameters
    ----------
    scores
        Winnings by player and deal.
    counts
        Statistics of the players.
    judge
        The estimator by which players are compared.
    until
        The sequential test, if there was one: whether it is settled is printed.
    """

    scores: Scores
    counts: Report
    judge: str
    until: Until | None = None

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

    @property
    def settled(self) -> bool:
        """Whether the sequential test has an answer; False without one."""
        test, won = self.until, self.scores.won
        return test is not None and test.settled(won(test.one, self.judge) - won(test.other, self.judge))

    def to_records(self) -> list[Record]:
        """One record a player: statistics, win rate and half of its interval."""
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

    def parts(self) -> Iterable[RenderableType]:
        """The statistics, rates by every estimator, and the differences by the one that judges."""
        found, tallies = self.scores, self.counts.tallies
        won = [found.rate(player).cell() for player in self.players]
        yield self.title()
        yield statistics(self.players, tallies, won, found.unit)
        if len(found.blocks) > 1:
            estimates = grid("player", *("won" if name == NET else name for name in found.blocks))
            for player in self.players:
                estimates.add_row(player, *(found.rate(player, name).cell() for name in found.blocks))
            yield estimates
        for player, tally in zip(self.players, tallies, strict=True):
            if tally.faults:
                yield f"{player} lost hands by: " + ", ".join(f"{n} {why}" for why, n in tally.faults.items())
        for pair in combinations(self.players, 2):
            yield f"{' - '.join(pair)}: {self.difference(*pair).cell()}  {self.verdict(*pair)}"
        if self.until is not None:
            settled = "settled" if self.settled else "not settled"
            yield f"{settled} at {self.until.level:.0%} ({self.judge}), by the test that holds at any time;"
            yield "intervals and verdicts above are for a number of hands that is fixed before"

    def draw(self, path: Path | str) -> None:
        """Draw the win rates by every estimator with their intervals, as PNG, SVG or PDF (``baycarp[viz]``).

        Raises
        ------
        PictureError
            Another ending.
        ImportError
            Without matplotlib.
        """
        names = [*self.scores.blocks]
        rates = {player: [self.rate(player, name) for name in names] for player in self.players}
        means = {player: [(rate.mean, rate.margin) for rate in each] for player, each in rates.items()}
        save_rates(means, names, drawable(Path(path)))

    def title(self) -> str:
        """The size of the match, and the unit of its rates."""
        deals, found = len(self.scores.blocks[NET]), self.scores
        return (
            f"{counted(deals, 'deal')} in {found.seatings} seatings: {deals * found.seatings} hands; "
            f"{found.unit}, 95 %"
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
        table = f"<table><caption>{escape(self.title())}</caption>{rows}</table>"
        return plain_text(f"{table}<p>{verdicts}</p>")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings(PlaySettings):
    """The settings of ``match``, given there by name; the others are those of ``PlaySettings``.

    Parameters
    ----------
    until
        A sequential test such as ``"karma>jake @95%"``: no deal is played after it is settled; empty = none.
    protocol
        Of ``arena.protocol.PROTOCOLS``: it fixes game, stacks, estimator and unit; empty = none.
    """

    until: str = ""
    protocol: str = ""


class MatchOptions(PlayOptions, total=False):
    """The names and types of ``MatchSettings``."""

    until: str
    protocol: str


@dataclass(frozen=True, slots=True)
class MatchPlan(Plan[MatchResult]):
    """A match to be played, and how its units become a result.

    Parameters
    ----------
    match
        Players, rules and seatings.
    deals
        Each is played in all seatings.
    until
        The sequential test that ends it early.
    protocol
        The benchmark that it belongs to.
    """

    match: Match
    deals: int
    until: Until | None = None
    protocol: MatchProtocol | None = None

    @classmethod
    def of(cls, agents: Agents, game: str | Variant, deals: int, settings: MatchSettings) -> "MatchPlan":
        """The plan of agents, verified before anything is played; see ``match`` for the errors."""
        if deals < 1:
            raise TableError(f"deals {brief(deals)}: expected at least 1")
        players, specs = names_and_specs(agents, settings.workers)
        until = Until.parse(settings.until) if settings.until else None
        if until is not None and not {until.one, until.other} <= set(players):
            raise TableError(f"until {brief(settings.until)}: expected two of {', '.join(players)}")
        protocol = _protocol(game, settings)
        variant = variant_of(protocol.game if protocol else game, len(specs))
        table = Table(variant, players, specs, **settings.conditions)
        if protocol:
            table = replace(table, estimators=(protocol.estimator,))
        verify_programs(variant, specs)
        return cls(Match(table, seatings(len(players))), deals, until, protocol)

    @property
    def units(self) -> tuple[str, int]:
        """The hands."""
        return "hands", self.deals * len(self.match.seatings)

    @property
    def header(self) -> dict[str, Any]:
        """The header of its journal."""
        return self.match.header()

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> MatchResult:
        """Play what the journal in a folder lacks."""
        rounds, play = self.match.rounds(self.deals), partial(play_unit, self.match)
        with Journal(folder / self.journal, self.header) as journal:
            return self.result(run(play, rounds, journal, workers, tick, self.enough))

    def result(self, results: Results) -> MatchResult:
        """The result of whole rounds."""
        table = self.match.table
        chosen = self.protocol
        measure = (chosen.unit, chosen.blinds / table.variant.big_blind) if chosen else None
        found = scores(table.variant, table.players, results, measure)
        # The first estimator judges: a choice of the narrowest would favour one result.
        judge = (*table.estimators, NET)[0]
        return MatchResult(found, report(table, list(results.values())), judge, self.until)

    def enough(self, results: Results) -> bool:
        """Whether the sequential test is settled."""
        return self.until is not None and self.result(results).settled


def _protocol(game: str | Variant, settings: MatchSettings) -> MatchProtocol | None:
    """The protocol of the settings, which contradict it in nothing; None without one."""
    name = settings.protocol
    if not name:
        return None
    if name not in PROTOCOLS:
        raise TableError(f"protocol {brief(name)}: {one_of(name, PROTOCOLS)}")
    given = {"game": game, "estimators": settings.estimators, "stacks": settings.stacks != "reset"}
    if fixed := [part for part, value in given.items() if value]:
        raise TableError(f"protocol {name!r} fixes {' and '.join(fixed)}: expected none besides")
    return PROTOCOLS[name]


@with_settings(MatchSettings)
def match(
    agents: Agents, game: str | Variant = "", deals: int = 1000, **settings: Unpack[MatchOptions]
) -> MatchResult:
    """Play a duplicate match: the same cards in every seating.

    Parameters
    ----------
    agents
        Specifications, each ``AGENT`` or ``NAME=AGENT``, or agents; or both by name; two or more.
    game
        The name or the file of a game, or its rules; empty = fixed limit for this number of players.
    deals
        Each is played in all seatings.
    settings
        By name, those of ``MatchSettings``:

    Raises
    ------
    TableError
        Fewer than two agents, one that cannot play the game, or settings out of their range.
    ArgumentError
        An unknown setting.
    ModelError
        A specification that is no agent, or a program that does not start.
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
    own = settings_of(MatchSettings, settings, match)
    return carry_out(MatchPlan.of(agents, game, deals, own), own, own.out)
