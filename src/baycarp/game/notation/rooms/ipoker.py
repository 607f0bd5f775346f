"""iPoker's XML: a session, its games, their players, rounds and actions.

    <session sessioncode="3279576281"><general><gametype>Holdem NL $0.10/$0.20</gametype> ...
    <game gamecode="2855468557"><general><startdate>2011-07-22 17:31:11</startdate><players>
    <player seat="3" name="Ann" chips="$21.64" dealer="1" win="$3.76" bet="$1.10" />
    <round no="1"><cards type="Pocket" player="Ann">HQ DQ</cards>
    <action no="9" player="Ann" type="23" sum="$0.30" cards=""/>

Actions stand by player, and ``no`` is their order. ``sum`` is what the player adds, in a raise (23) its
total. ``win`` has what nobody matched. The text is read by its tags alone: no document type, no entity but
XML's own five.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt
from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.build import hand_of
from baycarp.game.notation.rooms.header import code_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["IPOKER"]

NAME = "iPoker"
LONGEST_GAME = 1 << 18
"""Characters of a game, at most."""

_TAG = re.compile(r"<(player|action|cards|round|startdate)\b([^<>]*)>([^<>]*)")
_ATTRIBUTE = re.compile(r'(?<![\w-])([\w-]++)\s*=\s*"([^"]*)"')
_FIELD = re.compile(
    r"<(gametype|tablename|currency|tablecurrency|nickname|mode|tournamentcode|tournamentname)>([^<>]{0,1000})<"
)
_WHOLE = re.compile("[0-9]{1,9}")
_GAME = re.compile(r'<game\b[^<>]*gamecode="(?P<id>[\w-]{1,40})"')
_PART = re.compile(r"(?=<game\b)|(?<=</game>)|(?=<session\b)")
_TYPED = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_TYPE = re.compile(
    r"(?P<game>.*?)(?<!\s)\s*+(?:(?P<kind>NL|SL|LZ|\u0411\u041b|PL|LP|L|No limit|Pot limit|Limit|LH))\b"
    r"\s*(?:(?P<small>[^\d\s/]{0,4}\s?[0-9][^/]*)/(?P<big>[^\d\s/]{0,4}\s?[0-9]\S*))?",
    re.IGNORECASE,
)
_KINDS = {"nl": "no-limit", "sl": "no-limit", "lz": "no-limit", "бл": "no-limit", "no limit": "no-limit"}
_KINDS |= {"pl": "pot-limit", "lp": "pot-limit", "pot limit": "pot-limit"}
_POSTS = {"1": "small", "2": "big", "15": "ante"}
_ACTS = {"0": "fold", "3": "call", "4": "check", "5": "bet", "6": "by", "7": "all-in", "23": "to"}
_BOARD = {"Flop": 3, "Turn": 4, "River": 5}
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def recognises(text: str) -> bool:
    """Whether a text is a session of iPoker."""
    return ("<session" in text and "sessioncode=" in text) or bool(_GAME.search(text))


def read(lines: Iterable[str], where: str = "", refusal: Refusal | None = None) -> Iterator[Hand]:
    """The hands of a session, one game at a time (``Format.read``)."""
    for first, session, game in _games(lines):
        found = _GAME.search(game)
        place = f"{where}, line {first}" if where else f"line {first}"
        yield from attempt(
            partial(_hand, session, game), place + (f" (hand {found['id']})" if found else ""), refusal
        )


def _games(lines: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """The line, the session's head and the text of each game."""
    session, typed, kept, first, size = "", "", list[str](), 0, 0
    inside = False
    for number, line in enumerate(lines, start=1):
        if _TYPED.search(line):
            typed = "<!DOCTYPE"
        for part in _PART.split(line):
            begins = part.startswith(("<game ", "<game>"))
            if begins or part.startswith("<session"):
                if inside:
                    yield first, session, "".join(kept)
                elif begins and "<gametype>" in (head := "".join(kept)):
                    session = typed + head
                kept, size, first = [], 0, number
                inside = begins
            if size <= LONGEST_GAME:
                kept.append(part)
                size += len(part)
            if inside and part.rstrip().endswith("</game>"):
                yield first, session, "".join(kept)
                inside = False
                kept, size = [], 0
    if inside:
        yield first, session, "".join(kept)


def _hand(session: str, game: str) -> Hand:
    if len(game) > LONGEST_GAME:
        raise Refused("hand too long", f"expected at most {LONGEST_GAME} characters")
    fields = _session_fields(session)
    if fields is None or _TYPED.search(game):
        raise Refused("unknown format", "a document type or entity in iPoker's XML")
    stated = Statement()
    stated.within = "always"
    _read_session(stated, fields)
    if found := _GAME.search(game):
        stated.id = code_of(found["id"])
    _read_game(stated, game)
    try:
        return hand_of(stated, NAME)
    except Refused as error:
        if "</game>" in game:
            raise
        raise Refused("cut off", error.detail) from error


@lru_cache(maxsize=1)
def _session_fields(session: str) -> dict[str, str] | None:
    """The fields of a session's head, read once for all of its games; None = it has a document type."""
    return None if _TYPED.search(session) else dict(_FIELD.findall(session))


def _read_session(stated: Statement, fields: dict[str, str]) -> None:
    kind = _TYPE.match(fields.get("gametype", ""))
    game = kind["game"] if kind else fields.get("gametype", "")
    if kind and kind["kind"].upper() == "LH":
        game = "Holdem"
    expect_holdem(game)
    stated.betting = _KINDS.get(kind["kind"].lower(), "limit") if kind else "no-limit"
    stated.table = fields.get("tablename", "")
    stated.hero = _text(fields["nickname"]) if "nickname" in fields else None
    if kind and kind["small"]:
        stated.big_blind = amount(kind["small" if stated.betting == "limit" else "big"])
        if fields.get("mode") != "fun":
            stated.currency = currency_of(kind["small"]) or fields.get("currency", "")
    else:
        numbers = re.findall(r"[0-9]{5,}", stated.table)
        stated.tournament = (
            fields.get("tournamentcode") or (numbers or [fields.get("tournamentname") or "?"])[-1]
        )


def _read_game(stated: Statement, game: str) -> None:
    acts: list[tuple[int, int, dict[str, str]]] = []
    stage = 0
    board: dict[str, str] = {}
    for tag, given, text in _TAG.findall(game):
        fields = {name: _text(value) for name, value in _ATTRIBUTE.findall(given)}
        if tag == "player":
            _seat(stated, fields)
        elif tag == "round":
            stage = int(fields["no"]) if _WHOLE.fullmatch(fields.get("no", "")) else stage
        elif tag == "action" and _WHOLE.fullmatch(fields.get("no", "")):
            acts.append((int(fields["no"]), stage, fields))
        elif tag == "cards":
            _cards(stated, fields, text, board)
        elif tag == "startdate" and stated.time is None:
            stated.time = time_of(text)
    stated.board = tuple(" ".join(board[street] for street in _BOARD if street in board).split())
    if any(len(board[street].split()) != (3 if street == "Flop" else 1) for street in board):
        raise Refused("board of another street", f"{board}")
    for _, stage, fields in sorted(acts, key=lambda act: act[0]):
        _act(stated, stage, fields)


def _seat(stated: Statement, fields: dict[str, str]) -> None:
    name, number = fields.get("name", ""), fields.get("seat", "")
    if not name or not _WHOLE.fullmatch(number) or "chips" not in fields:
        return
    stated.seat(name, int(number), amount(fields["chips"]))
    if fields.get("dealer") == "1":
        stated.button = int(number)
    if win := amount(fields.get("win") or "0"):
        stated.collected.append((name, win))
    if "rakeamount" in fields:
        stated.rake = (stated.rake or 0) + amount(fields["rakeamount"] or "0")


def _cards(stated: Statement, fields: dict[str, str], text: str, board: dict[str, str]) -> None:
    cards = " ".join(card[1:].replace("10", "T") + card[0].lower() for card in text.split() if card != "X")
    if fields.get("type") in _BOARD:
        board[fields["type"]] = cards
    elif fields.get("player") in stated.names and cards:
        stated.holes[stated.names[fields["player"]]] = cards


def _act(stated: Statement, stage: int, fields: dict[str, str]) -> None:
    player, kind = stated.names.get(fields.get("player", "")), fields.get("type")
    if player is None:
        return
    chips = amount(fields.get("sum") or "0")
    if kind in _POSTS:
        both = kind == "2" and stated.big_blind and chips > stated.big_blind
        stated.posts.append((player, "both" if both else _POSTS[kind], chips))
    elif kind in _ACTS:
        stated.acts.append((player, _ACTS[kind], chips, (0, 0, 3, 4, 5)[min(stage, 4)]))


def _text(given: str) -> str:
    if "&" in given:
        for entity, letter in _ENTITIES.items():
            given = given.replace(entity, letter)
    return given


IPOKER = Format(NAME, recognises, read)
"""The format of the door."""
