"""PokerStars and the rooms that print as it does: Full Tilt of 2016, Run It Once, PokerBros, PokerMaster, BetOnline.

    PokerStars Hand #257180854570: Hold'em No Limit ($0.05/$0.10 USD) - 2025/08/02 11:24:53 CET [...]
    Table 'Wezen' 6-max Seat #3 is the button
    Seat 1: Ann ($13.53 in chips)
    Ann: posts small blind $0.05
    *** HOLE CARDS ***
    Ann: raises $0.20 to $0.30
    Uncalled bet ($0.20) returned to Ann
    Ann collected $0.20 from pot
    *** SUMMARY ***
    Total pot $0.20 | Rake $0

In fixed limit the header's stakes are the two bets, of which the small one is the big blind.
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
from baycarp.game.notation.rooms.header import betting_of, currency_of, expect_holdem, time_of, code_of

__all__ = ["LOOSE", "PLAYER", "STARS", "SUMMARY", "TABLE", "begin"]

_STAKES = re.compile(
    r"\((?:[^()]*, )?(?P<small>[^()/\d]{0,4}\d[\d.,]*)/(?P<big>[^()/\d]{0,4}\d[\d.,]*)(?P<rest>(?:[^()]|\([^()]*\))*)\)"
)
_CAP = re.compile(r"\bcap\b", re.IGNORECASE)

events = Events()

TABLE = rules(
    ("Seat {seat}: {name} ({stack} in chips) out of hand", events.absent_seat),
    ("Seat {seat}: {name} ({stack} in chips, {amount} bounty)", events.seat),
    ("Seat {seat}: {name} ({stack} in chips) [hero]", events.hero_seat),
    ("Seat {seat}: {name} ({stack} in chips)", events.seat),
    ("Table ID '{text}' {amount}-Max Seat #{seat} is the button", events.table),
    ("Table '{text}' {amount}-max Seat #{seat} is the button", events.table),
    ("Table '{text}' {amount}-max (Play Money) Seat #{seat} is the button", events.table),
    ("Table '{text}' Seat #{seat} is the button", events.table),
    ("Table '{text}' (Play Money) Seat #{seat} is the button", events.table),
    ("Table '{text}' {name} Seat #{seat} is the button", events.table),
    ("Dealt to {name} {cards}{end}", dealt),
    ("*** FLOP *** {cards}", events.street(3)),
    ("*** TURN *** {card} {cards}", events.street(4)),
    ("*** RIVER *** {card} {cards}", events.street(5)),
    ("*** FIRST {text}", refuse("run twice")),
    ("*** SECOND {text}", refuse("run twice")),
    ("*** SUMMARY ***", closing),
    ("*** {text}", passed),
    ("Uncalled bet ({amount}) returned to {name}{end}", events.returned),
    ("STP added: {amount}", events.added),
    ("Cash Drop to Pot : total {amount}", events.added),
    ("Hand cancelled", refuse("cancelled hand")),
    ("Hand was run twice", refuse("run twice")),
)
"""``{name}`` of a table's line is the rest that some rooms put there."""

PLAYER = rules(
    (": folds", fold),
    (": checks", check),
    (": calls {amount}", events.act("call")),
    (": bets {amount}", events.act("bet")),
    (": raises {amount} to {to}", events.raise_to),
    (": posts small blind {amount}", events.post("small")),
    (": posts big blind {amount}", events.post("big")),
    (": posts small & big blinds {amount}", events.post_both),
    (": posts the ante {amount}", events.post("ante")),
    (": posts missed blind {amount}", events.post_both),
    (": posts straddle {amount}", events.post("straddle")),
    (": posts button blind {amount}", refuse("another game")),
    (": posts {amount}", events.post("live")),
    (": straddle {amount}", events.post("straddle")),
    (": shows {cards}", shown),
    (": mucks hand", mucked),
    ("shows {cards}", shown),
    ("collected {amount} from", events.collected),
    (": sits out", passed),
    ("will be allowed to play after the button", absent),
)

LOOSE = re.compile(r"(?P<name>.+?) (?:collected )?(?P<amount>[^\d\s]{0,4}\d[\d.,]*) from (?:main |side )?pot(?:-\d)?$")
"""A pot that a name collects which is no player's at the table."""

SUMMARY = rules(
    ("Total pot {amount}{text}", events.pot),
    ("Board {cards}", board),
    ("FIRST Board {cards}", refuse("run twice")),
    ("Hand was run", refuse("run twice")),
    ("Seat {seat}: {text}", events.seat_won),
)


def begin(deal: Deal, found: Match) -> None:
    """The game, the stakes and the time of a header.

    Raises
    ------
    Refused
        "another game".
    """
    deal.id = code_of(found["id"])
    deal.room = found["room"].removesuffix(" Poker") if found["room"] != "Run It Once Poker" else found["room"]
    game, deal.time = found["game"], time_of(found["time"])
    if tournament := re.match(r"(?:\{.*\} +)?(?:(?:Zoom|Rush) )?Tournament #(?P<number>\w+)", game, re.IGNORECASE):
        deal.tournament = tournament["number"]
    stakes = _STAKES.search(game)
    deal.betting = betting_of(expect_holdem(game[: stakes.start("small")] if stakes else game))
    if stakes is None:
        return
    if _CAP.search(stakes["rest"]):
        refuse("another game")(deal, -1, stakes)
    deal.big_blind = plain_amount(stakes["small" if deal.betting == "limit" else "big"])
    if not deal.tournament:
        deal.currency = currency_of(stakes[0])


STARS = Grammar(
    name="PokerStars",
    header=re.compile(
        r"(?P<room>PokerStars|POKERSTARS|Hive Poker|Full Tilt|PokerMaster|Run It Once Poker|BetOnline|PokerBros)"
        r"(?: (?:Zoom|Rush|Home Game))?(?: ?(?:Game|Hand|GAME|HAND))? ?#(?P<id>\d{1,18}): +"
        r"(?P<game>.+?) +- +(?P<time>\d{4}[/-].*)$"
    ),
    begin=begin,
    table=TABLE,
    player=PLAYER,
    summary=SUMMARY,
    loose=((LOOSE, events.nameless),),
)
