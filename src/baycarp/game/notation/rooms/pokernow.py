"""PokerNow's log, a CSV of entries, the newest first; written from its public descriptions.

    entry,at,order
    "-- ending hand #7 --",2024-05-01T20:15:09.001Z,171459450900100
    "Ann @ x1" collected 40 from pot",...
    "Flop:  [7♣, 2♥, A♣]",...
    "-- starting hand #7 (id: abc)  No Limit Texas Hold'em (dealer: ""Ann @ x1"") --",...

Amounts of calls, bets, raises and posts are totals of the street. A missing small blind is dead. "Your hand
is" names no player: its cards are those of the one that shows them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from baycarp.files import parse_csv
from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Refusal, Refused, attempt
from baycarp.game.notation.rooms.amounts import plain_amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import MOST_LINES, Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, code_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["POKERNOW"]

on = Events()
_STACK = re.compile(r"#(?P<seat>[0-9]{1,4}) (?P<name>\".{1,200}?\") \((?P<stack>[0-9.,]+)\)(?: \| |$)")
_HEAD = re.compile(r"\s*\"?entry\"?,\"?at\"?,\"?order\"?\s*$", re.IGNORECASE)
_START, _END = "-- starting hand #", "-- ending hand #"


def _begin(stated: Statement, found: Match) -> None:
    stated.id = code_of(found["id"])
    stated.betting = betting_of(expect_holdem(found["game"]) and found["game"])
    stated.dealer = found["dealer"] or ""


def _stacks(stated: Statement, player: int, found: Match) -> None:
    for each in _STACK.finditer(found["text"]):
        stated.seat(each["name"], int(each["seat"]), plain_amount(each["stack"]))
    if (dealer := stated.names.get(stated.dealer)) is not None:
        stated.button = stated.numbers[dealer]


def _board(count: int, stated: Statement, player: int, found: Match) -> None:
    new = found["cards"].replace(",", " ").split()
    if len(stated.board) + len(new) != count:
        raise Refused("board of another street", f"{found[0][:60]!r} after {len(stated.board)} cards")
    stated.board += tuple(new)


def _own(stated: Statement, player: int, found: Match) -> None:
    stated.own_cards = found["text"]


def _shown(stated: Statement, player: int, found: Match) -> None:
    cards = found["text"].rstrip(".").replace(",", " ").split()
    if len(cards) == 2:
        stated.holes[player] = " ".join(cards)
        if sorted(cards) == sorted(stated.own_cards.replace(",", " ").split()):
            stated.hero = stated.name_of(player)


_LOG = Grammar(
    name="PokerNow",
    header=re.compile(
        r"-- starting hand #(?P<id>[0-9]{1,18})(?: \(id: [^)]*\))? ++\(?(?P<game>[^()]+?)\)? "
        r"(?:\(dealer: (?P<dealer>\".+\")\)|\(dead button\)) --"
    ),
    begin=_begin,
    table=rules(
        ("Player stacks: {text}", _stacks),
        ("Your hand is {text}", _own),
        ("Flop: {cards}", partial(_board, 3)),
        ("flop: {cards}", partial(_board, 3)),
        ("Turn: {name} {cards}", partial(_board, 4)),
        ("turn: {name} {cards}", partial(_board, 4)),
        ("River: {name} {cards}", partial(_board, 5)),
        ("river: {name} {cards}", partial(_board, 5)),
        ("Flop (second run): {text}", on.refuse("run twice")),
        ("Turn (second run): {text}", on.refuse("run twice")),
        ("River (second run): {text}", on.refuse("run twice")),
        ("Uncalled bet of {amount} returned to {name}{end}", on.returned),
        ("-- {text}", on.passed),
    ),
    player=rules(
        ("folds", on.fold),
        ("checks", on.check),
        ("calls {amount}", on.act("call-to")),
        ("bets {amount}", on.act("to")),
        ("raises to {amount}", on.act("to")),
        ("raises {amount}", on.act("to")),
        ("posts an ante of {amount}", on.post("ante")),
        ("posts a small blind of {amount}", on.post("small")),
        ("posts a big blind of {amount}", on.post("big")),
        ("posts a missing small blind of {amount}", on.post("dead")),
        ("posts a missed big blind of {amount}", on.post("live")),
        ("posts a straddle of {amount}", on.post("straddle")),
        ("posts a bet of {amount}", on.post("bomb")),
        ("posts a bomb pot bet of {amount}", on.post("bomb")),
        ("shows a {text}", _shown),
        ("mucks", on.mucked),
        ("collected {amount} from pot", on.collected),
    ),
)


def recognises(text: str) -> bool:
    """Whether a text is a log of PokerNow."""
    return any(_HEAD.match(line) for line in text.splitlines()[:5]) or (_START in text and "@" in text)


def read(lines: Iterable[str], where: str = "", refusal: Refusal | None = None) -> Iterator[Hand]:
    """The hands of a log, in the order of the file (``Format.read``)."""
    for first, time, entries in _hands(lines):
        place = f"{where}, line {first}" if where else f"line {first}"
        found = _LOG.header.match(entries[0])
        place += f" (hand {found['id']})" if found else ""
        yield from attempt(partial(_hand, entries, time), place, refusal)


def _hand(entries: list[str], time: str) -> Hand:
    if not entries[-1].startswith(_END):
        raise Refused("cut off", f"{entries[0][:60]!r}: no '{_END}'")
    hand = _LOG.hand(entries[:-1], _time(time))
    return replace(hand, players=tuple(name.strip('"') for name in hand.players))


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None


def _hands(lines: Iterable[str]) -> Iterator[tuple[int, str, list[str]]]:
    """The first line, the time and the entries of each hand, from its start to its end."""
    kept: list[str] = []
    first = 0
    for number, entry, time in _rows(lines):
        if entry.startswith((_START, _END)):
            opened = bool(kept) and kept[0].startswith((_START, _END))
            other = _END if opened and kept[0].startswith(_START) else _START
            if opened and entry.startswith(other):
                kept.append(entry)
                newest_first = other == _START
                yield first, time, kept[::-1] if newest_first else kept
                kept = []
                continue
            if opened:
                yield first, time, kept[::-1] if kept[0].startswith(_END) else kept
            kept = [entry]
            first = number
        elif kept and len(kept) <= MOST_LINES:
            kept.append(entry)
    if kept:
        yield first, "", kept[::-1] if kept[0].startswith(_END) else kept


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """The number, entry and time of each line; one that is no CSV is passed over."""
    for number, line in enumerate(lines, start=1):
        try:
            row = next(parse_csv([line[:20_000].strip("\r\n\0")]), [])
        except ValueError:
            continue
        if row:
            yield number, row[0].strip(), row[1].strip() if len(row) > 1 else ""


POKERNOW = Format("PokerNow", recognises, read)
"""The format of the door."""
