"""JSON and TOML: texts of plain values, read within a depth, without numbers that the formats lack."""

import json
import re
import tomllib
from collections.abc import Iterable
from decimal import Decimal
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

from baycarp.files.forms import Form, verify
from baycarp.files.regular import read_bytes

__all__ = ["as_plain", "decimal_text", "parse_json", "parse_toml", "read_json"]

DEPTH = 100
"""Lists and objects within one another, at most: more may overflow the stack where they are printed."""

PARTS = 16
"""Parts of a key of TOML, at most: its reader takes the square of them."""

TOO_DEEP = f"nested too deeply: expected at most {DEPTH} levels"

MOST_BITS = 1024
"""Of a whole number: a float holds no larger one."""

_QUOTED = re.compile(r"(?<!\\)\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_MANY_PARTS = re.compile(rf'(?<![\w"-])(?:[\w"-]+[ \t]*\.[ \t]*){{{PARTS}}}')
_LONG_NUMBER = re.compile(r"[0-9_]{300}|0[xob][0-9a-fA-F_]{200}")
"""A whole number that may be beyond what a float can hold; or such a text."""


def parse_json(text: bytes | str, form: Form | None = None) -> Any:
    """The value of a JSON text.

    Parameters
    ----------
    text
        Bytes are UTF-8.
    form
        What the value must be; None = its reader verifies each field.

    Raises
    ------
    ValueError
        Not JSON, which has neither NaN nor infinite numbers; deeper than ``DEPTH``; or of another form.
    """
    text = _utf8(text)
    try:
        value = json.loads(text, parse_float=_finite, parse_constant=_no_number)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    _verify_bounds(text, value, "[{")
    if form is not None:
        verify(form, value)
    return value


def _utf8(text: bytes | str) -> str:
    return text.decode("utf-8-sig") if isinstance(text, bytes) else text


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:40]}: expected a number of 64 bits")
    return number


def _no_number(text: str) -> None:
    raise ValueError(f"{text}: expected a number")


def read_json(path: Path | str, limit: int, form: Form | None = None) -> Any:
    """The value of a JSON file of at most ``limit`` bytes.

    Raises
    ------
    OSError, ValueError
        As ``read_bytes`` and ``parse_json``.
    """
    return parse_json(read_bytes(path, limit), form)


def decimal_text(text: str) -> str:
    """A number as other programs write it, for ``int`` and ``float`` to read.

    They alone read ``1_0``, and digits of other scripts.

    Raises
    ------
    ValueError
        An underscore, or a character that is not ASCII.
    """
    if not text.isascii() or "_" in text:
        raise ValueError(f"{text[:40]!r}: expected an ASCII decimal")
    return text


def as_plain(value: Any, not_a_number: Any = ValueError) -> Any:
    """A value as JSON gives it back: tuples are lists, names are texts.

    Parameters
    ----------
    value
        Of dictionaries, lists, tuples, texts, numbers, truth values and None.
    not_a_number
        Stands for numbers that are not finite; by default they are an error.

    Examples
    --------
    >>> as_plain({1: (2, 3)}), as_plain([float("nan")], None)
    ({'1': [2, 3]}, [None])
    """
    if not_a_number is ValueError:
        return json.loads(json.dumps(value, allow_nan=False))
    return json.loads(json.dumps(value), parse_constant=lambda _: not_a_number)


def parse_toml(text: str) -> dict[str, Any]:
    """The value of a TOML text; numbers with a point are ``Decimal``.

    Raises
    ------
    ValueError
        Not TOML, deeper than ``DEPTH``, or a number beyond all bounds.
    """
    if text.count(".") >= PARTS and _MANY_PARTS.search(_QUOTED.sub('""', text)):
        raise ValueError(f"a key of more than {PARTS} parts")
    try:
        value = tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except ArithmeticError as error:
        raise ValueError(f"{type(error).__name__}: {str(error)[:200]}") from None
    _verify_bounds(text, value, "[{.")
    return value


def _verify_bounds(text: str, value: Any, nesting: str) -> None:
    """Refuse more levels than ``DEPTH``, each of which has a sign of nesting, and numbers beyond a float."""
    has_long = bool(_LONG_NUMBER.search(text))
    if sum(map(text.count, nesting)) < DEPTH and not has_long:
        return
    level, depth = [value], 0
    while level:
        if depth == DEPTH:
            raise ValueError(TOO_DEEP)
        below = list(chain.from_iterable(map(_children, level)))
        if has_long and any(isinstance(each, int) and each.bit_length() >= MOST_BITS for each in below):
            raise ValueError("a number beyond all bounds")
        level, depth = [each for each in below if isinstance(each, dict | list)], depth + 1


def _children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
