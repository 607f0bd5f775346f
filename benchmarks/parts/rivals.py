"""Comparisons with other libraries and plain forms."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

from benchmarks.parts.goal import Goal

__all__ = ["Compare", "rivals"]

Compare: TypeAlias = Callable[..., Iterator[Goal]]
"""``goals`` of a module of ``benchmarks.rivals``: takes objects of a part, measures both sides in turn."""


def rivals(part: str) -> Compare:
    """The comparisons of a part; imported when it is measured, since they use its objects."""
    compare: Compare = import_module(f"benchmarks.rivals.{part}").goals
    return compare
