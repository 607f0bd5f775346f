"""Money as rooms print it, as whole numbers of a ten-thousandth: exact, never a float.

    $1,234.50    1 234,50 €    1.183.764 $    0,01 $    €0.05    50K    6.02k

Where nothing but the amount shows which mark parts the thousands, a mark with three digits after it does,
unless it follows a lone 0: ``8.000 $`` is eight thousand, ``0.005`` is half a cent.
"""

import re
from functools import lru_cache
from math import gcd
from typing import NoReturn

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.money import MOST_CHIPS

__all__ = ["PARTS", "amount", "plain_amount", "worth"]

PARTS = 10_000
"""Parts of a unit of money that an amount counts."""

_NUMBER = re.compile(r"([0-9][0-9.,'\u2019\s]*)([KkMB](?![A-Za-z]))?")
_PLAIN = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]*))?([KkMB](?![A-Za-z]))?")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_TIMES = {"K": 1_000, "k": 1_000, "M": 1_000_000, "B": 1_000_000_000}


@lru_cache(maxsize=1 << 16)
def plain_amount(text: str) -> int:
    """An amount in English: a comma parts thousands, a point the fraction.

    Raises
    ------
    Refused
        No amount stands there, or more than ``MOST_CHIPS`` units.
    """
    found = _found(_PLAIN, text)
    return _parts(found[1].replace(",", ""), found[2] or "", found[3], text)


@lru_cache(maxsize=1 << 16)
def amount(text: str) -> int:
    """An amount in any country's number format.

    Raises
    ------
    Refused
        No amount stands there, or more than ``MOST_CHIPS`` units.
    """
    found = _found(_NUMBER, text)
    digits = re.sub(r"['\u2019\s]", "", found[1]).rstrip(".,")
    whole, mark, fraction = digits.rpartition(max(".,", key=digits.rfind))
    if mark and _parts_thousands(digits, whole, mark, fraction):
        whole += fraction
        fraction = ""
    elif not mark:
        whole, fraction = fraction, ""
    return _parts(re.sub(r"[.,]", "", whole), fraction, found[2], text)


def _found(pattern: "re.Pattern[str]", text: str) -> "re.Match[str]":
    """The first amount of a text, which has no digit of another script."""
    found = pattern.search(text)
    return _none(text) if found is None or _OTHER_DIGIT.search(text) else found


def _parts_thousands(digits: str, whole: str, mark: str, fraction: str) -> bool:
    """Whether the last mark of an amount parts thousands, not the fraction."""
    if digits.count(mark) > 1:
        return True
    other = {".": ",", ",": "."}[mark]
    return len(fraction) == 3 and whole != "0" and other not in whole


def _none(text: str) -> NoReturn:
    raise Refused("bad amount", f"{text[:40]!r}")


def _parts(whole: str, fraction: str, suffix: str | None, text: str) -> int:
    if len(whole) > 15 or len(fraction) > 4:
        _none(text)
    parts = int(whole or "0") * PARTS + int(fraction.ljust(4, "0"))
    if suffix:
        parts *= _TIMES[suffix]
    if parts > MOST_CHIPS * PARTS:
        raise Refused("too many chips", f"{text[:40]!r}: expected at most {MOST_CHIPS}")
    return parts


def worth(amounts: list[int]) -> int:
    """The parts that one chip is worth: a unit of money, a cent or less, so that all amounts are whole."""
    common = gcd(PARTS, *amounts)
    return next(size for size in (PARTS, PARTS // 100, 1) if common % size == 0)
