"""List the agents and their settings, or the games."""

from argparse import Namespace
from dataclasses import asdict

from rich.padding import Padding

from baycarp.agents.catalogue import LINES, Description, described
from baycarp.agents.table import TABLES
from baycarp.api.printing import Console
from baycarp.cli.options import JSON, flag, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.errors import ModelError, one_of
from baycarp.game.variant import Variant, shipped

__all__ = ["add", "run"]

add = options(
    option(
        "names", nargs="*", metavar="AGENT", help="with all settings; none named = one line for each agent"
    ),
    flag("--games", "the shipped games instead"),
    JSON,
)


def run(args: Namespace) -> int:
    """Print one line for each agent, or everything about those that are named; or one for each game."""
    if args.games:
        return _games(args)
    if unknown := [name for name in args.names if name not in LINES]:
        raise ModelError(f"agent {unknown[0][:80]!r}: {one_of(unknown[0], LINES)}")
    found = [described(name) for name in args.names or LINES]
    if args.json:
        print(as_json([_record(agent) for agent in found], indent=2))
        return 0
    screen = console()
    if args.names:
        for agent in found:
            _print(screen, agent)
        return 0
    table = grid("agent", "what it is", "games", words=("agent", "what it is", "games"))
    table.columns[0].no_wrap = True
    for agent in found:
        model = f"\n({agent.model})" if agent.model else ""
        table.add_row(agent.name, agent.line + model, agent.games)
    screen.print(table)
    screen.print("Settings and model of one: baycarp agents NAME. With settings: 'NAME(setting=value, ...)'.")
    screen.print(f"In place of an agent, the name of a table seats its players: {', '.join(TABLES)}.")
    screen.print("Agents of your own: FILE.py:CLASS or MODULE:CLASS, where a command takes an agent.")
    return 0


def _print(screen: Console, agent: Description) -> None:
    screen.print(f"{agent.name}: {agent.line}", style="bold", highlight=False)
    screen.print(f"plays {agent.games}", highlight=False)
    if agent.model:
        screen.print(f"model: {agent.model}", highlight=False)
    for setting in agent.settings:
        screen.print(f"  {setting.text}", markup=False, highlight=False)
        screen.print(Padding(setting.meaning, (0, 0, 0, 6)), markup=False, highlight=False)
    screen.print()


def _record(agent: Description) -> dict[str, object]:
    """JSON values; a setting that must be named has no default."""
    found = [
        {"name": each.name, "meaning": each.meaning}
        | ({} if each.text.endswith("=...") else {"default": each.default})
        for each in agent.settings
    ]
    return {
        "name": agent.name,
        "line": agent.line,
        "games": agent.games,
        "model": agent.model,
        "settings": found,
    }


def _games(args: Namespace) -> int:
    """Print one line for each game that ships with the package."""
    games = [Variant.load(name) for name in shipped()]
    if args.json:
        records = [asdict(game) for game in games]
        kept = [{name: value for name, value in each.items() if name != "rules"} for each in records]
        print(as_json(kept, indent=2))
        return 0
    table = grid("game", "seats", "blinds", "bets, stacks", words=("game", "blinds", "bets, stacks"))
    table.columns[0].no_wrap = True
    for game in games:
        table.add_row(game.name, str(game.seats), _blinds(game), _chips(game))
    screen = console()
    screen.print(table)
    screen.print(
        "Blinds and bets are in chips. A game of your own: an ACPC .game file, where --game is an option."
    )
    return 0


def _blinds(game: Variant) -> str:
    return "/".join(str(blind) for blind in sorted(filter(None, game.blinds)))


def _chips(game: Variant) -> str:
    """The bets of fixed limit and their number a street; the stacks of no-limit."""
    if game.betting == "limit":
        counts = "/".join("any" if most is None else str(most) for most in game.max_raises)
        bets = f"limit {game.small_bet}/{game.big_bet}, {counts} raises a street"
    else:
        bets = "no-limit"
    if game.stacks is None:
        return bets
    depth = min(game.stacks) / game.big_blind
    same = len(set(game.stacks)) == 1
    return f"{bets}, stacks of {depth:g} big blinds{'' if same else ' at least'}"
