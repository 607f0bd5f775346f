"""Arguments that are checked before anything is computed with them: whole numbers, numbers, arrays."""

from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from baycarp.errors import ArgumentError, brief

__all__ = ["MOST_INT64", "MOST_SEED", "array", "instance", "real", "seeded", "whole"]

Kind = TypeVar("Kind")

MOST_INT64 = 2**63 - 1
MOST_OF_RANGE = 2**24
"""The most numbers of a range that an array is made of; a list of them takes 36 bytes each."""

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
        raise TypeError(f"{name}: expected a whole number, got {brief(given)}") from None
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
        raise TypeError(f"{name}: expected a number, got {brief(given)}")
    try:
        return float(given)
    except OverflowError:
        raise ArgumentError(f"{name}: expected a number of 64 bits") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {brief(given)}") from None


def array(given: Any, name: str, kind: DTypeLike | None = None) -> NDArray[Any]:
    """An array, as ``numpy.asarray`` makes it; rows of different lengths are none.

    ``kind``: the type of its elements; None = that of the elements given.

    Raises
    ------
    ArgumentError
        Nothing that is an array.
    """
    try:
        long = isinstance(given, range) and len(given) > MOST_OF_RANGE
        found = None if long else np.asarray(given, kind)
    except MemoryError:  # of rows of ranges, and of others that compute their numbers when asked for them
        raise ArgumentError(f"{name}: expected an array that fits in memory") from None
    except (ValueError, OverflowError) as error:
        raise ArgumentError(f"{name}: expected an array: {error}") from None
    if found is None:
        raise ArgumentError(
            f"{name}: expected at most {MOST_OF_RANGE} numbers of a range, got {brief(given)}"
        )
    return found


def instance(given: Any, kind: type[Kind], name: str) -> Kind:
    """An object of the annotated type.

    Raises
    ------
    TypeError
        One of another type.
    """
    if not isinstance(given, kind):
        raise TypeError(f"{name}: expected a {kind.__name__}, got {brief(given)}")
    return given


def seeded(seed: Any, *stream: int) -> "np.random.Generator":  # in quotes: loading numpy.random takes long
    """The generator of random numbers of a seed, 0 .. ``MOST_SEED``, or of one of its streams.

    Raises
    ------
    ArgumentError
        A seed outside these bounds.
    TypeError
        Not an integer.
    """
    number = whole(seed, "seed", 0, MOST_SEED)
    return np.random.default_rng((number, *stream) if stream else number)
