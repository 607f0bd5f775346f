"""CASPER's figures (Rubin and Watson 2007, sections 7 and 8): CASPER and a random player among bots."""

from functools import partial
from math import inf

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Share
from baycarp.arena.report import Report, report
from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate, sessions
from experiments.papers.verdict import Estimate, Made

__all__ = ["BANKROLL", "GAME", "MAKERS", "OPPONENTS", "PLAYERS", "broke_after"]

GAME = Variant.load("holdem.limit.9p.5bets")
"""$10/$20 limit, nine players, five bets a street (sections 3 and 7)."""

BANKROLL = 10_000
"""Small bets that every player begins with: $100,000 (section 7)."""

PLAYERS = {
    "Random": "random",
    "Casper01": "casper01",
    "Casper02": "casper02",
    "Casper, 500 hands": "experiments.systems:CASPER_500",
    "Casper, 2000 hands": "experiments.systems:CASPER_2000",
    "Casper01, scaled decay": "experiments.systems:CASPER01_SCALED",
    "Casper02, scaled decay": "experiments.systems:CASPER02_SCALED",
}
"""The specifications of the players of the figures."""

OPPONENTS = {"adaptive table": (*TABLE, EIGHTH), "loose-aggressive table": ("jag",) * 8}
"""At each table eight: formula and simulation players, which model their opponents; or rule players."""

SAMPLE = 10_000
"""Hands that section 8 counts in."""


def broke_after(won: Estimate) -> Estimate:
    """Hands that a bankroll lasts at a rate of small bets a hand; infinite where nothing is lost.

    Examples
    --------
    >>> broke_after(Estimate(-2.0, -2.5, -1.6))
    Estimate(value=5000.0, low=4000.0, high=6250.0)
    """
    return Estimate(*(BANKROLL / -rate if rate < 0 else inf for rate in (won.value, won.low, won.high)))


def _won(opponents: str, entry: Entry, run: Run) -> Made:
    """Small bets a hand, and where it is printed how long the bankroll lasts; the curve of the last row."""
    reports = {row: _report(row, opponents, run) for row, _ in entry.rows}
    won = {row: estimate(played.rates[0]) for row, played in reports.items()}
    cells = {row: [won[row], broke_after(won[row]) if broke else None] for row, (_, broke) in entry.rows}
    player, shown = list(reports.items())[-1]
    return Made(cells, len(shown.net), shown.curve(player), player)


def _fallbacks(entry: Entry, run: Run) -> Made:
    """Section 8: pre-flop decisions for which no case reached the threshold."""
    reports = {row: [_report(row, column.name, run) for column in entry.columns] for row, _ in entry.rows}
    hands = max(len(each.net) for played in reports.values() for each in played)
    return Made({row: list(map(_fell_back, played)) for row, played in reports.items()}, hands)


def _fell_back(played: Report) -> Estimate:
    """In ``SAMPLE`` hands."""
    tally = played.tallies[0]
    share, scale = Share(tally.fell_back[0], tally.asked[0]), SAMPLE * tally.asked[0] / tally.hands
    return Estimate(*(scale * value for value in (share.value, *share.interval)))


def _report(player: str, opponents: str, run: Run) -> Report:
    """The report of a player's sessions, its seat the first."""
    spec, others = PLAYERS[player], OPPONENTS[opponents]
    names = (player, *(f"{other} {seat}" for seat, other in enumerate(others, start=1)))
    table = Table(GAME, names, (spec, *others), run.seed)
    return report(table, sessions(table, PLAYED, run))


MAKERS: dict[str, Maker] = {
    "002-fig1": partial(_won, "adaptive table"),
    "002-fig2": partial(_won, "loose-aggressive table"),
    "002-sec8": _fallbacks,
}
