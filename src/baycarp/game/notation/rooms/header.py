"""What first lines have in common over rooms: the game's name, its betting, the money, the hand's number."""

import re

from baycarp.game.notation.hand import Refused

__all__ = ["betting_of", "code_of", "currency_of", "expect_holdem"]

_GAME = re.compile(
    r"(?P<other>6\+ ?hold'?em|six plus hold'?em|short ?deck|(?:split|swap|unfold|double) hold'?em|pineapple|"
    r"omaha|\bplo|stud|razz|badugi|lowball|\bdraw\b|courchevel|irish|fusion)|hold ?'?em|\bnlhe?\b",
    re.IGNORECASE,
)
_TWO_LIMITS = re.compile(r"pot limit pre-flop", re.IGNORECASE)
_NO_LIMIT = re.compile(r"no[ -]?limit|\bNL\b|\bNLH", re.IGNORECASE)
_POT_LIMIT = re.compile(r"pot[ -]?limit|\bPL\b", re.IGNORECASE)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "¥": "CNY", "kr": "SEK", "â‚¬": "EUR"}
_CODES = re.compile(r"\b(USD|EUR|GBP|CAD|INR|CNY|SEK|DKK|NOK|PLN|RON|RSD|BRL|AUD|CHF|RUB|mBTC|BTC)\b")


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
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else text


def currency_of(text: str) -> str:
    """ISO's letters of the money that a text names or has the sign of; "" = chips."""
    if found := _CODES.search(text):
        return found[1]
    return next((code for sign, code in _SIGNS.items() if sign in text), "")
