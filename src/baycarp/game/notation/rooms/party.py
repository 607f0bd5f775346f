"""PartyPoker, and what converters and tools print in its manner.

    ***** Hand History for Game 10398176832 *****
    $10 USD NL Texas Hold'em - Monday, April 25, 09:42:13 BST 2011
    Table Table  125413 (Real Money)
    Seat 3 is the button
    Total number of players : 4/6
    Seat 3: Ann ( $964 USD )
    Ann posts small blind [$0.05 USD].
    ** Dealing Flop ** [ Ah, 2h, Kh ]
    Ann is all-In  [$3.20 USD]
    Ann wins $278 USD from the main pot with a flush, Ace high.

A raise's amount is what the player adds, where the line has no "to". What nobody matched is part of what its
owner wins. A tournament may print no blinds but ``Blinds-Antes(1,250/2,500 -250)``: those next to the button
post them. A player that "has joined the table" has neither seat nor stack: it sits at the first free seat
after the one that posted before it, and its stack is as deep as needed. Texts by e-mail end in balances.
"""

import re
from functools import partial

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, code_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["PARTY"]

on = Events(amount)
_KINDS = "hold'?em|omaha|stud|short deck"
_GAME = re.compile(
    rf"(?P<game>.*(?:{_KINDS})(?:(?!{_KINDS}|(?<!\s)\s++-\s).)*+)"
    r"\s++-\s++(?P<time>(?=.*[0-9]{4}).*)$",
    re.IGNORECASE,
)
_BLINDS = re.compile(
    r"(?:.* )?(?:Blinds|Stakes)(?:-Antes)?\((?P<small>[^/()]+)/(?P<big>[^/()-]+)(?:-(?P<ante>[^()]+))?\)"
)
_CASH = re.compile(r"[^\d\s]{0,4}[0-9][0-9.,]*/(?P<big>[^\d\s]{0,4}[0-9][0-9.,]*)")
_TOURNAMENT = re.compile(r"(?:Trny: ?|Tournament #)(?P<number>[0-9]+)")


def _begin(stated: Statement, found: Match) -> None:
    stated.id = code_of(found["id"])
    stated.betting = ""
    stated.within = "always"


def _game(stated: Statement, player: int, found: Match) -> None:
    if stated.betting:
        return
    game = found["game"]
    expect_holdem(game)
    stated.betting = betting_of(game.replace("(NL)", "NL ").replace("(PL)", "PL "))
    if number := _TOURNAMENT.search(game):
        stated.tournament = number["number"]
    elif "Tourney" in game or "Buy-in" in game:
        stated.tournament = "?"
    stakes = _CASH.match(game)
    if stakes and stated.betting != "limit":
        stated.big_blind = amount(stakes["big"])
    if not stated.tournament:
        stated.currency = currency_of(game)
    stated.time = time_of(found["time"])
    _blinds(stated, player, _BLINDS.match(game))


def _blinds(stated: Statement, player: int, found: Match | None) -> None:
    if found is not None:
        stated.levels = amount(found["small"]), amount(found["big"]), amount(found["ante"] or "0")
        stated.big_blind = stated.levels[1]


def _trny(stated: Statement, player: int, found: Match) -> None:
    stated.tournament = found["number"]


def _table(stated: Statement, player: int, found: Match) -> None:
    stated.table = found["text"].removeprefix("Table").strip()
    if found.groupdict().get("seat"):
        stated.button = int(found["seat"])
    if found["name"] == "Play":
        stated.currency = ""


def _count(stated: Statement, player: int, found: Match) -> None:
    stated.places = int(found["seat"])


def _joined(kind: str, stated: Statement, player: int, found: Match) -> None:
    """A newcomer that no line has seated posts."""
    before = stated.posts[-1][0] if stated.posts else -1
    start = stated.numbers[before] if before >= 0 else stated.button or 0
    places = max(stated.places, *stated.numbers, 2)
    around = ((start + step) % places + 1 for step in range(places))
    free = next((seat for seat in around if seat not in stated.numbers), None)
    if free is None:
        raise Refused("no seat", f"{found['name'][:40]!r} posts: expected a player at the table")
    stated.seat(found["name"], free, None)
    on.post(kind)(stated, stated.names[found["name"]], found)


def _all_in(stated: Statement, player: int, found: Match) -> None:
    on.act("all-in")(stated, player, found)
    if stated.stacks[player] is None:
        put = sum(chips for owner, _, chips in stated.posts if owner == player)
        put += sum(chips for owner, verb, chips, _ in stated.acts if owner == player and verb != "to")
        stated.stacks[player] = put


def _balance(stated: Statement, player: int, found: Match) -> None:
    """The line of a player in the summary of a text by e-mail."""
    if collected := re.search(r"collected (?P<amount>[^\s,]*[0-9][0-9.,]*)", found["text"]):
        stated.collected.append((list(stated.names)[player], amount(collected["amount"].rstrip(","))))
    if cards := re.search(r"\[ *(?P<cards>\S\S,? \S\S) *\]", found["text"]):
        on.shown(stated, player, cards)


def _finish(stated: Statement) -> None:
    if not stated.betting:
        raise Refused("unknown format", "expected a line with the game, as 'NL Texas Hold'em'")
    for player in {row[0] for row in stated.posts} | {row[0] for row in stated.acts}:
        stated.stacks[player] = stated.stacks[player] or None  # of one that has just joined, 0 is printed
    if stated.levels and not any(kind in ("small", "big") for _, kind, _ in stated.posts):
        _post_levels(stated, *stated.levels)


def _post_levels(stated: Statement, small: int, big: int, ante: int) -> None:
    """The posts of a tournament that prints none, by its level: antes of all, then the blinds."""
    seats = sorted(range(len(stated.numbers)), key=stated.numbers.__getitem__)
    button = stated.button or 0
    seats = [p for p in seats if stated.numbers[p] > button] + [
        p for p in seats if stated.numbers[p] <= button
    ]
    if len(seats) < 2:
        return
    left = [stated.stacks[p] or 0 for p in range(len(stated.numbers))]
    anted = {player for player, kind, _ in stated.posts if kind == "ante"}
    for player, kind, chips in stated.posts:
        left[player] -= chips if kind == "ante" else 0
    if ante and not anted:
        for player in seats:
            stated.posts.append((player, "ante", min(ante, left[player])))
            left[player] -= min(ante, left[player])
    first, second = (seats[1], seats[0]) if len(seats) == 2 else seats[:2]
    for player, kind, chips in ((first, "small", small), (second, "big", big)):
        if min(chips, left[player]) > 0:
            stated.posts.append((player, kind, min(chips, left[player])))


def _clean(line: str) -> str:
    line = line.strip(" \t\r\n\0")
    return re.sub(r"^.* is sitting out(?=[^\s.])", "", line) if " is sitting out" in line else line


PARTY = Grammar(
    name="PartyPoker",
    header=re.compile(r"\*{5} Hand History [Ff]or Game (?P<id>\w{1,40}) \*{5}"),
    mark="Hand History",
    begin=_begin,
    finish=_finish,
    clean=_clean,
    table=rules(
        ("Table {text} ({kind} Money ) -- Seat {seat} is the button", _table),
        ("Table {text} ({kind} Money) -- Seat {seat} is the button", _table),
        ("Table {text} ( {kind} Money )", _table),
        ("Table {text} ({kind} Money)", _table),
        ("Seat {seat} is the button", on.button),
        ("Total number of players : {amount}/{seat}", _count),
        ("Total number of players : {amount} / {seat}", _count),
        ("Seat {seat}: {name} ({stack}{blank})", on.seat),
        ("seat {seat}: {name} ({stack}{blank})", on.seat),
        ("Dealt to {name} {cards}{end}", on.dealt),
        ("** Dealing Flop ** {cards}", on.street(3)),
        ("** Dealing Flop ** : {cards}", on.street(3)),
        ("** Dealing Turn ** {cards}", on.street(4)),
        ("** Dealing Turn ** : {cards}", on.street(4)),
        ("** Dealing River ** {cards}", on.street(5)),
        ("** Dealing River ** : {cards}", on.street(5)),
        ("** {text}", on.passed),
        ("Board: {cards}", on.board),
        ("Connection Lost due to some reason", on.refuse("cut off")),
        ("Table Closed", on.refuse("cut off")),
    ),
    player=rules(
        ("folds", on.fold),
        ("checks", on.check),
        ("calls {in_brackets}", on.act("call")),
        ("bets {in_brackets}", on.act("bet")),
        ("raises {amount} to {to}", on.raise_to),
        ("raises {in_brackets}", on.act("by")),
        ("is all-In {in_brackets}", _all_in),
        ("posts small blind {in_brackets}", on.post("small")),
        ("posts big blind + dead {in_brackets}", on.post_both),
        ("posts big blind {in_brackets}", on.post("big")),
        ("posts ante {in_brackets}", on.post("ante")),
        ("posts ante of {in_brackets}", on.post("ante")),
        ("posts straddle {in_brackets}", on.post("straddle")),
        ("shows {cards}", on.shown),
        ("doesn't show {cards}", on.shown),
        ("does not show", on.mucked),
        ("wins {amount}", on.collected),
        ("balance {text}", _balance),
    ),
    loose=(
        (_GAME, _game),
        (_BLINDS, _blinds),
        (re.compile(_TOURNAMENT.pattern), _trny),
        (re.compile(r"(?P<name>.+?) posts big blind \[(?P<amount>[^\[\]]+)\]"), partial(_joined, "big")),
        (
            re.compile(r"(?P<name>.+?) posts big blind \+ dead \[(?P<amount>[^\[\]]+)\]"),
            partial(_joined, "both"),
        ),
        (re.compile(r"(?P<name>.+?) posts small blind \[(?P<amount>[^\[\]]+)\]"), partial(_joined, "small")),
    ),
)
