"""Unger's sessions (2011, section 7.3): BayCaRP among formula and simulation players."""

from collections.abc import Callable

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Share, Sum
from baycarp.arena.report import Report, report
from baycarp.arena.session import Table
from baycarp.arena.tally import Tally
from baycarp.game.action import STREETS
from baycarp.game.variant import Variant
from baycarp.papers.entry import Entry
from baycarp.papers.run import Run, estimate, percent, sessions
from baycarp.papers.verdict import Made, Value
from baycarp.rules.hand import TYPES

__all__ = ["MAKERS"]

HERO = "BayCaRP"
PAIRS = tuple(name for name in TYPES if "Pair" in name and name != "TwoPair")
"""One pair, of whatever rank: nine of the hand types."""


def rates_of_first(entry: Entry, run: Run) -> Made:
    """Figure 7.3, of BayCaRP1 among seven."""
    return _rates(entry, _first(run))


def rates_of_second(entry: Entry, run: Run) -> Made:
    """Figure 7.8, of BayCaRP2 among eight."""
    return _rates(entry, _second(run))


def statistics_of_first(entry: Entry, run: Run) -> Made:
    """Figure 7.4."""
    return _statistics(entry, _first(run))


def statistics_of_second(entry: Entry, run: Run) -> Made:
    """Figure 7.9."""
    return _statistics(entry, _second(run))


def actions_of_first(entry: Entry, run: Run) -> Made:
    """Figure 7.5, the turn."""
    report = _first(run)
    cells: dict[str, list[Value]] = {}
    for row, _ in entry.rows:
        found = _tally(report, row).frequencies(STREETS.index("turn"))
        cells[row] = [percent(found[column.name]) for column in entry.columns]
    return Made(cells, len(report.net))


def pairs_of_first(entry: Entry, run: Run) -> Made:
    """Figures 7.6 and 7.7: small bets won with a pair on the flop, in as many hands as theirs."""
    report = _first(run)
    cells: dict[str, list[Value]] = {}
    for row, _ in entry.rows:
        on_flop = _tally(report, row).on_flop
        held = sum((on_flop[name] for name in PAIRS if name in on_flop), Sum())
        scale = entry.of * held.hands / len(report.net)
        cells[row] = [estimate(held.rate(report.small_bet), scale)]
    return Made(cells, len(report.net))


def _rates(entry: Entry, report: Report) -> Made:
    """Small bets a hand, and the hero's curve."""
    cells = {row: [estimate(report.rates[report.players.index(row)])] for row, _ in entry.rows}
    return Made(cells, len(report.net), report.curve(HERO), HERO)


def _statistics(entry: Entry, report: Report) -> Made:
    """Counts as shares of the hands, and of the showdowns; net in as many hands as theirs."""
    cells: dict[str, list[Value]] = {}
    for row, _ in entry.rows:
        tally = _tally(report, row)
        net = estimate(report.rates[report.players.index(row)], entry.of)
        counts = (tally.played, tally.won, tally.uncontested, tally.showdowns)
        shares = [percent(Share(count, tally.hands)) for count in counts]
        cells[row] = [net, *shares, percent(Share(tally.showdowns_won, tally.showdowns))]
    return Made(cells, len(report.net))


def _tally(report: Report, player: str) -> Tally:
    return report.tallies[report.players.index(player)]


def _first(run: Run) -> Report:
    return _played("baycarp1", TABLE, run)


def _second(run: Run) -> Report:
    return _played("baycarp2", (*TABLE, EIGHTH), run)


def _played(hero: str, others: tuple[str, ...], run: Run) -> Report:
    players = (HERO, *(name.capitalize() for name in others))
    table = Table(Variant.ring(len(players)), players, (hero, *others), run.seed)
    return report(table, sessions(table, PLAYED, run))


MAKERS: dict[str, Callable[[Entry, Run], Made]] = {
    "000-fig7.3": rates_of_first,
    "000-fig7.4": statistics_of_first,
    "000-fig7.5": actions_of_first,
    "000-fig7.6": pairs_of_first,
    "000-fig7.7": pairs_of_first,
    "000-fig7.8": rates_of_second,
    "000-fig7.9": statistics_of_second,
}
