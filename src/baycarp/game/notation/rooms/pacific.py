"""888poker and the rooms of its network (Pacific, Cassava), in the number format and card language of each country.

    ***** 888poker Hand History for Game 418361264 *****
    $5/$10 Blinds No Limit Holdem - *** 04 03 2012 15:32:21
    Table Hokkaido (Real Money)
    Seat 6 is the button
    Seat 2: Ann ( $1,728.25 )
    Bob posts dead blind [0,01 $ + 0,02 $]
    ** Dealing flop ** [ 8s, As, 2d ]
    ** Summary **
    Ann collected [ $23.75 ]

A raise's amount is what the player adds. No total and no rake are printed. What nobody matched goes back silently
where all fold, and is "collected" at a showdown.
"""

import re

from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import Events, Match, check, dealt, fold, mucked, passed, shown
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem, moment, code_of

__all__ = ["PACIFIC"]

_events = Events(amount)
_STAKES = re.compile(r"(?P<small>[^/]*?\d[^/]*?)/(?P<big>.*?\d.*?) Blinds (?P<game>.+?) - \*\*\*(?P<time>.*)$")
_TIME = re.compile(r"(?P<day>\d{1,2}) (?P<month>\d{1,2}) (?P<year>\d{4}) (?P<clock>\d{1,2}:\d{2}:\d{2})")


def _begin(deal: Deal, found: Match) -> None:
    deal.id = code_of(found["id"])
    deal.betting = ""


def _stakes(deal: Deal, player: int, found: Match) -> None:
    expect_holdem(found["game"])
    deal.betting = betting_of(found["game"])
    deal.big_blind = amount(found["big"])
    deal.currency = currency_of(found["small"] + found["big"])
    if time := _TIME.search(found["time"]):
        clock = dict(zip(("hour", "minute", "second"), time["clock"].split(":"), strict=True))
        deal.time = moment({"year": time["year"], "month": time["month"], "day": time["day"]}, clock)


def _tournament(deal: Deal, player: int, found: Match) -> None:
    deal.tournament = found["text"].partition(" ")[0]
    deal.table = found["text"]
    deal.currency = ""


def _table(deal: Deal, player: int, found: Match) -> None:
    deal.table = found["text"]
    if found["name"] in ("Practice Play", "Play Money"):
        deal.currency = ""


PACIFIC = Grammar(
    name="888poker",
    header=re.compile(
        r"\*{4,5} (?:Cassava|888)[\w.-]*(?: Snap Poker| BLAST)? Hand History for Game (?P<id>\d{1,18}) \*{4,5}"
    ),
    mark="Hand History",
    begin=_begin,
    table=rules(
        ("Tournament #{text} ({name})", _tournament),
        ("Table {text} ({name})", _table),
        ("Seat {seat} is the button", _events.button),
        ("Seat {seat}: {name} ({stack}){end}", _events.seat),
        ("Dealt to {name} {cards}{end}", dealt),
        ("** Dealing flop ** {cards}", _events.street(3)),
        ("** Dealing turn ** {cards}", _events.street(4)),
        ("** Dealing river ** {cards}", _events.street(5)),
        ("** {text}", passed),
    ),
    player=rules(
        ("folds", fold),
        ("checks", check),
        ("calls {in_brackets}", _events.act("call")),
        ("bets {in_brackets}", _events.act("bet")),
        ("raises {in_brackets}", _events.act("by")),
        ("posts small blind {in_brackets}", _events.post("small")),
        ("posts big blind {in_brackets}", _events.post("big")),
        ("posts ante {in_brackets}", _events.post("ante")),
        ("posts the ante {in_brackets}", _events.post("ante")),
        ("posts dead blind [{dead} + {live}]", _events.post_two),
        ("posts straddle {in_brackets}", _events.post("straddle")),
        ("shows {cards}", shown),
        ("mucks {cards}", shown),
        ("did not show", mucked),
        ("collected {in_brackets}", _events.collected),
    ),
    loose=((_STAKES, _stakes),),
)
