"""Options that several commands share, and numbers that are checked where they are typed."""

import argparse
import os

from baycarp.arena.variance import ESTIMATORS

__all__ = ["add_estimators", "add_play", "count", "seconds"]


def count(text: str) -> int:
    """A whole number, at least 1."""
    return _at_least(1, text)


def seed(text: str) -> int:
    """A whole number, at least 0."""
    return _at_least(0, text)


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
    value = _at_least(0, text)
    if value > 65535:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a port, at most 65535")
    return value


def _at_least(least: int, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, at least {least}")
    return value


def add_play(parser: argparse.ArgumentParser, hands: int | None, help: str) -> None:
    """Name the options of whatever plays hands: how many, with which seed, on how many cores."""
    usual = "what each takes" if hands is None else hands
    parser.add_argument("--hands", type=count, default=hands, help=f"{help} (default: {usual})")
    parser.add_argument(
        "--seed", type=seed, default=1, help="fixes every card and draw (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, help="processes (default: all cores)"
    )


def add_estimators(parser: argparse.ArgumentParser) -> None:
    """Name the option of whatever is judged by what was won."""
    parser.add_argument(
        "--estimators",
        type=lambda text: tuple(text.split(",")),
        default=(),
        metavar="NAME,...",
        help=f"take luck out: any of {', '.join(ESTIMATORS)}; the first of them judges (default: chips won)",
    )
