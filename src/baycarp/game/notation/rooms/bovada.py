"""Bovada, Ignition and Bodog: players are named by their position, and the hole cards of all are printed.

    Bovada Hand #3183548059 TBL#10253202 HOLDEM No Limit - 2015-12-01 04:04:36
    Ignition Hand #4300979169: HOLDEM Tournament #M-20210422003411 TBL#18, Turbo- Level 7 (75/150) [MVS] - ...
    Seat 1: UTG+2 [ME] ($2,700 in chips)
    Dealer : Set dealer [2]
    Small Blind : Small Blind $15
    UTG+2  [ME] : Card dealt to a spot [Js 6s]
    UTG : Raises $60 to $60
    UTG : Hand result $381

Seats have the names of positions, which give the order: their numbers are of places in a large room, and
the dealer's number counts differently over the years. Early texts print no streets, only the board in the
summary. An all-in before the cards is an ante or a blind.
"""

import re

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.amounts import plain_amount
from baycarp.game.notation.rooms.events import Events, Match
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import code_of, expect_holdem
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.notation.rooms.times import time_of

__all__ = ["BOVADA"]

on = Events()
_AWAY = re.compile(r"\((?:timeout|auto|disconnect\w*|Blind [^()]*)\)", re.IGNORECASE)
_LEVEL = re.compile(r"\([^()/]*/(?P<big>[^()]+)\)")


def _begin(stated: Statement, found: Match) -> None:
    stated.id = code_of(found["id"])
    game, stated.time = found["game"], time_of(found["time"])
    if game.startswith("HOLDEM"):
        expect_holdem("holdem")
    else:
        raise Refused("another game", f"{game[:60]!r}: expected hold'em")
    stated.betting = "limit" if "Fixed Limit" in game else "pot-limit" if "Pot Limit" in game else "no-limit"
    if tournament := re.search(r"Tournament #(\S+)", game):
        stated.tournament = tournament[1]
        if level := _LEVEL.search(game):
            stated.big_blind = 0 if stated.betting == "limit" else plain_amount(level["big"])
    else:
        stated.currency = "USD"
    if table := re.search(r"(?:TBL|Zone Poker ID)#([^\s,]+)", found[0]):
        stated.table = table[1]


def _all_in(stated: Statement, player: int, found: Match) -> None:
    """Before the cards, a short ante or blind; which one shows when all have posted."""
    if stated.are_dealt:
        on.act("all-in")(stated, player, found)
    else:
        stated.posts.append((player, "all-in", plain_amount(found["amount"])))


def _cards_dealt(stated: Statement, player: int, found: Match) -> None:
    stated.are_dealt = True


def _finish(stated: Statement) -> None:
    antes = any(kind == "ante" for _, kind, _ in stated.posts)
    anted = {player for player, kind, _ in stated.posts if kind == "ante"}
    for at, (player, kind, chips) in enumerate(stated.posts):
        if kind == "all-in":
            blind = "small" if stated.name_of(player) in ("Small Blind", "Dealer") else "big"
            stated.posts[at] = player, "ante" if antes and player not in anted else blind, chips
    names = ["Small Blind", "Big Blind", "UTG", *(f"UTG+{number}" for number in range(1, 10)), "Dealer"]
    wrong = [name for name in stated.names if name not in names]
    if wrong:
        raise Refused("unknown seat", f"{wrong[0][:40]!r}: expected one of {', '.join(names)}")
    stated.ranks = {index: names.index(name) for name, index in stated.names.items()}


def _clean(line: str) -> str:
    line = line.strip()
    if " : " in line:
        line = _AWAY.sub("", line.replace("[ME] :", ":").replace("raise-timeout", "raise"))
        line = re.sub(r"(?<!\s)\s++: ", ": ", line, count=1)
    return line


BOVADA = Grammar(
    name="Bovada",
    header=re.compile(
        r"(?:Bovada|Ignition|Bodog(?:\.com|\.eu|88| UK| Canada)?) Hand #C?(?P<id>[0-9]{1,18}):?\s+"
        r"(?:(?:Zone Poker ID|TBL)#\S+ +)?(?P<game>[A-Z0-9].*?) - (?P<time>[0-9]{4}-.*)$"
    ),
    begin=_begin,
    finish=_finish,
    clean=_clean,
    anonymous=True,
    table=rules(
        ("Seat {seat}: {name} [ME] ({stack} in chips)", on.hero_seat),
        ("Seat {seat}: {name} ({stack} in chips)", on.seat),
        ("*** HOLE CARDS ***", _cards_dealt),
        ("*** FLOP *** {cards}", on.street(3)),
        ("*** TURN *** {card}{blank}{cards}", on.street(4)),
        ("*** RIVER *** {card}{blank}{cards}", on.street(5)),
        ("*** SUMMARY ***", on.closing),
        ("*** {text}", on.passed),
    ),
    player=rules(
        (": Folds", on.fold),
        (": Fold", on.fold),
        (": Checks", on.check),
        (": Calls {amount}", on.act("call")),
        (": Call {amount}", on.act("call")),
        (": Bets {amount}", on.act("bet")),
        (": Double bets {amount}", on.act("bet")),
        (": Raises {amount} to {to}", on.raise_to),
        (": raises {amount} to {to}", on.raise_to),
        (": Raises {amount}", on.act("to")),
        (": All-in(raise) {amount} to {to}", on.raise_to),
        (": All-in {amount}", _all_in),
        (": Ante chip {amount}", on.post("ante")),
        (": Ante/Small Blind {amount}", on.post("small")),
        (": Ante/Small blind {amount}", on.post("small")),
        (": Small Blind {amount}", on.post("small")),
        (": Small blind {amount}", on.post("small")),
        (": Big blind/Bring in {amount}", on.post("big")),
        (": Big Blind {amount}", on.post("big")),
        (": Big blind {amount}", on.post("big")),
        (": Posts dead chip {amount}", on.post_both),
        (": Posts chip {amount}", on.post("live")),
        (": Card dealt to a spot {cards}", on.shown),
        (": Mucks {cards}", on.shown),
        (": Does not show {cards}", on.shown),
        (": Return uncalled portion of bet {amount}", on.returned),
        (": Hand result {amount}", on.collected),
        (": Hand Result {amount}", on.collected),
        (": Hand result-Side pot {amount}", on.collected),
        (": Hand Result-Side Pot {amount}", on.collected),
    ),
    summary=rules(
        ("Total Pot({amount}){text}", on.pot),
        ("Total Pot({amount})", on.pot),
        ("Board {cards}", on.board),
    ),
)
