"""The command line ``baycarp``."""

import argparse
import sys
from collections.abc import Sequence

from baycarp.cli.program import Commands, run_program

__all__ = ["COMMANDS", "main"]

COMMANDS = (
    "table",
    "match",
    "tournament",
    "merge",
    "play",
    "review",
    "watch",
    "train",
    "memory",
    "coverage",
    "tune",
    "exploit",
    "decide",
    "acpc",
    "dealer",
    "engine",
    "solve",
    "inspect",
    "agents",
    "games",
    "doctor",
)


class _Version(argparse.Action):
    """Prints the version; it is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: object, **_settings: object) -> None:
        from importlib.metadata import version  # slow to import

        print(f"baycarp {version('baycarp')}")
        parser.exit()


class _Completion(argparse.Action):
    """Prints a shell's completion script; the parser has all commands then."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, values: object, _option: object = None
    ) -> None:
        from baycarp.cli.completion import script  # needs every agent

        print(script(str(values), parser), end="")
        parser.exit()


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version, and exit")
    parser.add_argument(
        "--completion", action=_Completion, choices=("bash", "zsh", "fish"), help="print a completion script"
    )


PROGRAM = Commands(
    "baycarp",
    "Poker decisions with their reasons.",
    {name: f"baycarp.cli.{name}" for name in COMMANDS},
    _options,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    return run_program(PROGRAM, sys.argv[1:] if argv is None else argv)
