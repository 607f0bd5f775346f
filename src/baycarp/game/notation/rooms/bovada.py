"""Bovada, Ignition and Bodog: players are named by their position, and the hole cards of all are printed.

    Bovada Hand #3183548059 TBL#10253202 HOLDEM No Limit - 2015-12-01 04:04:36
    Ignition Hand #4300979169: HOLDEM Tournament #M-20210422003411 TBL#18, Turbo- Level 7 (75/150) [MVS] - 2021-...
    Seat 1: UTG+2 [ME] ($2,700 in chips)
    Dealer : Set dealer [2]
    Small Blind : Small Blind $15
    UTG+2  [ME] : Card dealt to a spot [Js 6s]
    UTG : Raises $60 to $60
    UTG : Hand result $381

Seats have the names of positions, which give the order: numbers are of places in a large room, and the number of the
dealer counts differently over the years. Early texts print no streets, only the board in the summary. An all-in before
the cards is an ante or a blind.
"""

import re

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.amounts import plain_amount
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import Events, Match, board, check, closing, fold, passed, shown
from baycarp.game.notation.rooms.grammar import Grammar, rules
from baycarp.game.notation.rooms.header import expect_holdem, time_of, code_of

__all__ = ["BOVADA"]

_events = Events()
_AWAY = re.compile(r"\((?:timeout|auto|disconnect\w*|Blind [^)]*)\)", re.IGNORECASE)
_LEVEL = re.compile(r"\([^()/]*/(?P<big>[^()]+)\)")
_HOLE = re.compile(r".*?\[(?P<cards>\w\w \w\w)\s*[-\]]")


def _begin(deal: Deal, found: Match) -> None:
    deal.id = code_of(found["id"])
    game, deal.time = found["game"], time_of(found["time"])
    if game.startswith("HOLDEM"):
        expect_holdem("holdem")
    else:
        raise Refused("another game", f"{game[:60]!r}: expected hold'em")
    deal.betting = "limit" if "Fixed Limit" in game else "pot-limit" if "Pot Limit" in game else "no-limit"
    if tournament := re.search(r"Tournament #(\S+)", game):
        deal.tournament = tournament[1]
        if level := _LEVEL.search(game):
            deal.big_blind = 0 if deal.betting == "limit" else plain_amount(level["big"])
    else:
        deal.currency = "USD"
    if table := re.search(r"(?:TBL|Zone Poker ID)#([^\s,]+)", found[0]):
        deal.table = table[1]


def _all_in(deal: Deal, player: int, found: Match) -> None:
    """Before the cards, a short ante or blind; which one shows when all have posted."""
    if deal.are_dealt:
        _events.act("all-in")(deal, player, found)
    else:
        deal.posts.append((player, "all-in", plain_amount(found["amount"])))


def _cards_dealt(deal: Deal, player: int, found: Match) -> None:
    deal.are_dealt = True


def _summary_cards(deal: Deal, player: int, found: Match) -> None:
    names = sorted(deal.names, key=len, reverse=True)
    name = next((name for name in names if found["text"].startswith(name)), None)
    if name is not None and (cards := _HOLE.match(found["text"])):
        deal.holes.setdefault(deal.names[name], cards["cards"])


def _finish(deal: Deal) -> None:
    antes = any(kind == "ante" for _, kind, _ in deal.posts)
    anted = {player for player, kind, _ in deal.posts if kind == "ante"}
    for at, (player, kind, chips) in enumerate(deal.posts):
        if kind == "all-in":
            blind = "small" if deal.name_of(player) in ("Small Blind", "Dealer") else "big"
            deal.posts[at] = player, "ante" if antes and player not in anted else blind, chips
    names = ["Small Blind", "Big Blind", "UTG", *(f"UTG+{number}" for number in range(1, 10)), "Dealer"]
    wrong = [name for name in deal.names if name not in names]
    if wrong:
        raise Refused("unknown seat", f"{wrong[0][:40]!r}: expected one of {', '.join(names)}")
    deal.ranks = {index: names.index(name) for name, index in deal.names.items()}


def _clean(line: str) -> str:
    line = line.strip()
    if " : " in line:
        line = _AWAY.sub("", line.replace("[ME] :", ":").replace("raise-timeout", "raise"))
        line = re.sub(r"\s+: ", ": ", line, count=1)
    return line


BOVADA = Grammar(
    name="Bovada",
    header=re.compile(
        r"(?:Bovada|Ignition|Bodog(?:\.com|\.eu|88| UK| Canada)?) Hand #C?(?P<id>\d{1,18}):?\s+"
        r"(?:(?:Zone Poker ID|TBL)#\S+ +)?(?P<game>[A-Z0-9].*?) - (?P<time>\d{4}-.*)$"
    ),
    begin=_begin,
    finish=_finish,
    clean=_clean,
    anonymous=True,
    table=rules(
        ("Seat {seat}: {name} [ME] ({stack} in chips)", _events.hero_seat),
        ("Seat {seat}: {name} ({stack} in chips)", _events.seat),
        ("*** HOLE CARDS ***", _cards_dealt),
        ("*** FLOP *** {cards}", _events.street(3)),
        ("*** TURN *** {card} {cards}", _events.street(4)),
        ("*** RIVER *** {card} {cards}", _events.street(5)),
        ("*** SUMMARY ***", closing),
        ("*** {text}", passed),
    ),
    player=rules(
        (": Folds", fold),
        (": Fold", fold),
        (": Checks", check),
        (": Calls {amount}", _events.act("call")),
        (": Call {amount}", _events.act("call")),
        (": Bets {amount}", _events.act("bet")),
        (": Double bets {amount}", _events.act("bet")),
        (": Raises {amount} to {to}", _events.raise_to),
        (": raises {amount} to {to}", _events.raise_to),
        (": Raises {amount}", _events.act("to")),
        (": All-in(raise) {amount} to {to}", _events.raise_to),
        (": All-in {amount}", _all_in),
        (": Ante chip {amount}", _events.post("ante")),
        (": Ante/Small Blind {amount}", _events.post("small")),
        (": Ante/Small blind {amount}", _events.post("small")),
        (": Small Blind {amount}", _events.post("small")),
        (": Small blind {amount}", _events.post("small")),
        (": Big blind/Bring in {amount}", _events.post("big")),
        (": Big Blind {amount}", _events.post("big")),
        (": Big blind {amount}", _events.post("big")),
        (": Posts dead chip {amount}", _events.post_both),
        (": Posts chip {amount}", _events.post("live")),
        (": Card dealt to a spot {cards}", shown),
        (": Mucks {cards}", shown),
        (": Does not show {cards}", shown),
        (": Return uncalled portion of bet {amount}", _events.returned),
        (": Hand result {amount}", _events.collected),
        (": Hand Result {amount}", _events.collected),
        (": Hand result-Side pot {amount}", _events.collected),
        (": Hand Result-Side Pot {amount}", _events.collected),
    ),
    summary=rules(
        ("Total Pot({amount}){text}", _events.pot),
        ("Total Pot({amount})", _events.pot),
        ("Board {cards}", board),
    ),
)
