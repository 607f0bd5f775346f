"""``python -m experiments NAME``: run in a clone of the repository."""

import sys
from collections.abc import Sequence

from baycarp.cli.program import Commands, run_program

__all__ = ["PROGRAM", "main"]

COMMANDS = (
    "reproduce",
    "ablate",
    "experiment",
    "learning",
    "imitation",
    "agreement",
    "tables",
    "translation",
    "starvation",
    "beliefs",
    "oracle",
    "reading",
    "opponents",
    "players",
    "moves",
    "styles",
    "gambler",
    "predict",
    "predictability",
    "explanations",
    "robustness",
    "signature",
)

PROGRAM = Commands(
    "python -m experiments",
    "Experiments on the package: what its pages of results are made by.",
    {name: f"experiments.commands.{name}" for name in COMMANDS},
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one experiment, and return its exit status."""
    return run_program(PROGRAM, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
