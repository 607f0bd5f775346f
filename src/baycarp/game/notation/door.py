"""The one door to recorded hands: any file, folder, archive or text, its format recognised by its content."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from baycarp.game.notation import irc
from baycarp.game.notation.acpc_log import acpc_log
from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Refusal, Refused
from baycarp.game.notation.meerkat import MEERKAT
from baycarp.game.notation.phh import PHH
from baycarp.game.notation.rooms import ROOMS
from baycarp.game.notation.sources import texts
from baycarp.game.variant import Variant

__all__ = ["HandSource", "formats", "read", "read_text", "recognised"]

HandSource: TypeAlias = "str | PathLike[str]"
"""The path of a file, a folder or an archive, ``-`` for standard input; or a text itself."""

BEGINNING, LONG_ROW = 8192, 512
"""Characters that a format is recognised by, and those of one line that count."""

NOT_READ = (
    ("a journal of results, which has no hands", r"[0-9a-f]{16} \{"),
    ("an ACPC game file", r"(?i)\s*gamedef"),
    ("MATCHSTATE lines", r"MATCHSTATE:"),
    ("the Open Hand History format", r'\s*\{\s*"ohh"'),
    ("Poker Mavens' hand history", r"Hand #[0-9]+-[0-9]+ - [0-9]{4}-"),
    ("Merge's hand history", r'<description type="[^"]*"\s+stakes='),
    ("Ongame's hand history", r"\*{5} History for hand "),
    ("Cake's hand history", r"Hand#[0-9]+ - "),
    ("Everleaf's hand history", r"Everleaf Gaming Game #|\*{5} Hand history for game #[0-9]+ \*{5}\s+Blinds"),
    ("Boss Media's hand history", r"<HISTORY\b"),
    ("Microgaming's hand history", r"<Game\b[^>]*hhversion="),
    ("Poker Academy's hand history", r"Poker Academy Pro #"),
    ("a tournament's summary", r"(?i)\S.{0,80}\btournament summary\b|PokerStars Tournament #"),
    ("JSON", r"\s*[\[{]\s*[\"{\[]"),
    ("HTML", r"(?i)\s*<(?:!doctype html|html)\b"),
    ("XML", r"\s*<\?xml\b"),
)
"""Formats that are known and not read, by the beginnings of their texts."""


def formats(game: Variant | None = None) -> tuple[Format, ...]:
    """The formats that are read, in the order in which they are tried; ``game`` is that of ACPC logs."""
    return (PHH, acpc_log(game), MEERKAT, *ROOMS)


def read(
    source: HandSource, refusal: Refusal | None = None, game: str | Path | Variant | None = None
) -> Iterator[Hand]:
    """Read the hands of a file, a folder, an archive or a text, whatever their formats are.

    Parameters
    ----------
    source
        A path; ``-`` for standard input; or a text. Folders are read by the names of their files; archives
        (``.gz``, ``.tar``, ``.zip``, ``.7z`` with py7zr) within bounds. The database of IRC is an archive or
        folder with its tables ``hdb``, ``hroster`` and ``pdb``.
    refusal
        Called with each hand, file or part of an archive that cannot be read, as a ``Refused`` that has a
        reason that can be counted and a place; without it the first one is raised.
    game
        The game of ACPC logs, a shipped game's name or a game file; None = the one that a log names or shows.

    Raises
    ------
    NotationError
        No such file, or without ``refusal`` the first thing that cannot be read.
    VariantError
        A game that does not exist.

    Examples
    --------
    >>> [hand.players for hand in read("STATE:0:rf:AhKd|7c2d:-10|10:Ann|Bob")]
    [('Ann', 'Bob')]
    """
    if isinstance(source, str) and (text := _is_text(source)):
        return read_text(text, refusal, game)
    return _path(Path(source), refusal, formats(_variant(game)))


def read_text(
    text: str, refusal: Refusal | None = None, game: str | Path | Variant | None = None
) -> Iterator[Hand]:
    """Read the hands of a text, which is never taken for a path; see ``read``."""
    return _lines(text.splitlines(keepends=True), "", refusal, formats(_variant(game)))


def _variant(game: str | Path | Variant | None) -> Variant | None:
    return game if isinstance(game, Variant) or game is None else Variant.load(game)


def recognised(beginning: str, known: Iterable[Format] | None = None) -> Format | None:
    """The format of a text, from its first few thousand characters; None = none that is read."""
    return next((each for each in known or formats() if each.recognises(beginning)), None)


def _is_text(source: str) -> str:
    """The text that a source is; empty where it is a path."""
    if "\n" in source:
        return source.removeprefix("\ufeff")
    return source if recognised(source) and not _exists(source) else ""


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _path(path: Path, refusal: Refusal | None, known: tuple[Format, ...]) -> Iterator[Hand]:
    if irc.is_database(path):
        yield from irc.read_archive(path, refusal)
        return
    faults: list[Refused] = []
    refuse = refusal or faults.append
    for text in texts(path, refuse):
        if refusal is None and faults:
            break
        try:
            yield from _lines(text.lines(), text.where, refusal, known)
        except Refused:
            if text.fault:  # the hand ends where the file does
                raise Refused(*text.fault) from None
            raise
    if faults:
        raise faults[0]


def _lines(
    lines: Iterable[str], where: str, refusal: Refusal | None, known: tuple[Format, ...]
) -> Iterator[Hand]:
    rows, first, size = iter(lines), list[str](), 0
    for row in rows:
        first.append(row)
        size += min(len(row), LONG_ROW)
        if size > BEGINNING:
            break
    beginning = "".join(first)
    if not beginning.strip():
        return
    found = recognised(beginning, known)
    if found is None:
        refused = Refused("unknown format", _named(beginning), where)
        if refusal is None:
            raise refused
        refusal(refused)
        return
    yield from found.read(chain(first, rows), where, refusal)


def _named(beginning: str) -> str:
    name = next((name for name, pattern in NOT_READ if re.match(pattern, beginning)), None)
    if name:
        return f"{name}: not read"
    first = beginning.strip().splitlines()[0][:60]
    read = ", ".join(each.name for each in formats())
    return f"{first!r}: expected hands of {read} or IRC"
