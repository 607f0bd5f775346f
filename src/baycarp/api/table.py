"""Hands at one table: ``baycarp.table`` seats agents, and its result prints and draws."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Unpack

from rich.console import RenderableType

from baycarp.agents.base import Agent
from baycarp.agents.registry import DEFAULT
from baycarp.agents.table import TABLE, TABLES
from baycarp.api.figures import WORDS, statistics
from baycarp.api.players import Agents, as_texts
from baycarp.api.printing import Console, counted
from baycarp.api.result import Record, Result, write_in
from baycarp.api.settings import Plan, RunOptions, RunSettings, carry_out, settings_of, with_settings
from baycarp.arena.journal import Journal, Unit
from baycarp.arena.match import Match, play_unit
from baycarp.arena.measure import Rate
from baycarp.arena.names import named
from baycarp.arena.recorded import SessionMark
from baycarp.arena.report import Report, report
from baycarp.arena.run import run
from baycarp.arena.session import Played, Table
from baycarp.arena.workers import Workers
from baycarp.draw import curve_as_text, drawable, save_curve
from baycarp.errors import TableError, brief
from baycarp.game import STREETS, Variant

__all__ = ["TablePlan", "TableResult", "seated", "table"]

OTHERS = tuple(name.capitalize() for name in TABLE)
"""The names of the seven."""


@dataclass(frozen=True, slots=True, repr=False)
class TableResult(Result):
    """The hands of one table; the first player is the one that curves and decisions are of.

    Parameters
    ----------
    table
        Players, rules and seed.
    sessions
        The played sessions, by unit, in order.
    report
        Counts, win rates and chips by hand.
    """

    table: Table
    sessions: Mapping[Unit, Played]
    report: Report

    @classmethod
    def of(cls, table: Table, sessions: Mapping[Unit, Played]) -> "TableResult":
        """The result of finished sessions, in any order."""
        ordered = {unit: sessions[unit] for unit in sorted(sessions)}
        return cls(table, ordered, report(table, list(ordered.values())))

    @property
    def players(self) -> tuple[str, ...]:
        """Their names, by seat."""
        return self.report.players

    def rate(self, player: str) -> Rate:
        """The win rate of a player, with its 95 % interval over hands.

        Raises
        ------
        TableError
            No such player.
        """
        return self.report.rates[self._place(player)]

    def title(self) -> str:
        """The result in a line."""
        return f"{counted(len(self.report.net), 'hand')} of {', '.join(self.players)}"

    def parts(self) -> Iterable[RenderableType]:
        """The statistics (Unger 2011, figure 7.4), and what the first player found in its case-bases."""
        report, hero = self.report, self.players[0]
        cells = [rate.cell() for rate in report.rates]
        table = statistics(report.players, report.tallies, cells, f"{report.unit} (95 %)", hero)
        table.title = counted(len(report.net), "hand")
        yield table
        tally = report.tallies[0]
        for street, asked in sorted(tally.asked.items()):
            share = tally.fell_back[street] / asked
            decisions = counted(asked, "decision")
            yield f"{STREETS[street]}: {decisions}, {share:.1%} with no case above the threshold"

    def show(self, console: Console | None = None) -> None:
        """Print the statistics, and the curve as wide as the console."""
        console = console or Console()
        Result.show(self, console)
        report, hero = self.report, self.players[0]
        console.print(f"\n{hero}: {WORDS[report.unit]} won a hand, up to each hand")
        console.print(curve_as_text(report.curve(hero), console.width - 12), highlight=False)

    def to_records(self) -> list[Record]:
        """One record a player: statistics, win rate and half of its interval."""
        return [*self.report.rows()]

    def to_dict(self) -> dict[str, Any]:
        """Seed, unit, and the records."""
        return {
            "game": self.table.variant.name,
            "seed": self.table.seed,
            "unit": self.report.unit,
            "players": self.to_records(),
        }

    def log(self) -> str:
        """The hands of all sessions as an ACPC log, each session marked (``arena.recorded``)."""
        lines = (
            line
            for unit, played in self.sessions.items()
            for line in (str(SessionMark(int(unit[0]), self.table.seed)), *played.log)
        )
        return "".join(line + "\n" for line in lines)

    def save(self, path: Path | str, spreadsheet: bool = False) -> None:
        """Write ``.log``, every hand, or what every result writes: ``.json``, ``.csv``."""
        if Path(path).suffix == ".log":
            write_in(Path(path), self.log())
        else:
            Result.save(self, path, spreadsheet)

    def draw(self, path: Path | str, player: str = "") -> None:
        """Draw the win-rate curve (figure 7.3) of a player, by default the first, as PNG, SVG or PDF.

        Raises
        ------
        TableError
            No such player.
        PictureError
            Another ending.
        ImportError
            Without matplotlib.
        """
        shown = self.players[self._place(player)] if player else self.players[0]
        save_curve(self.report.curve(shown), shown, drawable(Path(path)), words=WORDS[self.report.unit])

    def _place(self, player: str) -> int:
        if player not in self.players:
            raise TableError(f"player {brief(player)}: expected one of {', '.join(self.players)}")
        return self.players.index(player)


def seated(agent: str, others: Sequence[str] = (), game: str | Variant = "", seed: int = 1) -> Table:
    """A table of an agent and others; without others the seven, or as many as the game seats.

    Examples
    --------
    >>> seated("karma", game="holdem.nolimit.3p.100bb").players
    ('karma', 'Sizer 0', 'Sizer 1')
    """
    variant = Variant.load(game) if isinstance(game, str) and game else game or None
    names, specs = named(others) if others else default_others(variant)
    hero, spec = name_and_spec(agent, names)
    return Table(variant or Variant.ring(1 + len(specs)), (hero, *names), (spec, *specs), seed)


def default_others(variant: Variant | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications of the other players of a game; None = the default table.

    Examples
    --------
    >>> default_others(Variant.load("holdem.nolimit.3p.100bb"))
    (('Sizer 0', 'Sizer 1'), ('sizer(number=0)', 'sizer(number=1)'))
    """
    if variant is None:
        return OTHERS, TABLE
    if variant.betting == "limit":
        return named([f"{name.capitalize()}={name}" for name in islice(cycle(TABLE), variant.seats - 1)])
    return named([f"Sizer {number}=sizer(number={number})" for number in range(variant.seats - 1)])


def name_and_spec(agent: str, others: Sequence[str] = OTHERS) -> tuple[str, str]:
    """The name and the specification of the first player.

    An agent without a name is called as its specification begins; it is numbered where one of the others is.

    Examples
    --------
    >>> name_and_spec("baycarp2(policy='proportional')")
    ('baycarp2', "baycarp2(policy='proportional')")
    >>> name_and_spec("./my-model"), name_and_spec("karma"), name_and_spec("Ann=rule")
    (('my-model', './my-model'), ('karma-2', 'karma'), ('Ann', 'rule'))
    """
    if agent in TABLES:
        raise TableError(f"{brief(agent)}: expected one agent, got a table of {len(TABLES[agent])}")
    (name,), (spec,) = named([agent])
    if name == agent:
        name = Path(agent.partition("(")[0]).name
    return name + "-2" * (not {name, name.capitalize()}.isdisjoint(others)), spec


@dataclass(frozen=True, slots=True)
class TablePlan(Plan[TableResult]):
    """Hands to be played at one table.

    Parameters
    ----------
    table
        Players, rules and seed.
    hands
        In sessions of 500.
    """

    table: Table
    hands: int

    @classmethod
    def of(cls, agents: Agents, game: str | Variant, hands: int, seed: int) -> "TablePlan":
        """The plan of agents, verified before a hand is played; see ``table`` for the errors."""
        if hands < 1:
            raise TableError(f"hands {brief(hands)}: expected at least 1")
        first, *others = as_texts(agents)
        return cls(seated(first, others, game, seed), hands)

    @property
    def units(self) -> tuple[str, int]:
        """The hands."""
        return "hands", self.hands

    @property
    def header(self) -> dict[str, Any]:
        """The header of its journal."""
        return Match(self.table).header()

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> TableResult:
        """Play what the journal in a folder lacks."""
        match = Match(self.table)
        with Journal(folder / self.journal, self.header) as journal:
            played = run(partial(play_unit, match), match.rounds(self.hands), journal, workers, tick)
        return TableResult.of(self.table, played)


@with_settings(RunSettings)
def table(
    agents: Agents | str | Agent = DEFAULT,
    game: str | Variant = "",
    hands: int = 2000,
    **settings: Unpack[RunOptions],
) -> TableResult:
    """Play hands at one table, every player in the same seat, and count what each does and wins.

    Parameters
    ----------
    agents
        One a seat, each ``AGENT`` or ``NAME=AGENT``, or agents, or both by name; the name of a table, such as
        ``people``, stands for its players. One agent alone sits with the seven of the default table, or with
        as many others as the game seats.
    game
        The name or the file of a game, or its rules; empty = fixed limit for this number of players.
    hands
        In sessions of 500 with fresh statistics.
    settings
        By name, those of ``RunSettings``:

    Raises
    ------
    TableError
        Agents that do not fit the game, or no hands.
    ArgumentError
        An unknown setting.
    ModelError
        A specification that is no agent.

    Examples
    --------
    >>> result = table(["rule", "call", "Bob=random"], hands=20, seed=3)
    >>> result.players, sum(record["net"] for record in result.to_records())
    (('rule', 'call', 'Bob'), 0)
    """
    own = settings_of(RunSettings, settings, table)
    several = agents if isinstance(agents, Mapping | Sequence) and not isinstance(agents, str) else [agents]
    return carry_out(TablePlan.of(as_texts(several, own.workers), game, hands, own.seed), own)
