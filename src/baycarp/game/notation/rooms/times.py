"""The times of hands as rooms print them: orders of day, month and year, and the letters of a zone.

2025/08/02 11:24:53 CET [2025/08/02 5:24:53 ET]      04 03 2012 15:32:21      22-Jan-2011 20:11:15
Monday, April 25, 09:42:13 BST 2011      09:20:06 EET - 2012/11/23      15:13 ET - Wed, July 21, 2010
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfoNotFoundError

from baycarp.files import library

__all__ = ["time_of"]

_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
_MONTH = rf"(?P<month>{_NAMES.replace(' ', '|')})"
_DAYS = (
    re.compile(r"(?P<year>[0-9]{4})[/-](?P<month>[0-9]{1,2})[/-](?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<day>[0-9]{1,2})[ /](?P<month>[0-9]{1,2})[ /](?P<year>[0-9]{4})"),
    re.compile(rf"(?P<day>[0-9]{{1,2}})-{_MONTH}-(?P<year>[0-9]{{4}})"),
    re.compile(rf"\b{_MONTH}[a-z]* (?P<day>[0-9]{{1,2}})\b.{{0,40}}?\b(?P<year>[0-9]{{4}})"),
)
_CLOCK = re.compile(r"(?<!\d)([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?!\d)(?: ([A-Z]{1,5})\b)?")
_HOURS = {
    "UTC": 0,
    "GMT": 0,
    "BST": 1,
    "CEST": 2,
    "MESZ": 2,
    "EEST": 3,
    "MSK": 3,
    "IST": 5.5,
    "ICT": 7,
    "JST": 9,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
}
"""Hours from UTC of the zones that have one offset."""
_PLACES = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "WET": "Europe/Lisbon",
    "CET": "Europe/Paris",
    "EET": "Europe/Helsinki",
}
"""Places of zones that rooms print in summer, too, when their offset is another one."""


def time_of(text: str) -> datetime | None:
    """The first time in a text, aware where its zone is known; None = there is none.

    Examples
    --------
    >>> time_of("2025/08/02 11:24:53 CET [2025/08/02 5:24:53 ET]").isoformat()
    '2025-08-02T11:24:53+02:00'
    >>> time_of("Sunday, November 21, 19:00:00 2010").isoformat()
    '2010-11-21T19:00:00'
    """
    clock = _CLOCK.search(text)
    day = next((found for each in _DAYS if (found := each.search(text))), None)
    if clock is None or day is None:
        return None
    month = _MONTHS.get(day["month"]) or int(day["month"])
    hour, minute, second = (int(part or 0) for part in clock.groups()[:3])
    try:
        return datetime(
            int(day["year"]), month, int(day["day"]), hour, minute, second, tzinfo=_zone(clock[4])
        )
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _zone(name: str | None) -> tzinfo | None:
    if name in _HOURS:
        return UTC if not _HOURS[name] else timezone(timedelta(hours=_HOURS[name]))
    try:
        return library.zone(_PLACES[name]) if name in _PLACES else None
    except ZoneInfoNotFoundError:  # a system without the database of zones
        return None
