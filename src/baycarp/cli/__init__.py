"""The command line: one module a command, each with ``add`` (its options) and ``run``."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from baycarp.errors import BaycarpError

__all__ = ["main"]

COMMANDS = (
    "table",
    "match",
    "tournament",
    "ablate",
    "experiment",
    "reproduce",
    "merge",
    "train",
    "memory",
    "coverage",
    "tune",
    "predictability",
    "decide",
    "acpc",
    "dealer",
    "engine",
    "beliefs",
    "inspect",
    "bench",
    "doctor",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 = all went well, 1 = refused input, 2 = a wrong call, 130 = interrupted."""
    parser = argparse.ArgumentParser(prog="baycarp", description="Poker decisions with their reasons.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    named = (sys.argv[1:] if argv is None else argv)[:1]
    for name in named if named and named[0] in COMMANDS else COMMANDS:  # no other command is worth its import
        module = import_module(f"baycarp.cli.{name}")
        summary = str(module.__doc__).splitlines()[0]
        command = commands.add_parser(name, help=summary, description=summary)
        module.add(command)
        command.set_defaults(run=module.run)
    args = parser.parse_args(argv)
    try:
        return int(args.run(args) or 0)
    except (BaycarpError, OSError, ImportError) as error:
        print(f"baycarp {args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
