"""The fields of a PHH text, which is TOML: one pass over the plain subset that programs write, or tomllib."""

import re
from collections.abc import Iterator
from datetime import time
from decimal import Decimal
from typing import Any

from baycarp.files import parse_toml
from baycarp.game.notation.hand import Refused

__all__ = ["fields", "plain_fields"]

_STRING = r"""(?:'[^'\n]*'|"[^"\\\n]*")"""
_NUMBER = r"(?:-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?|inf)"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_LINE = re.compile(
    rf"""[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*(?:
        \[[ \t]*(?P<strings>{_STRING}(?:[ \t]*,[ \t]*{_STRING})*)(?:[ \t]*,)?[ \t]*\]
        |\[[ \t]*(?P<numbers>{_NUMBER}(?:[ \t]*,[ \t]*{_NUMBER})*)(?:[ \t]*,)?[ \t]*\]
        |(?P<string>{_STRING})|(?P<number>{_NUMBER})|(?P<truth>true|false)|(?P<time>{_TIME})|(?P<open>\[)
    )[ \t]*(?:\#.*)?""",
    re.VERBOSE,
)
_ITEM = re.compile(rf"[ \t]*(?:({_STRING})[ \t]*(,[ \t]*)?)?(?:#.*)?")
_END = re.compile(r"[ \t]*\][ \t]*(?:#.*)?")
_EACH_STRING = re.compile(r"""'([^'\n]*)'|"([^"\\\n]*)\"""")
_BLANK = re.compile(r"[ \t]*(?:#.*)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def fields(body: str) -> dict[str, Any]:
    """The fields of one hand by name: ``str``, ``int``, ``Decimal``, ``bool``, dates and lists of them.

    Raises
    ------
    Refused
        Not TOML.
    """
    body = body.replace("\r\n", "\n")
    found = plain_fields(body)
    if found is not None:
        return found
    try:
        return parse_toml(body)
    except ValueError as error:
        raise Refused("broken fields", str(error)[:200]) from error


def plain_fields(body: str) -> dict[str, Any] | None:
    """The fields of a text of the plain subset; None = it has something else, or is wrong.

    The subset: a field a line, its value a string without escapes, a number in plain digits, a truth value,
    a time of day in seconds, a list of strings or of numbers on the line, or a list of strings with one a
    line; comments.
    """
    if _CONTROL.search(body):
        return None
    found: dict[str, Any] = {}
    rows = iter(body.split("\n"))
    for row in rows:
        line = _LINE.fullmatch(row)
        if line is None:
            if _BLANK.fullmatch(row):
                continue
            return None
        name, kind = line[1], line.lastgroup
        if name in found:
            return None
        value: Any = line[kind] if kind else None
        if kind == "strings":
            value = _strings(value)
        elif kind == "numbers":
            value = [_number(word) for word in value.split(",")]
        elif kind == "string":
            value = value[1:-1]
        elif kind == "number":
            value = _number(value)
        elif kind == "truth":
            value = value == "true"
        elif kind == "time":
            value = time.fromisoformat(value)
        elif (value := _items(rows)) is None:
            return None
        found[name] = value
    return found


def _strings(text: str) -> list[str]:
    return [single or double for single, double in _EACH_STRING.findall(text)]


def _number(word: str) -> int | Decimal:
    return Decimal(word.strip()) if "." in word or "i" in word else int(word)


def _items(rows: Iterator[str]) -> list[str] | None:
    """The strings of a list with one a line, up to the line that closes it."""
    items: list[str] = []
    open_end = True
    for row in rows:
        if _END.fullmatch(row):
            return items
        item = _ITEM.fullmatch(row)
        if item is None:
            return None
        if item[1]:
            if not open_end:
                return None
            items.append(item[1][1:-1])
            open_end = item[2] is not None
    return None
