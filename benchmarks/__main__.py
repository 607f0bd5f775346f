"""``python -m benchmarks PART``: measure this machine against the goals of a part, in a clone."""

import sys
from collections.abc import Sequence

from baycarp.cli.program import Commands, run_program

__all__ = ["PROGRAM", "main"]

PARTS = (
    "bn",
    "cases",
    "deadlines",
    "decide",
    "env",
    "game",
    "hands",
    "kernels",
    "lookahead",
    "networks",
    "retrieval",
    "solve",
    "web",
)

PROGRAM = Commands(
    "python -m benchmarks",
    "Goals of speed, each measured beside its rivals in one run.",
    {name: f"benchmarks.parts.{name}" for name in PARTS},
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one part, and return its exit status: 3 where a goal is missed."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
