"""Full Tilt Poker, as it printed until 2014; its later texts are PokerStars'.

Full Tilt Poker Game #32616909390: Table Vera (6 max) - NL Hold'em - $0.01/$0.02 - 08:55:55 ET - 2013/05/08
Full Tilt Poker Game #30005838066: $4 + $0.40 Rush (233183652), Table 5 - 20/40 - No Limit Hold'em - ...
Seat 2: Ann ($2)
Ann posts the small blind of $0.01
The button is in seat #3
Ann raises to $0.04
Uncalled bet of $0.02 returned to Ann
Ann wins the pot ($0.31) with a pair of Sixes
"""

import re

from baycarp.game.notation.rooms.amounts import plain_amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, code_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["FULL_TILT"]

on = Events()
_STAKES = re.compile(
    r"(?P<small>[^\d\s/]{0,4}[0-9][0-9.,]*[KMB]?)/(?P<big>[^\d\s/]{0,4}[0-9][0-9.,]*[KMB]?)(?: Ante \S+)?$"
)
_TOURNAMENT = re.compile(r"\((?P<number>[0-9]{4,})\), ")
_TABLE = re.compile(r"\b(?:Table|Match) (?P<name>.+?)(?: \(.*)?$")


def _begin(stated: Statement, found: Match) -> None:
    stated.id = code_of(found["id"])
    parts = found["rest"].split(" - ")
    game = next(
        (part for part in parts[1:] if re.search(r"hold'em|omaha|stud|razz|draw|badugi", part, re.I)), ""
    )
    if " - Cap " in found["rest"] or re.search(r"\bcap\b", game, re.IGNORECASE):
        on.refuse("another game")(stated, -1, found)
    stated.betting = betting_of(game if expect_holdem(game) else "")
    stakes = next((match for part in parts[1:] if (match := _STAKES.match(part.strip()))), None)
    if tournament := _TOURNAMENT.search(found["rest"]):
        stated.tournament = tournament["number"]
    if table := _TABLE.search(parts[0]):
        stated.table = table["name"]
    if stakes:
        if not stated.tournament:
            stated.currency = currency_of(stakes[0])
        stated.big_blind = plain_amount(stakes["big"])
    stated.time = time_of(" - ".join(parts[-2:]))
    if "(partial)" in found["rest"]:
        on.refuse("cut off")(stated, -1, found)


FULL_TILT = Grammar(
    name="Full Tilt",
    header=re.compile(r"Full ?Tilt ?Poker(?:\.\w+)? Game #(?P<id>[0-9]{1,18}): (?P<rest>.+)$"),
    begin=_begin,
    table=rules(
        ("Seat {seat}: {name} ({stack}{blank}){end}", on.seat),
        ("Seat {seat}: {name} ({stack}{blank}), is sitting out", on.seat),
        ("The button is in seat #{seat}", on.button),
        ("Dealt to {name} {cards}{end}", on.dealt),
        ("*** FLOP *** {cards}", on.street(3)),
        ("*** TURN *** {card}{blank}{cards}", on.street(4)),
        ("*** RIVER *** {card}{blank}{cards}", on.street(5)),
        ("*** SUMMARY ***", on.closing),
        *(
            (f"*** {street} 1 ***", on.refuse("run twice"))
            for street in ("FLOP", "TURN", "RIVER", "SHOW DOWN")
        ),
        ("*** {text}", on.passed),
        ("Uncalled bet of {amount} returned to {name}{end}", on.returned),
        ("Ante of {amount} returned to {name}{end}", on.returned),
        ("Hand #{text} has been cancel", on.refuse("cancelled hand")),
    ),
    player=rules(
        ("folds", on.fold),
        ("checks", on.check),
        ("calls {amount}", on.act("call")),
        ("bets {amount}", on.act("bet")),
        ("raises to {amount}", on.act("to")),
        ("posts the small blind of {amount}", on.post("small")),
        ("posts a dead small blind of {amount}", on.post("dead")),
        ("posts the big blind of {amount}", on.post("big")),
        ("posts a dead big blind of {amount}", on.post("live")),
        ("posts {amount}", on.post("live")),
        ("antes {amount}", on.post("ante")),
        ("straddles {amount}", on.post("straddle")),
        ("shows {cards}", on.shown),
        ("mucks", on.mucked),
        ("wins the pot ({amount})", on.collected),
        ("wins the {name} pot ({amount})", on.collected),
        ("wins side pot #{seat} ({amount})", on.collected),
        ("ties for the pot ({amount})", on.collected),
        ("ties for the {name} pot ({amount})", on.collected),
        ("ties for side pot #{seat} ({amount})", on.collected),
        ("wins pot {seat} ({amount})", on.collected),
        ("is observing", on.absent),
    ),
    summary=rules(
        ("Total pot {amount}{text}", on.pot),
        ("Board: {cards}", on.board),
        ("Seat {seat}: {text}", on.seat_won),
    ),
)
