"""List the agents: what each is, the games that it plays, its settings, the size of its model."""

from argparse import Namespace

from rich.console import Console
from rich.padding import Padding

from baycarp.agents.catalogue import LINES, Description, described
from baycarp.agents.table import TABLES
from baycarp.cli.options import JSON, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.errors import ModelError

__all__ = ["add", "run"]

add = options(
    option(
        "names", nargs="*", metavar="AGENT", help="with all settings; none named = one line for each agent"
    ),
    JSON,
)


def run(args: Namespace) -> int:
    """Print one line for each agent, or everything about those that are named."""
    if unknown := [name for name in args.names if name not in LINES]:
        raise ModelError(f"agent {unknown[0][:80]!r}: expected one of {', '.join(LINES)}")
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
