"""CASPER's figures (Rubin and Watson 2007, sections 7 and 8): CASPER and a random player among bots."""

from collections.abc import Callable
from math import inf

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Share
from baycarp.arena.report import Report, report
from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.papers.entry import Entry
from baycarp.papers.run import Run, estimate, sessions
from baycarp.papers.verdict import Estimate, Made, Value

__all__ = ["BANKROLL", "GAME", "MAKERS", "OPPONENTS", "PLAYERS", "broke_after"]

GAME = Variant.load("holdem.limit.9p.5bets")
"""$10/$20 limit, nine players, five bets a street (sections 3 and 7)."""

BANKROLL = 10_000
"""Small bets that every player begins with: $100,000 (section 7)."""

PLAYERS = {"Random": "random", "Casper01": "casper01", "Casper02": "casper02"}
"""What the players of the figures are loaded from."""

OPPONENTS = {"adaptive table": (*TABLE, EIGHTH), "loose-aggressive table": ("jag",) * 8}
"""At each table eight: formula and simulation players, which model their opponents; or rule players."""

SAMPLE = 10_000
"""Hands that section 8 counts in."""


def adaptive(entry: Entry, run: Run) -> Made:
    """Figure 1."""
    return _won(entry, run, "adaptive table")


def aggressive(entry: Entry, run: Run) -> Made:
    """Figure 2."""
    return _won(entry, run, "loose-aggressive table")


def fallbacks(entry: Entry, run: Run) -> Made:
    """Section 8: pre-flop decisions for which no case reached the threshold."""
    cells: dict[str, list[Value]] = {}
    hands = 0
    for row, _ in entry.rows:
        played = [_report(row, column.name, run) for column in entry.columns]
        cells[row] = [_fell_back(each) for each in played]
        hands = max(hands, *(len(each.net) for each in played))
    return Made(cells, hands)


def broke_after(won: Estimate) -> Estimate:
    """Hands that a bankroll lasts at a rate of small bets a hand; infinite where nothing is lost.

    Examples
    --------
    >>> broke_after(Estimate(-2.0, -2.5, -1.6))
    Estimate(value=5000.0, low=4000.0, high=6250.0)
    """
    return Estimate(*(BANKROLL / -rate if rate < 0 else inf for rate in (won.value, won.low, won.high)))


def _won(entry: Entry, run: Run, opponents: str) -> Made:
    """Small bets a hand, and where it is printed how long the bankroll lasts; the curve of the last row."""
    reports = {row: _report(row, opponents, run) for row, _ in entry.rows}
    cells: dict[str, list[Value]] = {}
    for row, (_, broke) in entry.rows:
        played = reports[row]
        won = estimate(played.rates[0])
        cells[row] = [won, broke_after(won) if broke else None]
    player, shown = list(reports.items())[-1]
    return Made(cells, len(shown.net), shown.curve(player), player)


def _fell_back(played: Report) -> Estimate:
    """In ``SAMPLE`` hands."""
    tally = played.tallies[0]
    share = Share(tally.fell_back[0], tally.asked[0])
    scale = SAMPLE * tally.asked[0] / tally.hands
    low, high = share.interval
    return Estimate(scale * share.value, scale * low, scale * high)


def _report(player: str, opponents: str, run: Run) -> Report:
    """The report of a player's sessions, its seat the first."""
    spec, others = PLAYERS[player], OPPONENTS[opponents]
    names = (player, *(f"{other} {seat}" for seat, other in enumerate(others, start=1)))
    table = Table(GAME, names, (spec, *others), run.seed)
    return report(table, sessions(table, PLAYED, run))


MAKERS: dict[str, Callable[[Entry, Run], Made]] = {
    "002-fig1": adaptive,
    "002-fig2": aggressive,
    "002-sec8": fallbacks,
}
