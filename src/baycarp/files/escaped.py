r"""Untrusted text as it is printed: the one place where a character that could mislead is escaped.

Names and messages of files, networks and programs may hold what commands a terminal, turns the direction of
a line, or is not seen: control characters, bidirectional and zero-width ones, other separators of lines,
private ones, lone surrogates. They are printed as in a text of Python: ``\x1b``, ``\u202e``. Letters of every
script stay. The doors are the console and the streams of a command, the connection of a page, and a
notebook.
"""

import re
from typing import Any

__all__ = ["is_plain", "is_text", "plain_text", "plain_values"]

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Printable by their kind, and not seen (``Default_Ignorable_Code_Point``)."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def is_plain(character: str) -> bool:
    """Whether a character is printed as it is."""
    return character.isprintable() and not _UNSEEN.match(character)


def is_text(text: str) -> bool:
    """Whether UTF-8 can express it: it has no lone surrogate, as of an argument of other bytes."""
    return not _SURROGATE.search(text)


def plain_text(text: str, kept: str = "\n\t") -> str:
    r"""A text with its misleading characters escaped.

    Parameters
    ----------
    text
        Any; an escaped one stays the same.
    kept
        Characters that are not escaped.

    Examples
    --------
    >>> print(plain_text("Ann" + chr(27) + "[2J, Пётр, 李"))
    Ann\x1b[2J, Пётр, 李
    """
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(each if each in kept or is_plain(each) else ascii(each)[1:-1] for each in text)


def plain_values(value: Any) -> Any:
    """A JSON value with every text in it escaped, names of fields too."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, dict):
        return {plain_values(name): plain_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(each) for each in value]
    return value
