"""Poker hand histories, PHH (one hand) and PHHS (many), both ways.

Fixed limit (``FT``) and no-limit (``NT``) hold'em; other games are refused by name. PHH's p1, p2, ... are
positions 0, 1, ...; but heads-up its lists of blinds and antes are written **button first**: ``[1, 2]`` means
that p1, the big blind, posts 2 (pokerkit turns them round, and so does this module).

PHH amounts may be fractions and stacks infinite. Chips here are whole: amounts are multiplied by the least
number that makes all of them whole, and ``Hand.unit`` is what one chip is then worth.

As people write it: a newcomer's post is a negative blind; blinds above ``min_bet`` are straddles; ``sm``
without cards mucks, and a mucked hand loses; ``winnings`` are net of rake; an amount may be a text like
``"$1,234.50"``. Fields of our own begin with ``_``, as the format allows.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from baycarp.errors import BaycarpError, NotationError
from baycarp.files import text_writer
from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import LONGEST_HAND, Hand, Refusal, Refused, attempt, lines
from baycarp.game.notation.phh_reader import hand_of
from baycarp.game.notation.phh_text import fields
from baycarp.game.notation.phh_writer import body_of

__all__ = [
    "PHH",
    "Section",
    "format_phh",
    "parse_phh",
    "read_phhs",
    "read_section",
    "sections",
    "write_phhs",
]

_BLANKS = " \t\ufeff"
_HEADED = re.compile(r"\s*\[ *[\w.-]{1,40} *\][ \t]*(?:#.*)?\n")
_FIELD = re.compile(r"^[ \t]*(?:variant[ \t]*=[ \t]*['\"]|antes[ \t]*=[ \t]*\[)", re.MULTILINE)
_SECTION = re.compile(r"[\s\ufeff]*\[\s*([\w.-]{1,40}|'[^'\n]{1,40}'|\"[^\"\n]{1,40}\")\s*\]\s*(?:#.*)?")


def parse_phh(string: str) -> Hand:
    """Read one hand.

    Raises
    ------
    NotationError
        The fault of the text or of the hand.

    Examples
    --------
    >>> hand = parse_phh('''
    ... variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ["d dh p1 AcAd", "d dh p2 ????", "p2 cbr 6", "p1 f"]
    ... ''')
    >>> hand.variant.blinds, [str(action) for action in hand.actions]
    ((2, 1), ['raise to 6', 'fold'])
    """
    hands = list(sections(string.splitlines(keepends=True)))
    if len(hands) != 1:
        raise NotationError(f"PHH: expected one hand, got {len(hands)} sections")
    return read_section(hands[0])


def format_phh(hand: Hand) -> str:
    """Print one hand.

    Raises
    ------
    NotationError
        PHH cannot express the hand.
    """
    return body_of(hand) + "\n"


def read_phhs(path: str | PathLike[str], refusal: Refusal | None = None) -> Iterator[Hand]:
    """Read the hands of a PHHS file, or the one of a PHH file (``.gz`` is unpacked on the way).

    Parameters
    ----------
    path
        The file: one hand, or several under headers ``[1]``, ``[2]``, ...
    refusal
        Called with each hand that cannot be read, as a ``Refused`` whose reason can be counted (another game
        than hold'em is one); without it the first one is raised.

    Raises
    ------
    NotationError
        The file cannot be read; or the fault of a hand, and its line.
    """
    yield from _read(lines(path), str(path), refusal)


def _read(source: Iterable[str], where: str, refusal: Refusal | None) -> Iterator[Hand]:
    for section in sections(source):
        place = ", ".join(filter(None, (where, section.where)))
        yield from attempt(partial(read_section, section), place, refusal)


def write_phhs(path: str | PathLike[str], hands: Iterable[Hand]) -> int:
    """Write hands as a PHHS file (packed where the path ends in ``.gz``) and return their number."""
    count = 0
    with text_writer(Path(path)) as file:
        for count, hand in enumerate(hands, start=1):
            file.write(f"[{count}]\n{body_of(hand)}\n\n")
    return count


class Section(NamedTuple):
    """One hand of a file, not read yet: its name, the line that it begins on, its text."""

    name: str
    line: int
    body: str

    @property
    def where(self) -> str:
        """Its place in the file."""
        return f"line {self.line}" + (f" (hand {self.name})" if self.name else "")


def sections(source: Iterable[str]) -> Iterator[Section]:
    """Part the lines of a file at its headers, one hand at a time; without headers it is all one hand."""
    name, line, body, size, headed = "", 1, list[str](), 0, False
    for number, row in enumerate(source, start=1):
        if row.lstrip(_BLANKS)[:1] == "[" and (head := _SECTION.fullmatch(row)):
            if headed:
                yield Section(name, line, "".join(body))
            name = head[1].strip("'\"")
            line = number
            body = []
            size = 0
            headed = True
        elif size <= LONGEST_HAND:  # a longer one is refused by its beginning
            body.append(row)
            size += len(row)
    yield Section(name, line, "".join(body))


def read_section(section: Section) -> Hand:
    """Read one hand of a file.

    Raises
    ------
    NotationError
        The fault of the hand.
    """
    body = section.body.removeprefix("\ufeff")
    if len(body) > LONGEST_HAND:
        raise Refused("hand too long", f"{len(body)} characters: expected at most {LONGEST_HAND}")
    try:
        return hand_of(fields(body), section.name)
    except NotationError:
        raise
    except BaycarpError as error:
        raise Refused("not a hand of this game", str(error)) from error


def _recognises(beginning: str) -> bool:
    return _HEADED.match(beginning) is not None or _FIELD.search(beginning) is not None


PHH = Format("PHH", _recognises, _read)
