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

A raise's amount is what the player adds, where the line has no "to". What nobody matched is part of what its owner
wins. A tournament may print no blinds but ``Blinds-Antes(1,250/2,500 -250)``: those next to the button post them.
A player that "has joined the table" has neither seat nor stack: it sits at the first free seat after the one that
posted before it, and its stack is as deep as needed. Texts by e-mail end in balances.
"""

import re
from functools import partial

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import Events, Match, board, check, dealt, fold, mucked, passed, refuse, shown
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem, moment, code_of

__all__ = ["PARTY"]

_events = Events(amount)
_GAME = re.compile(r"(?P<game>.*(?:hold'?em|omaha|stud|short deck).*?)\s+-\s+(?P<time>.*\d{4}.*)$", re.IGNORECASE)
_BLINDS = re.compile(r"(?:.* )?(?:Blinds|Stakes)(?:-Antes)?\((?P<small>[^/()]+)/(?P<big>[^/()-]+)(?:-(?P<ante>[^()]+))?\)")
_CASH = re.compile(r"[^\d\s]{0,4}\d[\d.,]*/(?P<big>[^\d\s]{0,4}\d[\d.,]*)")
_TOURNAMENT = re.compile(r"(?:Trny: ?|Tournament #)(?P<number>\d+)")
_TIME = re.compile(
    r"(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>\d{1,2}),? (?P<clock>\d{1,2}:\d{2}:\d{2}) *\w* *(?P<year>\d{4})"
)
_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}


def _begin(deal: Deal, found: Match) -> None:
    deal.id = code_of(found["id"])
    deal.betting = ""
    deal.within = True


def _game(deal: Deal, player: int, found: Match) -> None:
    if deal.betting:
        return
    game = found["game"]
    expect_holdem(game)
    deal.betting = betting_of(game.replace("(NL)", "NL ").replace("(PL)", "PL "))
    if number := _TOURNAMENT.search(game):
        deal.tournament = number["number"]
    elif "Tourney" in game or "Buy-in" in game:
        deal.tournament = "?"
    stakes = _CASH.match(game)
    if stakes and deal.betting != "limit":
        deal.big_blind = amount(stakes["big"])
    if not deal.tournament:
        deal.currency = currency_of(game)
    if time := _TIME.search(found["time"]):
        clock = dict(zip(("hour", "minute", "second"), time["clock"].split(":"), strict=True))
        day = {"year": time["year"], "month": str(_MONTHS.get(time["month"], 0)), "day": time["day"]}
        deal.time = moment(day, clock)
    _blinds(deal, player, _BLINDS.match(game))


def _blinds(deal: Deal, player: int, found: Match | None) -> None:
    if found is not None:
        deal.levels = amount(found["small"]), amount(found["big"]), amount(found["ante"] or "0")
        deal.big_blind = deal.levels[1]


def _trny(deal: Deal, player: int, found: Match) -> None:
    deal.tournament = found["number"]


def _table(deal: Deal, player: int, found: Match) -> None:
    deal.table = found["text"].removeprefix("Table").strip()
    if found.groupdict().get("seat"):
        deal.button = int(found["seat"])
    if found["name"] == "Play":
        deal.currency = ""


def _count(deal: Deal, player: int, found: Match) -> None:
    deal.places = int(found["seat"])


def _joined(kind: str, deal: Deal, player: int, found: Match) -> None:
    """A newcomer that no line has seated posts."""
    before = deal.posts[-1][0] if deal.posts else -1
    start = deal.numbers[before] if before >= 0 else deal.button or 0
    places = max(deal.places, *deal.numbers, 2)
    free = [seat for step in range(places) if (seat := (start + step) % places + 1) not in deal.numbers]
    if not free:
        raise Refused("no seat", f"{found['name'][:40]!r} posts: expected a player at the table")
    deal.seat(found["name"], free[0], None)
    _events.post(kind)(deal, deal.names[found["name"]], found)


def _all_in(deal: Deal, player: int, found: Match) -> None:
    _events.act("all-in")(deal, player, found)
    if deal.stacks[player] is None:
        put = sum(chips for owner, _, chips in deal.posts if owner == player)
        put += sum(chips for owner, verb, chips, _ in deal.acts if owner == player and verb != "to")
        deal.stacks[player] = put


def _balance(deal: Deal, player: int, found: Match) -> None:
    """The line of a player in the summary of a text by e-mail."""
    if collected := re.search(r"collected (?P<amount>[^\s,]*\d[\d.,]*)", found["text"]):
        deal.collected.append((list(deal.names)[player], amount(collected["amount"].rstrip(","))))
    if cards := re.search(r"\[ *(?P<cards>\S\S,? \S\S) *\]", found["text"]):
        shown(deal, player, cards)


def _finish(deal: Deal) -> None:
    if not deal.betting:
        raise Refused("unknown format", "expected a line with the game, as 'NL Texas Hold'em'")
    if deal.levels and not any(kind in ("small", "big") for _, kind, _ in deal.posts):
        _post_levels(deal, *deal.levels)


def _post_levels(deal: Deal, small: int, big: int, ante: int) -> None:
    """The posts of a tournament that prints none, by its level: antes of all, then the blinds."""
    seats = sorted(range(len(deal.numbers)), key=deal.numbers.__getitem__)
    button = deal.button or 0
    seats = [p for p in seats if deal.numbers[p] > button] + [p for p in seats if deal.numbers[p] <= button]
    if len(seats) < 2:
        return
    left = [deal.stacks[p] or 0 for p in range(len(deal.numbers))]
    anted = {player for player, kind, _ in deal.posts if kind == "ante"}
    for player, kind, chips in deal.posts:
        left[player] -= chips if kind == "ante" else 0
    if ante and not anted:
        for player in seats:
            deal.posts.append((player, "ante", min(ante, left[player])))
            left[player] -= min(ante, left[player])
    first, second = (seats[1], seats[0]) if len(seats) == 2 else seats[:2]
    for player, kind, chips in ((first, "small", small), (second, "big", big)):
        if min(chips, left[player]) > 0:
            deal.posts.append((player, kind, min(chips, left[player])))


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
        ("Table {text} ({name} Money ) -- Seat {seat} is the button", _table),
        ("Table {text} ({name} Money) -- Seat {seat} is the button", _table),
        ("Table {text} ( {name} Money )", _table),
        ("Table {text} ({name} Money)", _table),
        ("Seat {seat} is the button", _events.button),
        ("Total number of players : {amount}/{seat}", _count),
        ("Total number of players : {amount} / {seat}", _count),
        ("Seat {seat}: {name} ({stack})", _events.seat),
        ("seat {seat}: {name} ({stack})", _events.seat),
        ("Dealt to {name} {cards}{end}", dealt),
        ("** Dealing Flop ** {cards}", _events.street(3)),
        ("** Dealing Flop ** : {cards}", _events.street(3)),
        ("** Dealing Turn ** {cards}", _events.street(4)),
        ("** Dealing Turn ** : {cards}", _events.street(4)),
        ("** Dealing River ** {cards}", _events.street(5)),
        ("** Dealing River ** : {cards}", _events.street(5)),
        ("** {text}", passed),
        ("Board: {cards}", board),
        ("Connection Lost due to some reason", refuse("cut off")),
        ("Table Closed", refuse("cut off")),
    ),
    player=rules(
        ("folds", fold),
        ("checks", check),
        ("calls {in_brackets}", _events.act("call")),
        ("bets {in_brackets}", _events.act("bet")),
        ("raises {amount} to {to}", _events.raise_to),
        ("raises {in_brackets}", _events.act("by")),
        ("is all-In {in_brackets}", _all_in),
        ("posts small blind {in_brackets}", _events.post("small")),
        ("posts big blind + dead {in_brackets}", _events.post_both),
        ("posts big blind {in_brackets}", _events.post("big")),
        ("posts ante {in_brackets}", _events.post("ante")),
        ("posts ante of {in_brackets}", _events.post("ante")),
        ("posts straddle {in_brackets}", _events.post("straddle")),
        ("shows {cards}", shown),
        ("doesn't show {cards}", shown),
        ("does not show", mucked),
        ("wins {amount}", _events.collected),
        ("balance {text}", _balance),
    ),
    loose=(
        (_GAME, _game),
        (_BLINDS, _blinds),
        (re.compile(_TOURNAMENT.pattern), _trny),
        (re.compile(r"(?P<name>.+?) posts big blind \[(?P<amount>[^\]]+)\]"), partial(_joined, "big")),
        (re.compile(r"(?P<name>.+?) posts big blind \+ dead \[(?P<amount>[^\]]+)\]"), partial(_joined, "both")),
        (re.compile(r"(?P<name>.+?) posts small blind \[(?P<amount>[^\]]+)\]"), partial(_joined, "small")),
    ),
)
