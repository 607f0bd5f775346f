"""``python -m experiments NAME``: run in a clone of the repository."""

import sys
from collections.abc import Sequence

from baycarp.cli.program import Commands, run_program

__all__ = ["COMMANDS", "PROGRAM", "main"]

COMMANDS = (
    "reproduce",
    "ablate",
    "experiment",
    "couplings",
    "learning",
    "imitation",
    "agreement",
    "tables",
    "beliefs",
    "players",
    "moves",
    "styles",
    "gambler",
    "predict",
    "reading",
    "leduc",
    "strength",
    "field",
    "explanations",
    "reasons",
    "pokerbench",
    "robustness",
    "resolve",
    "students",
    "signature",
    "recipes",
)

PROGRAM = Commands(
    "python -m experiments",
    "Experiments on the package: what its pages of results are made by.",
    {name: f"experiments.commands.{name}" for name in COMMANDS},
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one experiment, and return its exit status; without arguments list all."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
