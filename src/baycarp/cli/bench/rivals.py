"""Comparisons with other libraries and plain forms: in a clone of the repository, not in the wheel."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from baycarp.cli.bench.goal import Goal

__all__ = ["Compare", "rivals"]

HINT = "comparisons with other libraries are measured in a clone of the repository: run this in its folder"

FOLDER = Path("benchmarks")
"""Holds the package ``rivals``, in the current folder."""

Compare: TypeAlias = Callable[..., Iterator[Goal]]
"""``goals`` of a module of ``rivals``: takes the objects of a part, and measures both sides in turn."""


def rivals(part: str) -> Compare:
    """The comparisons of a part; outside a clone there are none, and standard error gets a hint."""
    if not (FOLDER / "rivals" / "__init__.py").is_file():
        print(HINT, file=sys.stderr)
        return lambda *built: iter(())
    folder = str(FOLDER.resolve())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    compare: Compare = import_module(f"rivals.{part}").goals
    return compare
