"""Options that several experiments share."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from typing import Any

from baycarp.cli.options import JSON, Add, count, option, options

__all__ = ["JSON", "ONE_WORKER", "fields", "share"]

ONE_WORKER = option("--workers", type=count, default=1, help="processes")


def fields(usual: object, types: Mapping[str, tuple[Callable[[str], Any], str]]) -> Add:
    """Options that are fields of a value, by name their type and help; the value gives the defaults."""
    return options(
        *(
            option(f"--{name}", default=getattr(usual, name), type=kind, help=help)
            for name, (kind, help) in types.items()
        )
    )


def share(text: str) -> float:
    """A share of work, above 0, at most 1."""
    try:
        part = float(text)
    except ValueError:
        part = 0.0
    if not 0 < part <= 1:
        raise ArgumentTypeError(f"{text!r}: expected a share above 0, at most 1")
    return part
