"""What first lines have in common over rooms: the game's name, the stakes, the time."""

import re
from datetime import UTC, datetime, timedelta, timezone

from baycarp.game.notation.hand import Refused

__all__ = ["betting_of", "code_of", "currency_of", "expect_holdem", "moment", "time_of"]

_GAME = re.compile(
    r"(?P<other>6\+ ?hold'?em|six plus hold'?em|short ?deck|(?:split|swap|unfold|double) hold'?em|pineapple|omaha|\bplo|stud|razz|badugi|"
    r"lowball|\bdraw\b|courchevel|irish|fusion)|hold ?'?em|\bnlhe?\b",
    re.IGNORECASE,
)
_TWO_LIMITS = re.compile(r"pot limit pre-flop", re.IGNORECASE)
_NO_LIMIT = re.compile(r"no[ -]?limit|\bNL\b|\bNLH", re.IGNORECASE)
_POT_LIMIT = re.compile(r"pot[ -]?limit|\bPL\b", re.IGNORECASE)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "¥": "CNY", "kr": "SEK"}
_CODES = re.compile(r"\b(USD|EUR|GBP|CAD|INR|CNY|SEK|DKK|NOK|PLN|RON|RSD|BRL|AUD|CHF|RUB|mBTC|BTC)\b")
_DAY = re.compile(r"(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})")
_CLOCK = re.compile(r"(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?!\d)")
_ZONES = {
    **{"UTC": 0, "GMT": 0, "WET": 0, "BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "JST": 9},
}
"""Hours from UTC of zones that mean one offset; ``ET`` and its like mean two by the season, and are left out."""


def expect_holdem(text: str) -> str:
    """The part of a text from the name of a game on: the last one, as a tournament's name comes before it.

    Raises
    ------
    Refused
        "another game": not hold'em with 52 cards and one kind of betting.
    """
    found = list(_GAME.finditer(text))
    if not found or found[-1]["other"] or _TWO_LIMITS.search(text):
        raise Refused("another game", f"{text.strip()[-60:]!r}: expected hold'em")
    return text[found[-1].start() :]


def betting_of(game: str) -> str:
    """The kind of betting by the name of a game; one of neither kind is fixed limit."""
    if _NO_LIMIT.search(game):
        return "no-limit"
    return "pot-limit" if _POT_LIMIT.search(game) else "limit"


def code_of(text: str) -> int | str:
    """A hand's number, or its code where it has letters."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else text


def currency_of(text: str) -> str:
    """ISO's letters of the money that a text names or has the sign of; "" = chips."""
    if found := _CODES.search(text):
        return found[1]
    return next((code for sign, code in _SIGNS.items() if sign in text), "")


def time_of(text: str) -> datetime | None:
    """The time of a header like ``2025/08/02 11:24:53 CET [...]``, aware where its zone is of one offset."""
    day, clock = _DAY.search(text), _CLOCK.search(text)
    if day is None or clock is None:
        return None
    zone = _ZONES.get(text[clock.end() :].split("[")[0].strip(" )").upper())
    return moment(day.groupdict(), clock.groupdict(), zone)


def moment(
    day: dict[str, str | None], clock: dict[str, str | None], zone: int | None = None
) -> datetime | None:
    """A time from its parts; None where there is no such time."""
    parts = [int(part or 0) for part in (*day.values(), *clock.values())]
    where = None if zone is None else UTC if zone == 0 else timezone(timedelta(hours=zone))
    try:
        return datetime(*parts, tzinfo=where)  # type: ignore[arg-type,misc]
    except ValueError:
        return None
