"""Winamax.

    Winamax Poker - CashGame - HandId: #351984-130-1286650224 - Holdem no limit (0.02€/0.05€) - 2010/10/09 19:50:24 UTC
    Table: 'Chelles' 9-max (real money) Seat #2 is the button
    Seat 1: Ann (5€)
    *** ANTE/BLINDS ***
    Ann posts big blind 0.05€ out of position
    *** PRE-FLOP ***
    *** TURN *** [7s 2d 6h][9c]
    Ann collected 8.20€ from pot
    *** SUMMARY ***
    Total pot 8.20€ | Rake 0.35€

The total pot is what is paid out, without the rake; in tournaments it is rounded (``6.02k``) and not used. Stakes are
``ante/small/big`` with an ante, and the two bets in fixed limit.
"""

import re

from baycarp.game.notation.rooms.amounts import amount
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import (
    Events,
    Match,
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
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem, time_of

__all__ = ["WINAMAX"]

_events = Events(amount)


def _begin(deal: Deal, found: Match) -> None:
    deal.id, deal.time = found["id"], time_of(found["time"])
    deal.betting = betting_of(expect_holdem(found["game"]))
    stakes = found["stakes"].split("/")
    deal.big_blind = amount(stakes[-2 if deal.betting == "limit" else -1])
    if found["kind"].startswith("Tournament"):
        deal.tournament = found["tournament"] or found["kind"]
    else:
        deal.currency = currency_of(found["stakes"])


def _table(deal: Deal, player: int, found: Match) -> None:
    _events.table(deal, player, found)
    if deal.tournament and (number := re.search(r"\((\d+)\)#\d+$", deal.table)):
        deal.tournament = number[1]
    if "play money" in found["name"]:
        deal.currency = ""


WINAMAX = Grammar(
    name="Winamax",
    header=re.compile(
        r"Winamax Poker - (?P<kind>CashGame|Go ?Fast.*?|Escape.*?|Tournament.*?)(?P<tournament>)"
        r" - HandId: #(?P<id>[\d-]{1,60}) - (?P<game>[^()]+) \((?P<stakes>[^()]+)\) - (?P<time>.*)$",
        re.IGNORECASE,
    ),
    begin=_begin,
    table=rules(
        ("Table: '{text}' {amount}-max {name} Seat #{seat} is the button", _table),
        ("Seat {seat}: {name} ({stack}, {text} bounty){end}", _events.seat),
        ("Seat {seat}: {name} ({stack}){end}", _events.seat),
        ("Dealt to {name} {cards}{end}", dealt),
        ("*** FLOP *** {cards}", _events.street(3)),
        ("*** TURN *** {card}{cards}", _events.street(4)),
        ("*** RIVER *** {card}{cards}", _events.street(5)),
        ("*** SUMMARY ***", closing),
        ("*** FIRST {text}", refuse("run twice")),
        ("*** {text}", passed),
    ),
    player=rules(
        ("folds", fold),
        ("checks", check),
        ("calls {money}", _events.act("call")),
        ("bets {money}", _events.act("bet")),
        ("raises {money}{sign} to {to}", _events.raise_to),
        ("posts ante {money}", _events.post("ante")),
        ("posts small blind {money}{sign} out of position", _events.post("dead")),
        ("posts small blind {money}", _events.post("small")),
        ("posts big blind {money}{sign} out of position", _events.post("live")),
        ("posts big blind {money}", _events.post("big")),
        ("posts dead blind ({money}", _events.post("dead")),
        ("posts straddle {money}", _events.post("straddle")),
        ("shows {cards}", shown),
        ("mucks", mucked),
        ("collected {money}{sign} from", _events.collected),
    ),
    summary=rules(
        ("Total pot {money}{text}", _events.pot),
        ("Board: {cards}", board),
        ("Seat {seat}: {text}", _events.seat_won),
    ),
)
