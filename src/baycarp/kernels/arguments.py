"""Arguments that are checked before anything is computed with them: whole numbers, numbers, arrays."""

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError

__all__ = ["MOST_INT64", "MOST_SEED", "array", "real", "whole"]

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


def real(given: Any, name: str) -> float:
    """A number, NaN and infinite ones included.

    Raises
    ------
    ArgumentError
        A number beyond 64 bits.
    TypeError
        No number.

    Examples
    --------
    >>> real(1, "share")
    1.0
    """
    if isinstance(given, str | bytes) or (isinstance(given, np.ndarray) and given.ndim):
        raise TypeError(f"{name}: expected a number, got {given!r:.60}")
    try:
        return float(given)
    except OverflowError:
        raise ArgumentError(f"{name}: expected a number of 64 bits") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {given!r:.60}") from None


def array(given: Any, name: str) -> NDArray[Any]:
    """An array, as ``numpy.asarray`` makes it; rows of different lengths are none.

    Raises
    ------
    ArgumentError
        Nothing that is an array.
    """
    try:
        return np.asarray(given)
    except (ValueError, OverflowError) as error:
        raise ArgumentError(f"{name}: expected an array: {error}") from None
