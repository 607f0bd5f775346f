"""Seat agents at one table, play, and print statistics and the win-rate curve."""

from argparse import Namespace
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from rich.console import Console

from baycarp.agents.registry import DEFAULT
from baycarp.agents.table import TABLE
from baycarp.arena.journal import Unit
from baycarp.arena.match import Match, play_unit
from baycarp.arena.recorded import SessionMark
from baycarp.arena.report import Report, report
from baycarp.arena.run import play_units
from baycarp.arena.session import Played, Table
from baycarp.arena.workers import Workers
from baycarp.cli.figures import show_figures, statistics
from baycarp.cli.options import FULL, folder, option, options, play
from baycarp.cli.output import drawn
from baycarp.cli.progress import progress
from baycarp.cli.runs import named
from baycarp.draw import curve_as_text, save_curve
from baycarp.files import write_whole
from baycarp.game import STREETS, Variant

OTHERS = tuple(name.capitalize() for name in TABLE)
"""The names of the seven."""


add = options(
    option("--agent", default=DEFAULT, help="the agent in the eighth seat; NAME=AGENT gives it a name"),
    play(2000, "hands to play"),
    FULL,
    folder("table", "folder for curve and log"),
)


def run(args: Namespace) -> int:
    """Play the table and show statistics and curve."""
    hero, spec = name_and_spec(args.agent)
    specs, players = (spec, *TABLE), (hero, *OTHERS)
    table = Table(Variant.ring(len(specs)), players, specs, args.seed)
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
    print(drawn("the curve", args.out / "win-rate.png", partial(save_curve, counted.curve(hero), hero)))
    return 0


def name_and_spec(agent: str) -> tuple[str, str]:
    """The name and the specification of the eighth player.

    An agent without a name is called as its specification begins; it is numbered where one of the seven is.

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
    return name + "-2" * (name.capitalize() in OTHERS), spec


def show(console: Console, report: Report, hero: str) -> None:
    """Print the statistics (figure 7.4) and the hero's curve (figure 7.3)."""
    cells = [rate.cell() for rate in report.rates]
    table = statistics(report.players, report.tallies, cells, "sb/h (95 %)", hero)
    table.title = f"{len(report.net)} hands"
    console.print(table)
    tally = report.tallies[report.players.index(hero)]
    for street, asked in sorted(tally.asked.items()):
        share = tally.fell_back[street] / asked
        console.print(f"{STREETS[street]}: {asked} decisions, {share:.1%} with no case above the threshold")
    console.print(f"\n{hero}: small bets won a hand, up to each hand")
    console.print(curve_as_text(report.curve(hero), console.width - 12), highlight=False)


def log_of(sessions: Mapping[Unit, Played], seed: int) -> str:
    """The hands of all sessions as an ACPC log, each session marked (``arena.recorded``)."""
    lines = (
        line
        for unit in sorted(sessions)
        for line in (str(SessionMark(int(unit[0]), seed)), *sessions[unit].log)
    )
    return "".join(line + "\n" for line in lines)
