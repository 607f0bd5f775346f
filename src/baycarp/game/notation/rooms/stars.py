"""PokerStars and its kin: Full Tilt of 2016, Run It Once, PokerBros, PokerMaster, BetOnline.

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
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import betting_of, code_of, currency_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["STARS"]

_AMOUNT = r"[^()/\d]{0,4}[0-9][0-9.,]*+"
_STAKES = re.compile(
    rf"\((?:[^()]*, )?(?P<small>{_AMOUNT})/(?P<big>{_AMOUNT})(?P<rest>(?:[^()]|\([^()]*\))*)\)"
)
_CAP = re.compile(r"\bcap\b", re.IGNORECASE)

on = Events()

_TABLE = rules(
    ("Seat {seat}: {name} ({stack} in chips) out of hand", on.absent_seat),
    ("Seat {seat}: {name} ({stack} in chips, {amount} bounty)", on.seat),
    ("Seat {seat}: {name} ({stack} in chips) [hero]", on.hero_seat),
    ("Seat {seat}: {name} ({stack} in chips)", on.seat),
    ("Table ID '{text}' {amount}-Max Seat #{seat} is the button", on.table),
    ("Table '{text}' {amount}-max Seat #{seat} is the button", on.table),
    ("Table '{text}' {amount}-max (Play Money) Seat #{seat} is the button", on.table),
    ("Table '{text}' Seat #{seat} is the button", on.table),
    ("Table '{text}' (Play Money) Seat #{seat} is the button", on.table),
    ("Table '{text}' {rest} Seat #{seat} is the button", on.table),
    ("Dealt to {name} {cards}{end}", on.dealt),
    ("*** FLOP *** {cards}", on.street(3)),
    ("*** TURN *** {card}{blank}{cards}", on.street(4)),
    ("*** RIVER *** {card}{blank}{cards}", on.street(5)),
    ("*** FIRST {text}", on.refuse("run twice")),
    ("*** SECOND {text}", on.refuse("run twice")),
    ("*** SUMMARY ***", on.closing),
    ("*** {text}", on.passed),
    ("Uncalled bet ({amount}) returned to {name}{end}", on.returned),
    ("STP added: {amount}", on.added),
    ("Cash Drop to Pot : total {amount}", on.added),
    ("Hand cancelled", on.refuse("cancelled hand")),
    ("Hand was run twice", on.refuse("run twice")),
)
"""``{rest}`` is what some rooms put there."""

_PLAYER = rules(
    (": folds", on.fold),
    (": checks", on.check),
    (": calls {amount}", on.act("call")),
    (": bets {amount}", on.act("bet")),
    (": raises {amount} to {to}", on.raise_to),
    (": posts small blind {amount}", on.post("small")),
    (": posts big blind {amount}", on.post("big")),
    (": posts small & big blinds {amount}", on.post_both),
    (": posts the ante {amount}", on.post("ante")),
    (": posts missed blind {amount}", on.post_both),
    (": posts straddle {amount}", on.post("straddle")),
    (": posts button blind {amount}", on.refuse("another game")),
    (": posts {amount}", on.post("live")),
    (": straddle {amount}", on.post("straddle")),
    (": shows {cards}", on.shown),
    (": mucks hand", on.mucked),
    ("shows {cards}", on.shown),
    ("collected {amount} from", on.collected),
    (": sits out", on.passed),
    ("will be allowed to play after the button", on.absent),
)

_LOOSE = re.compile(
    r"(?P<name>.+?) (?:collected )?(?P<amount>[^\d\s]{0,4}[0-9][0-9.,]*) from (?:main |side )?pot(?:-[0-9])?$"
)
"""A pot that a name collects which is no player's at the table."""

_SUMMARY = rules(
    ("Total pot {amount}{text}", on.pot),
    ("Board {cards}", on.board),
    ("FIRST Board {cards}", on.refuse("run twice")),
    ("Hand was run", on.refuse("run twice")),
    ("Seat {seat}: {text}", on.seat_won),
)


def _begin(stated: Statement, found: Match) -> None:
    """The game, the stakes and the time of a header.

    Raises
    ------
    Refused
        "another game".
    """
    stated.id = code_of(found["id"])
    stated.room = (
        found["room"].removesuffix(" Poker") if found["room"] != "Run It Once Poker" else found["room"]
    )
    game, stated.time = found["game"], time_of(found["time"])
    if tournament := re.match(
        r"(?:\{.*\} +)?(?:(?:Zoom|Rush) )?Tournament #(?P<number>\w+)", game, re.IGNORECASE
    ):
        stated.tournament = tournament["number"]
    stakes = _STAKES.search(game)
    stated.betting = betting_of(expect_holdem(game[: stakes.start("small")] if stakes else game))
    if stakes is None:
        return
    if _CAP.search(stakes["rest"]):
        on.refuse("another game")(stated, -1, stakes)
    stated.big_blind = plain_amount(stakes["small" if stated.betting == "limit" else "big"])
    if not stated.tournament:
        stated.currency = currency_of(stakes[0])


STARS = Grammar(
    name="PokerStars",
    header=re.compile(
        r"(?P<room>PokerStars|POKERSTARS|Hive Poker|Full Tilt|PokerMaster|Run It Once Poker|BetOnline|"
        r"PokerBros)"
        r"(?: (?:Zoom|Rush|Home Game))?(?: ?(?:Game|Hand|GAME|HAND))? ?#(?P<id>[0-9]{1,18}): ++"
        r"(?P<game>.+?)(?<! ) ++- ++(?P<time>[0-9]{4}[/-].*)$"
    ),
    begin=_begin,
    table=_TABLE,
    player=_PLAYER,
    summary=_SUMMARY,
    loose=((_LOOSE, on.nameless),),
)
