"""What the standard library reads for others: the time zone of a name, and a value from its pickle."""

from datetime import tzinfo
from functools import cache
from multiprocessing.reduction import ForkingPickler
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

__all__ = ["pickled_copy", "zone"]

_Value = TypeVar("_Value")


@cache
def _known() -> frozenset[str]:
    """The names that mean the same on every machine."""
    return frozenset(available_timezones() - {"localtime"})


def zone(name: str) -> tzinfo:
    """The time zone of a name, which may be a stranger's: no other file of the database is opened by it.

    Raises
    ------
    KeyError
        No name of a zone (``ZoneInfoNotFoundError``).

    Examples
    --------
    >>> zone("tzdata.zi")
    Traceback (most recent call last):
    zoneinfo._common.ZoneInfoNotFoundError: "no time zone 'tzdata.zi'"
    """
    if name not in _known():
        raise ZoneInfoNotFoundError(f"no time zone {name[:60]!r}")
    return ZoneInfo(name)


def pickled_copy(value: _Value) -> _Value:
    """A copy of an own value as another process gets it; no pickle comes from outside."""
    copied: _Value = ForkingPickler.loads(bytes(ForkingPickler.dumps(value)))
    return copied
