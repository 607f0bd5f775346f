"""Options that several commands share, and numbers that are checked where they are typed."""

import argparse
import os

from baycarp.arena.decks import SEED
from baycarp.arena.variance import ESTIMATORS

__all__ = ["add_estimators", "add_play", "count", "seconds"]


MOST = 100_000_000
"""The most hands, deals or playouts of an option: all units of a match are listed before it begins."""


def count(text: str) -> int:
    """A whole number, 1 to ``MOST``."""
    return _whole(1, text, MOST)


def seed(text: str) -> int:
    """A whole number, 0 to ``SEED``."""
    return _whole(0, text, SEED)


def seconds(text: str) -> float:
    """A number of seconds, at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, at least 0")
    return value


def port(text: str) -> int:
    """A port, 0 to 65535."""
    return _whole(0, text, 65535)


def _whole(least: int, text: str, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{text[:40]!r}: expected a whole number, {least} to {most}")
    return value


def add_play(parser: argparse.ArgumentParser, hands: int | None, help: str) -> None:
    """Add the options of a command that plays hands: their number, the seed, the number of cores."""
    usual = "what each takes" if hands is None else hands
    parser.add_argument("--hands", type=count, default=hands, help=f"{help} (default: {usual})")
    parser.add_argument(
        "--seed", type=seed, default=1, help="fixes every card and draw (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )


def add_estimators(parser: argparse.ArgumentParser) -> None:
    """Add the option of a command that judges by winnings."""
    parser.add_argument(
        "--estimators",
        type=lambda text: tuple(text.split(",")),
        default=(),
        metavar="NAME,...",
        help=f"take luck out: any of {', '.join(ESTIMATORS)}; the first of them judges (default: chips won)",
    )
