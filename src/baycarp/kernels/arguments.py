"""Integer arguments of kernels, checked before their conversion to C."""

from operator import index
from typing import Any

from baycarp.errors import ArgumentError

__all__ = ["MOST_INT64", "MOST_SEED", "whole"]

MOST_INT64 = 2**63 - 1
MOST_SEED = 2**64 - 1
"""The largest seed; seeds are 0 or more."""


def whole(given: Any, name: str, least: int, most: int) -> int:
    """An integer of ``least..most``.

    Raises
    ------
    ArgumentError
        A number outside these bounds.
    TypeError
        Not an integer.

    Examples
    --------
    >>> whole(7, "seed", 0, MOST_SEED)
    7
    """
    try:
        number = index(given)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {given!r:.60}") from None
    if not least <= number <= most:
        shown = number if -(2**70) < number < 2**70 else "a number beyond 64 bits"
        raise ArgumentError(f"{name}: expected {least}..{most}, got {shown}")
    return number
