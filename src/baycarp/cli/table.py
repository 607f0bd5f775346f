"""Seat agents at one table, play, and print statistics and the win-rate curve."""

from argparse import Namespace

from rich.console import Console

from baycarp.agents.registry import DEFAULT
from baycarp.api.figures import figures
from baycarp.api.play import TableResult, play_sessions, seated
from baycarp.api.printing import show
from baycarp.arena.journal import Unit
from baycarp.arena.session import Played
from baycarp.cli.options import FULL, folder, option, options, play
from baycarp.cli.output import drawn
from baycarp.cli.progress import progress

add = options(
    option("--agent", default=DEFAULT, help="the agent in the first seat; NAME=AGENT gives it a name"),
    option("--game", help="the game: a shipped one or a .game file (default: limit, a seat a player)"),
    option(
        "--table",
        nargs="+",
        metavar="AGENT",
        help="the other players, or a table's name: people (default: the seven; with --game as many as it "
        "seats, and in no-limit drawn players, sizer)",
    ),
    play(2000, "hands to play"),
    FULL,
    folder("table", "folder for curve and log"),
)


def run(args: Namespace) -> int:
    """Play, and show statistics and the curve."""
    table = seated(args.agent, args.table or (), args.game or "", args.seed)
    table.verify_players()
    args.out.mkdir(parents=True, exist_ok=True)  # refused before a hand is played
    sessions: dict[Unit, Played] = {}
    console = Console()
    try:
        with progress("hands", args.hands) as tick:
            play_sessions(table, args.hands, sessions, args.workers, tick)
    except KeyboardInterrupt:
        if not sessions:
            raise
        console.print("interrupted: of the sessions that were finished")
    found = TableResult.of(table, sessions)
    found.show(console)
    if args.full:
        show(console, figures(found.report, table.players[0]))
    found.save(args.out / "hands.log")
    print(f"every hand: {args.out / 'hands.log'}")
    print(drawn("the curve", args.out / "win-rate.png", found.draw))
    return 0
