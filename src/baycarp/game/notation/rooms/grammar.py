"""A room's text as data: what begins a hand, and the events that its lines stand for.

A rule is a template, ``"calls {amount}"``, and an event, a function of a statement, a player and the match.
Blanks of a template stand for one or more; a line is matched from its beginning, and may go on. A match
takes a time in proportion to the line: a run of blanks is tried from its first one alone, and what stands in
brackets ends at the next bracket. Rules are found by the first word of the line, or of what follows the
player's name (``": calls"`` where the room has a colon there): lines of neither kind (chat, comings and
goings) are passed over. What is lost with them shows in the chips, which must add up.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TypeAlias

from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt
from baycarp.game.notation.rooms.build import hand_of
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["Event", "Grammar", "Rules", "rules"]

Event: TypeAlias = Callable[[Statement, int, "re.Match[str]"], None]
"""What a line does: the stated, the player of the line (-1 = none), the match of the template."""

Rules: TypeAlias = dict[str, tuple[tuple["re.Pattern[str]", Event], ...]]
"""Patterns and events by the first word of what they match."""

MOST_LINES = 1500
"""Lines of a hand, at most; the rest of a longer one is dropped unread, and it is refused."""

LONGEST_LINE = 1000
"""Characters of a line, at most; the rest is dropped."""

_SEATED = re.compile(r"Seat \+?[0-9]+:")

_PARTS = {
    "amount": r"(?P<amount>[^\d\s]{0,4}[0-9][0-9.,]*[KkMB]?)",
    "money": r"[^\d\s\[(]{0,4}(?P<amount>[0-9](?:[0-9.,]|[ \u00a0\u202f](?=[0-9]{3}(?!\d)))*[KkMB]?)",
    "sign": r"\s?[^\d\s]{0,4}",
    "to": r"(?P<to>[^\d\s]{0,4}[0-9][0-9.,]*[KkMB]?)",
    "in_brackets": r"[\[(]\s*+(?P<amount>[^\])0-9]*+[0-9][^\])]*+)[\])]",
    "dead": r"(?P<amount>[^\]+0-9]*+[0-9][^\]+]*)",
    "live": r"(?P<to>[^\]+0-9]*+[0-9][^\]+]*)",
    "cards": r"\[(?P<cards>[^\[\]]*)\]",
    "card": r"\[(?P<card>[^\[\]]*)\]",
    "seat": r"(?P<seat>[0-9]{1,6})",
    "stack": r"\s*+(?P<stack>[^\d\s()]{0,4}\s?[0-9][^()]*?)",
    "name": r"(?P<name>.+?)",
    "kind": r"(?P<name>[^()]+?)",
    "rest": r"(?P<name>(?:[^']|'(?!\s))+?)",
    "text": r"(?P<text>.+)",
    "blank": r"(?<!\s)\s*+",
    "end": r"\.?(?<!\s)\s*+$",
}


def rules(*given: tuple[str, Event]) -> Rules:
    """Compile templates; among those with one first word the order given is the order tried."""
    found: dict[str, list[tuple[re.Pattern[str], Event]]] = {}
    for template, event in given:
        pattern = "".join(map(_piece, re.split(r"(\{\w+\})", template.removeprefix(": "))))
        found.setdefault(_key(template), []).append((re.compile(pattern), event))
    return {word: tuple(known) for word, known in found.items()}


def _key(text: str) -> str:
    """What rules are found by: the first word, with the colon before it if there is one."""
    if text.startswith(": "):
        return ":" + text[2:].partition(" ")[0].rstrip(".")
    return text.lstrip().partition(" ")[0].rstrip(".")


def _piece(piece: str) -> str:
    if piece[:1] == "{" and piece[1:-1] in _PARTS:
        return _PARTS[piece[1:-1]]
    return r"(?<!\s)\s++".join(map(re.escape, piece.split(" "))) if piece else ""


@dataclass(frozen=True)
class Grammar:
    """The text of a room."""

    name: str
    """The room, as people call it."""
    header: "re.Pattern[str]"
    """Matches the first line of a hand; its group ``id`` is the room's number of the hand."""
    begin: Callable[[Statement, "re.Match[str]"], None]
    """Called with the header's match; raises "another game"."""
    table: Rules
    """Rules of lines that begin with no player's name."""
    player: Rules
    """Rules of what follows a player's name."""
    summary: Rules = field(default_factory=dict)
    """Rules of lines after the summary's head, instead of ``table``."""
    loose: tuple[tuple["re.Pattern[str]", Event], ...] = ()
    """Patterns of lines that no other rule knows; the name in them is of nobody at the table."""
    anonymous: bool = False
    """Whether names stand for seats."""
    finish: Callable[[Statement], None] | None = None
    """Called when all lines of a hand have been read."""
    mark: str = "#"
    """What every first line has in it: others are not searched for one."""
    clean: Callable[[str], str] = str.strip
    """What is done to a line first."""

    def format(self) -> Format:
        """The room as a format of the door."""
        return Format(self.name, self.recognises, self.read)

    def recognises(self, text: str) -> bool:
        """Whether a line among the first of a text begins a hand of this room."""
        return any(self.header.search(self.clean(line[:LONGEST_LINE])) for line in text.splitlines())

    def read(self, lines: Iterable[str], where: str = "", refusal: Refusal | None = None) -> Iterator[Hand]:
        """The hands of a text, one at a time (``Format.read``)."""
        for first, hand_lines in self.split(lines):
            place = f"{where}, line {first}" if where else f"line {first}"
            found = self.header.match(hand_lines[0])
            if found and found.groupdict().get("id"):
                place += f" (hand {found['id']})"
            yield from attempt(partial(self.hand, hand_lines), place, refusal)

    def split(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """The lines of each hand, with the number of the first.

        Those before the first hand are the rest of one that was cut, where players are seated in them.
        """
        first, kept, begun = 0, list[str](), False
        for number, line in enumerate(lines, start=1):
            line = self.clean(line[:LONGEST_LINE])
            found = self.header.search(line) if self.mark in line else None
            if found:
                if kept and line[: found.start()].strip():  # a hand that was cut within its line
                    kept.append(line[: found.start()])
                if begun or any(map(_SEATED.match, kept)):
                    yield first, kept
                kept = [line[found.start() :]]
                begun = True
                first = number
            elif line and len(kept) <= MOST_LINES:
                first = first or number
                kept.append(line)
        if begun or any(map(_SEATED.match, kept)):
            yield first, kept

    def hand(self, lines: list[str], time: datetime | None = None) -> Hand:
        """One hand, of its lines; its time where they do not have it.

        Raises
        ------
        NotationError
            The text is of another game, is cut off, or contradicts the rules or itself.
        """
        if len(lines) > MOST_LINES:
            raise Refused("hand too long", f"expected at most {MOST_LINES} lines")
        stated = self.stated(lines)
        stated.time = stated.time or time
        try:
            return hand_of(stated, self.name, self.anonymous)
        except Refused as error:
            if stated.is_closed:
                raise
            raise Refused("cut off", error.detail) from error

    def stated(self, lines: list[str]) -> Statement:
        """What the lines of a hand state."""
        stated = Statement()
        head = lines[0] if lines else ""
        header = self.header.match(head)
        if header is None:
            raise Refused("cut off", f"{head[:60]!r}: no first line of a hand of {self.name}")
        self.begin(stated, header)
        table, player, summary = self.table, self.player, self.summary
        for line in lines[1:]:
            known = (summary if stated.closing else table).get(line.partition(" ")[0])
            if known and _apply(known, line, stated, -1):
                continue
            found = None if stated.closing else stated.split(line)
            known = player.get(_key(found[1])) if found else None
            if not (found and known and _apply(known, found[1].lstrip(" :"), stated, found[0])):
                _apply(self.loose, line, stated, -1)
        if self.finish:
            self.finish(stated)
        return stated


def _apply(
    known: tuple[tuple["re.Pattern[str]", Event], ...], text: str, stated: Statement, player: int
) -> bool:
    for pattern, event in known:
        if (found := pattern.match(text)) is not None:
            event(stated, player, found)
            return True
    return False
