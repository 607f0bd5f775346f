"""Options of commands as values, those that several commands share, and the checks of typed numbers."""

import os
from argparse import ArgumentTypeError, _ActionsContainer, _ArgumentGroup
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from baycarp.arena.decks import SEED
from baycarp.arena.variance import ESTIMATORS
from baycarp.budget import Budget
from baycarp.files import decimal_text

__all__ = [
    "AGENTS",
    "BUDGET",
    "CLUSTER",
    "ESTIMATED",
    "FULL",
    "GAME",
    "JSON",
    "PICTURE",
    "SEEDED",
    "SPREADSHEET",
    "STACKS",
    "TIME",
    "WORKERS",
    "Add",
    "count",
    "flag",
    "folder",
    "game_of",
    "group",
    "option",
    "options",
    "path",
    "play",
    "port",
    "seconds",
    "seed",
]

Add: TypeAlias = Callable[[_ActionsContainer], object]
"""Adds options to a parser, or to a group of its options."""

MOST = 100_000_000
"""The most hands, deals or playouts of an option: all units of a match are listed before it begins."""


def option(*names: str, help: str, **settings: Any) -> Add:
    """One option, with the settings of ``add_argument``; its help ends with the default, where it has one."""
    if settings.get("default") not in (None, "", []) and "default" not in help:
        help += " (default: %(default)s)"
    return lambda parser: parser.add_argument(*names, help=help, **settings)


def flag(name: str, help: str) -> Add:
    """An option that is given or not."""
    return lambda parser: parser.add_argument(name, action="store_true", help=help)


def options(*parts: Add) -> Add:
    """Several options, in this order."""
    return lambda parser: [part(parser) for part in parts]


def group(title: str, description: str | None, *parts: Callable[[_ArgumentGroup], object]) -> Add:
    """Several options under a title of their own in the help."""

    def add(parser: _ActionsContainer) -> None:
        titled = parser.add_argument_group(title, description)
        for part in parts:
            part(titled)

    return add


def path(text: str) -> Path:
    """A path; a text that is empty, as of a variable that is not set, would be the present folder."""
    if not text:
        raise ArgumentTypeError("'': expected a path")
    return Path(text)


def folder(default: str, help: str = "folder of journal and results") -> Add:
    """The option of the folder that a command writes to."""
    return option("--out", type=path, default=Path(default), help=f"{help} (default: ./%(default)s)")


def _whole(least: int, most: int, text: str) -> int:
    try:
        value = int(decimal_text(text))
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise ArgumentTypeError(f"{text[:40]!r}: expected a whole number, {least} to {most}")
    return value


count = partial(_whole, 1, MOST)
"""A whole number, 1 to ``MOST``."""

seed = partial(_whole, 0, SEED)
"""A whole number, 0 to ``SEED``."""

port = partial(_whole, 0, 65535)
"""A port, 0 to 65535."""


def seconds(text: str) -> float:
    """A number of seconds, at least 0."""
    try:
        value = float(decimal_text(text))
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise ArgumentTypeError(f"{text!r}: expected seconds, at least 0")
    return value


AGENTS = option("agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it")
SEEDED = option("--seed", type=seed, default=1, help="fixes every card and draw")
WORKERS = option("--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)")
CLUSTER = option("--cluster", metavar="ADDRESS", help="do the work on the workers of a Dask scheduler")
JSON = flag("--json", "print the results as JSON")
PICTURE = option("--picture", type=path, metavar="FILE", help="draw it, as SVG, PNG or PDF by the ending")
SPREADSHEET = flag("--spreadsheet", "a text of CSV that a spreadsheet would run begins with an apostrophe")
FULL = flag("--full", "also VPIP, PFR, aggression, acts by street, chips by hand type")
GAME = option("--game", help="a shipped game or a .game file (default: the limit game of that many seats)")
STACKS = option("--stacks", choices=("reset", "carried"), default="reset", help="at the beginning of a hand")
BUDGET = option(
    "--playouts",
    dest="budget",
    type=lambda text: Budget(playouts=count(text)),
    help="a budget for every decision, instead of the agents' own",
)
ESTIMATED = option(
    "--estimators",
    type=lambda text: tuple(text.split(",")),
    default=(),
    metavar="NAME,...",
    help=f"take luck out: any of {', '.join(ESTIMATORS)}; the first of them judges (default: chips won)",
)


TIME = option("--time", type=seconds, help="seconds of a decision (default: the agent's own)")


def game_of(line: str | None, name: str | None, usual: str) -> str:
    """The game of an ACPC line: the named one, or the limit game of as many seats as it has hands.

    Examples
    --------
    >>> game_of("MATCHSTATE:2:0:rc:||AhKd", None, ""), game_of("MATCHSTATE:0:0::AhKd|", None, "")
    ('holdem.limit.3p', 'holdem.limit.2p.reverse_blinds')
    """
    parts = (line or "").split(":")
    if name or len(parts) < 4 or parts[0] not in ("STATE", "MATCHSTATE"):
        return name or usual
    seats = parts[4 if parts[0] == "MATCHSTATE" and len(parts) > 4 else 3].partition("/")[0].count("|") + 1
    return {2: "holdem.limit.2p.reverse_blinds"}.get(seats, f"holdem.limit.{seats}p")


def play(hands: int | None, help: str) -> Add:
    """The options of a command that plays hands: their number, the seed, the number of processes."""
    return options(option("--hands", type=count, default=hands, help=help), SEEDED, WORKERS)
