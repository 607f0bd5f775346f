"""Output in any encoding: characters that the terminal's encoding lacks are printed in ASCII."""

import codecs
import sys
import unicodedata
from io import TextIOWrapper

__all__ = ["make_printable"]

IN_ASCII = {"±": "+-", "µ": "u", "≠": "!=", "─": "-", "└": "+", "┤": "+", "•": "*"}
"""What is printed for a character; others lose their accents, blocks are ``#``, the rest ``?``."""


def make_printable() -> None:
    """Let standard output and standard error print every text, whatever the locale is."""
    codecs.register_error(__name__, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=__name__)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    if character in IN_ASCII:
        return IN_ASCII[character]
    if "▀" <= character <= "▟":
        return "#"
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode() or "?"
