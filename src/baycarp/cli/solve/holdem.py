"""What the solvers of heads-up hold'em share: their options, and the folder that a run is."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from baycarp.cli.options import count, option, options
from baycarp.errors import ArgumentError
from baycarp.solvers.checkpoint import CHECKPOINT

__all__ = ["SAVED", "Tick", "Until", "add", "is_begun", "verify_same"]

Tick = Callable[[str, int, int | None], None]

SAVED = 300.0
"""Seconds between two checkpoints."""


def _minutes(text: str) -> float:
    """A number of minutes, at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < inf:
        raise ArgumentTypeError(f"{text!r}: expected minutes, at least 0")
    return value


add = options(
    option("--minutes", type=_minutes, help="of solving in this call, measurements apart"),
    option("--until", type=count, metavar="N", help="iterations in all, with those of the calls before"),
    option(
        "--buckets",
        help="of flop, turn, river: p percentiles, v values, e clusters (default: p50,p50,p50; no-limit: "
        "e50,e50,p50)",
    ),
    option(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where the run is, and solution.npz; continued if it exists",
    ),
)


class Until:
    """The end of a call that the options name: a number of iterations, or seconds of solving.

    Parameters
    ----------
    args
        The options.
    game
        The name of the game, for the message.

    Raises
    ------
    ArgumentError
        No folder, or no end.
    """

    def __init__(self, args: Namespace, game: str) -> None:
        if args.out is None or (args.minutes is None and args.until is None):
            raise ArgumentError(f"{game}: expected --out FOLDER, and --minutes or --until")
        self.iterations: int | None = args.until
        self.seconds: float | None = None if args.minutes is None else 60 * args.minutes

    def is_over(self, iterations: int, spent: float) -> bool:
        """Whether the call has done all its iterations, or taken all its seconds."""
        done = self.iterations is not None and iterations >= self.iterations
        return done or (self.seconds is not None and spent >= self.seconds)

    def show(self, tick: Tick, iterations: int, spent: float) -> None:
        """How far the call is, of its seconds or of its iterations."""
        if self.seconds is None:
            tick("iterations", iterations, self.iterations)
        else:
            tick("seconds", min(int(spent), int(self.seconds)), int(self.seconds))


def is_begun(folder: Path) -> bool:
    """Whether a folder holds a run."""
    return (folder / CHECKPOINT).exists()


def verify_same(args: Namespace, has: Mapping[str, Any]) -> None:
    """Raise ``ArgumentError`` if an option contradicts what the run began with, by the option's name."""
    for name, own in has.items():
        value = getattr(args, name)
        if value is not None and value != own:
            raise ArgumentError(f"{args.out}: {name} {value}: expected {own}, which its run began with")
