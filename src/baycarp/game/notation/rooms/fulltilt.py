"""Full Tilt Poker, as it printed until 2014; its later texts are PokerStars'.

    Full Tilt Poker Game #32616909390: Table Vera (6 max) - NL Hold'em - $0.01/$0.02 - 08:55:55 ET - 2013/05/08
    Full Tilt Poker Game #30005838066: $4 + $0.40 Rush (233183652), Table 5 - 20/40 - No Limit Hold'em - 21:14:44 ET - ...
    Seat 2: Ann ($2)
    Ann posts the small blind of $0.01
    The button is in seat #3
    Ann raises to $0.04
    Uncalled bet of $0.02 returned to Ann
    Ann wins the pot ($0.31) with a pair of Sixes
"""

import re

from baycarp.game.notation.rooms.amounts import plain_amount
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import (
    Events,
    Match,
    absent,
    board,
    check,
    closing,
    dealt,
    fold,
    mucked,
    passed,
    refuse,
    shown,
)
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem, moment, code_of

__all__ = ["FULL_TILT"]

_events = Events()
_STAKES = re.compile(
    r"(?P<small>[^\d\s/]{0,4}\d[\d.,]*[KMB]?)/(?P<big>[^\d\s/]{0,4}\d[\d.,]*[KMB]?)(?: Ante \S+)?(?: [^\s]+ Cap)?$"
)
_TOURNAMENT = re.compile(r"\((?P<number>\d{4,})\), ")
_TABLE = re.compile(r"\b(?:Table|Match) (?P<name>.+?)(?: \(.*)?$")
_TIME = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))? \S+ - (?:(?P<date>\d{4}/\d{1,2}/\d{1,2})|"
    r"\w+, (?P<month>\w{3})\w* (?P<day>\d{1,2}), (?P<year>\d{4}))"
)
_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}


def _begin(deal: Deal, found: Match) -> None:
    deal.id = code_of(found["id"])
    parts = found["rest"].split(" - ")
    game = next((part for part in parts[1:] if re.search(r"hold'em|omaha|stud|razz|draw|badugi", part, re.I)), "")
    if " - Cap " in found["rest"] or re.search(r"\bcap\b", game, re.IGNORECASE):
        refuse("another game")(deal, -1, found)
    deal.betting = betting_of(game if expect_holdem(game) else "")
    stakes = next((match for part in parts[1:] if (match := _STAKES.match(part.strip()))), None)
    if tournament := _TOURNAMENT.search(found["rest"]):
        deal.tournament = tournament["number"]
    if table := _TABLE.search(parts[0]):
        deal.table = table["name"]
    if stakes:
        if not deal.tournament:
            deal.currency = currency_of(stakes[0])
        deal.big_blind = plain_amount(stakes["big"])
    if time := _TIME.search(found["rest"]):
        clock = {key: time[key] for key in ("hour", "minute", "second")}
        if time["date"]:
            day = dict(zip(("year", "month", "day"), time["date"].split("/"), strict=True))
        else:
            day = {"year": time["year"], "month": str(_MONTHS.get(time["month"], 0)), "day": time["day"]}
        deal.time = moment(day, clock)
    if "(partial)" in found["rest"]:
        refuse("cut off")(deal, -1, found)


FULL_TILT = Grammar(
    name="Full Tilt",
    header=re.compile(r"Full ?Tilt ?Poker(?:\.\w+)? Game #(?P<id>\d{1,18}): (?P<rest>.+)$"),
    begin=_begin,
    table=rules(
        ("Seat {seat}: {name} ({stack}){end}", _events.seat),
        ("Seat {seat}: {name} ({stack}), is sitting out", _events.seat),
        ("The button is in seat #{seat}", _events.button),
        ("Dealt to {name} {cards}{end}", dealt),
        ("*** FLOP *** {cards}", _events.street(3)),
        ("*** TURN *** {card} {cards}", _events.street(4)),
        ("*** RIVER *** {card} {cards}", _events.street(5)),
        ("*** SUMMARY ***", closing),
        *((f"*** {street} 1 ***", refuse("run twice")) for street in ("FLOP", "TURN", "RIVER", "SHOW DOWN")),
        ("*** {text}", passed),
        ("Uncalled bet of {amount} returned to {name}{end}", _events.returned),
        ("Ante of {amount} returned to {name}{end}", _events.returned),
        ("Hand #{text} has been cancel", refuse("cancelled hand")),
    ),
    player=rules(
        ("folds", fold),
        ("checks", check),
        ("calls {amount}", _events.act("call")),
        ("bets {amount}", _events.act("bet")),
        ("raises to {amount}", _events.act("to")),
        ("posts the small blind of {amount}", _events.post("small")),
        ("posts a dead small blind of {amount}", _events.post("dead")),
        ("posts the big blind of {amount}", _events.post("big")),
        ("posts a dead big blind of {amount}", _events.post("live")),
        ("posts {amount}", _events.post("live")),
        ("antes {amount}", _events.post("ante")),
        ("straddles {amount}", _events.post("straddle")),
        ("shows {cards}", shown),
        ("mucks", mucked),
        ("wins the pot ({amount})", _events.collected),
        ("wins the {name} pot ({amount})", _events.collected),
        ("wins side pot #{seat} ({amount})", _events.collected),
        ("ties for the pot ({amount})", _events.collected),
        ("ties for the {name} pot ({amount})", _events.collected),
        ("ties for side pot #{seat} ({amount})", _events.collected),
        ("wins pot {seat} ({amount})", _events.collected),
        ("is observing", absent),
    ),
    summary=rules(
        ("Total pot {amount}{text}", _events.pot),
        ("Board: {cards}", board),
        ("Seat {seat}: {text}", _events.seat_won),
    ),
)
