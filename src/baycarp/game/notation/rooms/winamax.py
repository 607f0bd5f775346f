"""Winamax.

    Winamax Poker - CashGame - HandId: #351984-130-1286650224 - Holdem no limit (0.02€/0.05€) - ... UTC
    Table: 'Chelles' 9-max (real money) Seat #2 is the button
    Seat 1: Ann (5€)
    *** ANTE/BLINDS ***
    Ann posts big blind 0.05€ out of position
    *** PRE-FLOP ***
    *** TURN *** [7s 2d 6h][9c]
    Ann collected 8.20€ from pot
    *** SUMMARY ***
    Total pot 8.20€ | Rake 0.35€

The total pot is what is paid out, without the rake; in tournaments it is rounded (``6.02k``) and not used.
Stakes are ``ante/small/big`` with an ante, and the two bets in fixed limit.
"""

import re

from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["WINAMAX"]

on = Events(amount)


def _begin(stated: Statement, found: Match) -> None:
    stated.id, stated.time = found["id"], time_of(found["time"])
    stated.betting = betting_of(expect_holdem(found["game"]))
    stakes = found["stakes"].split("/")
    stated.big_blind = amount(stakes[-2 if stated.betting == "limit" else -1])
    if found["kind"].startswith("Tournament"):
        stated.tournament = found["kind"]
    else:
        stated.currency = currency_of(found["stakes"])


def _table(stated: Statement, player: int, found: Match) -> None:
    on.table(stated, player, found)
    if stated.tournament and (number := re.search(r"\(([0-9]+)\)#[0-9]+$", stated.table)):
        stated.tournament = number[1]
    if "play money" in found["name"]:
        stated.currency = ""


WINAMAX = Grammar(
    name="Winamax",
    header=re.compile(
        r"Winamax Poker - (?P<kind>CashGame|Go ?Fast.*?|Escape.*?|Tournament.*?)"
        r" - HandId: #(?P<id>[0-9-]{1,60}) - (?P<game>[^()]+) \((?P<stakes>[^()]+)\) - (?P<time>.*)$",
        re.IGNORECASE,
    ),
    begin=_begin,
    table=rules(
        ("Table: '{text}' {amount}-max {rest} Seat #{seat} is the button", _table),
        ("Seat {seat}: {name} ({stack}{blank}, {money}{sign} bounty){end}", on.seat),
        ("Seat {seat}: {name} ({stack}{blank}){end}", on.seat),
        ("Dealt to {name} {cards}{end}", on.dealt),
        ("*** FLOP *** {cards}", on.street(3)),
        ("*** TURN *** {card}{blank}{cards}", on.street(4)),
        ("*** RIVER *** {card}{blank}{cards}", on.street(5)),
        ("*** SUMMARY ***", on.closing),
        ("*** FIRST {text}", on.refuse("run twice")),
        ("*** {text}", on.passed),
    ),
    player=rules(
        ("folds", on.fold),
        ("checks", on.check),
        ("calls {money}", on.act("call")),
        ("bets {money}", on.act("bet")),
        ("raises {money}{sign} to {to}", on.raise_to),
        ("posts ante {money}", on.post("ante")),
        ("posts small blind {money}{sign} out of position", on.post("dead")),
        ("posts small blind {money}", on.post("small")),
        ("posts big blind {money}{sign} out of position", on.post("live")),
        ("posts big blind {money}", on.post("big")),
        ("posts dead blind ({money}", on.post("dead")),
        ("posts straddle {money}", on.post("straddle")),
        ("shows {cards}", on.shown),
        ("mucks", on.mucked),
        ("collected {money}{sign} from", on.collected),
    ),
    summary=rules(
        ("Total pot {money}{text}", on.pot),
        ("Board: {cards}", on.board),
        ("Seat {seat}: {text}", on.seat_won),
    ),
)
