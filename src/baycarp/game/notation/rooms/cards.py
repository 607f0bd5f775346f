"""Cards as rooms print them, in several languages, as ids.

A hand is read in the one language that all of its cards have. If two languages differ about it, it is
refused.
"""

import re

from baycarp.card import DECK
from baycarp.game.notation.hand import Refused

__all__ = ["card_rows"]

_ID = {name: card for card, name in enumerate(DECK)}
_TOKEN = re.compile(r"[^\s,;\[\]|]+")
_SUITS = {
    "♣": "c",
    "♦": "d",
    "♥": "h",
    "♠": "s",
    "♧": "c",
    "♢": "d",
    "♡": "h",
    "♤": "s",
    "Kreuz": "c",
    "Karo": "d",
    "Herz": "h",
    "Pik": "s",
}
_RANKS = {
    "German": {"B": "J", "D": "Q", "K": "K", "A": "A"},
    "French": {"V": "J", "D": "Q", "R": "K", "A": "A"},
    "Dutch": {"B": "J", "V": "Q", "H": "K", "A": "A"},
    "Swedish": {"Kn": "J", "D": "Q", "K": "K", "E": "A"},
    "Polish": {"W": "J", "D": "Q", "K": "K", "A": "A"},
    "Russian": {"В": "J", "Д": "Q", "К": "K", "Т": "A"},
    "Russian in Windows' Western letters": {"Â": "J", "Ä": "Q", "Ê": "K", "Ò": "A"},
}
_PIPS = {"10": "T", "T": "T"} | {digit: digit for digit in "23456789"}


def card_rows(texts: list[str]) -> list[tuple[int, ...]]:
    """The ids of the cards in each of the texts of one hand: between blanks or commas, in brackets or not.

    Raises
    ------
    Refused
        A card of no known language, or of two that differ.
    """
    rows = [_TOKEN.findall(text) for text in texts]
    try:
        return [tuple([_ID[token] for token in row]) for row in rows]
    except KeyError:
        english = _reading({token for row in rows for token in row})
        return [tuple(_ID[english[token]] for token in row) for row in rows]


def _reading(tokens: set[str]) -> dict[str, str]:
    """The English name of each card, in the language that all of them have."""
    readings = list[dict[str, str]]()
    for ranks in ({}, *_RANKS.values()):
        try:
            reading = {token: _card(token, ranks) for token in tokens}
        except Refused:
            continue
        if reading not in readings:
            readings.append(reading)
    if len(readings) != 1:
        strange = sorted(tokens - _ID.keys())
        raise Refused("unknown card", f"{strange[0][:20]!r}: {len(readings)} languages have such cards")
    return readings[0]


def _card(token: str, ranks: dict[str, str]) -> str:
    for suit, letter in (*_SUITS.items(), *zip("cdhs", "cdhs", strict=True)):
        if token.endswith(suit):
            rank = token.removesuffix(suit)
            known = ranks.get(rank) if ranks else rank if rank in tuple("JQKA") else None
            rank = _PIPS.get(rank) or known or "?"
            if rank + letter in _ID:
                return rank + letter
    raise Refused("unknown card", f"{token[:20]!r}")
