"""Options that several experiments share."""

from collections.abc import Callable, Mapping
from typing import Any

from baycarp.cli.options import JSON, Add, count, option, options

__all__ = ["JSON", "ONE_WORKER", "fields"]

ONE_WORKER = option("--workers", type=count, default=1, help="processes")


def fields(usual: object, types: Mapping[str, tuple[Callable[[str], Any], str]]) -> Add:
    """Options that are fields of a value, by name their type and help; the value gives the defaults."""
    return options(
        *(
            option(f"--{name}", default=getattr(usual, name), type=kind, help=help)
            for name, (kind, help) in types.items()
        )
    )
