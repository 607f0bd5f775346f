"""888poker and its network (Pacific, Cassava), in the number format and card language of each country.

    ***** 888poker Hand History for Game 418361264 *****
    $5/$10 Blinds No Limit Holdem - *** 04 03 2012 15:32:21
    Table Hokkaido (Real Money)
    Seat 6 is the button
    Seat 2: Ann ( $1,728.25 )
    Bob posts dead blind [0,01 $ + 0,02 $]
    ** Dealing flop ** [ 8s, As, 2d ]
    ** Summary **
    Ann collected [ $23.75 ]

A raise's amount is what the player adds. No total and no rake are printed. What nobody matched goes back
silently where all fold, and is "collected" at a showdown.
"""

import re

from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, code_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["PACIFIC"]

on = Events(amount)
_STAKES = re.compile(
    r"(?P<small>[^/0-9]*+[0-9][^/]*+)/(?P<big>(?:(?! Blinds ).)*+) Blinds "
    r"(?P<game>.+?) - \*\*\*(?P<time>.*)$"
)


def _begin(stated: Statement, found: Match) -> None:
    stated.id = code_of(found["id"])
    stated.betting = ""
    stated.within = "showdown"


def _stakes(stated: Statement, player: int, found: Match) -> None:
    expect_holdem(found["game"])
    stated.betting = betting_of(found["game"])
    stated.big_blind = amount(found["big"])
    stated.currency = currency_of(found["small"] + found["big"])
    stated.time = time_of(found["time"])


def _tournament(stated: Statement, player: int, found: Match) -> None:
    stated.tournament = found["text"].partition(" ")[0]
    stated.table = found["text"]
    stated.currency = ""


def _table(stated: Statement, player: int, found: Match) -> None:
    stated.table = found["text"]
    if found["name"] in ("Practice Play", "Play Money"):
        stated.currency = ""


PACIFIC = Grammar(
    name="888poker",
    header=re.compile(
        r"\*{4,5} (?:Cassava|888)[^*#]{0,40} Hand History for Game "
        r"(?P<id>[0-9]{1,18}) \*{4,5}"
    ),
    mark="Hand History",
    begin=_begin,
    table=rules(
        ("Tournament #{text} ({kind})", _tournament),
        ("Table {text} ({kind})", _table),
        ("Seat {seat} is the button", on.button),
        ("Seat {seat}: {name} ({stack}{blank}){end}", on.seat),
        ("Dealt to {name} {cards}{end}", on.dealt),
        ("** Dealing flop ** {cards}", on.street(3)),
        ("** Dealing turn ** {cards}", on.street(4)),
        ("** Dealing river ** {cards}", on.street(5)),
        ("** {text}", on.passed),
    ),
    player=rules(
        ("folds", on.fold),
        ("checks", on.check),
        ("calls {in_brackets}", on.act("call")),
        ("bets {in_brackets}", on.act("bet")),
        ("raises {in_brackets}", on.act("by")),
        ("posts small blind {in_brackets}", on.post("small")),
        ("posts big blind {in_brackets}", on.post("big")),
        ("posts ante {in_brackets}", on.post("ante")),
        ("posts the ante {in_brackets}", on.post("ante")),
        ("posts dead blind [{dead} + {live}]", on.post_two),
        ("posts straddle {in_brackets}", on.post("straddle")),
        ("shows {cards}", on.shown),
        ("mucks {cards}", on.shown),
        ("did not show", on.mucked),
        ("collected {in_brackets}", on.collected),
    ),
    loose=((_STAKES, _stakes),),
)
