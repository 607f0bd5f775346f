"""Seat agents at one table, play, and print statistics and the win-rate curve."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console

from baycarp.agents.registry import DEFAULT
from baycarp.agents.table import TABLE
from baycarp.arena.journal import Unit
from baycarp.arena.match import Match, play_unit
from baycarp.arena.names import named
from baycarp.arena.recorded import SessionMark
from baycarp.arena.report import Report, report
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table
from baycarp.arena.workers import Workers
from baycarp.cli.figures import WORDS, show_figures, statistics
from baycarp.cli.options import FULL, folder, option, options, play
from baycarp.cli.output import drawn
from baycarp.cli.progress import progress
from baycarp.draw import curve_as_text, save_curve
from baycarp.files import write_whole
from baycarp.game import STREETS, Variant

OTHERS = tuple(name.capitalize() for name in TABLE)
"""The names of the seven."""


add = options(
    option("--agent", default=DEFAULT, help="the agent in the first seat; NAME=AGENT gives it a name"),
    option("--game", help="the game: a shipped one or a .game file (default: limit, a seat a player)"),
    option(
        "--table",
        nargs="+",
        metavar="AGENT",
        help="the other players (default: the seven; with --game as many as it seats, and in no-limit drawn "
        "players, sizer)",
    ),
    play(2000, "hands to play"),
    FULL,
    folder("table", "folder for curve and log"),
)


def run(args: Namespace) -> int:
    """Play the table and show statistics and curve."""
    table = seated(args)
    table.verify_players()
    hero = table.players[0]
    match = Match(table)
    units = [unit for units in match.rounds(args.hands) for unit in units]
    sessions: dict[Unit, Played] = {}
    console = Console()
    try:
        with (
            progress("hands", args.hands) as tick,
            closing(play_units(partial(play_unit, match), units, Workers(args.workers), tick)) as finished,
        ):
            sessions.update(finished)
    except KeyboardInterrupt:
        if not sessions:
            raise
        console.print("interrupted: of the sessions that were finished")
    counted = report(table, [sessions[unit] for unit in sorted(sessions)])
    show(console, counted, hero)
    if args.full:
        show_figures(console, counted, hero)
    args.out.mkdir(parents=True, exist_ok=True)
    write_whole(args.out / "hands.log", log_of(sessions, args.seed))
    print(f"every hand: {args.out / 'hands.log'}")
    draw = partial(save_curve, counted.curve(hero), hero, words=WORDS[counted.unit])
    print(drawn("the curve", args.out / "win-rate.png", draw))
    return 0


def seated(args: Namespace) -> Table:
    """The table of the options: the agent, then the others."""
    variant = Variant.load(args.game) if args.game else None
    names, specs = named(args.table) if args.table else others(variant)
    hero, spec = name_and_spec(args.agent, names)
    return Table(variant or Variant.ring(1 + len(specs)), (hero, *names), (spec, *specs), args.seed)


def others(variant: Variant | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications of the other players of a game; None = the default table.

    Examples
    --------
    >>> others(Variant.load("holdem.nolimit.3p.100bb"))
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
    (name,), (spec,) = named([agent])
    if name == agent:
        name = Path(agent.partition("(")[0]).name
    return name + "-2" * (not {name, name.capitalize()}.isdisjoint(others)), spec


def show(console: Console, report: Report, hero: str) -> None:
    """Print the statistics (figure 7.4) and the hero's curve (figure 7.3)."""
    cells = [rate.cell() for rate in report.rates]
    table = statistics(report.players, report.tallies, cells, f"{report.unit} (95 %)", hero)
    table.title = f"{len(report.net)} hands"
    console.print(table)
    tally = report.tallies[report.players.index(hero)]
    for street, asked in sorted(tally.asked.items()):
        share = tally.fell_back[street] / asked
        console.print(f"{STREETS[street]}: {asked} decisions, {share:.1%} with no case above the threshold")
    console.print(f"\n{hero}: {WORDS[report.unit]} won a hand, up to each hand")
    console.print(curve_as_text(report.curve(hero), console.width - 12), highlight=False)


def log_of(sessions: Mapping[Unit, Played], seed: int) -> str:
    """The hands of all sessions as an ACPC log, each session marked (``arena.recorded``)."""
    lines = (
        line
        for unit in sorted(sessions)
        for line in (str(SessionMark(int(unit[0]), seed)), *sessions[unit].log)
    )
    return "".join(line + "\n" for line in lines)
