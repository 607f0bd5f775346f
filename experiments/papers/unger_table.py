"""Unger's sessions (2011, section 7.3): BayCaRP among formula and simulation players."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Share, Sum
from baycarp.arena.report import Report, report
from baycarp.arena.session import Table
from baycarp.arena.tally import Tally
from baycarp.game import STREETS, Variant
from baycarp.rules.hand import TYPES
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate, percent, sessions
from experiments.papers.verdict import Made, Value

__all__ = ["MAKERS"]

HERO = "BayCaRP"
PAIRS = tuple(name for name in TYPES if "Pair" in name and name != "TwoPair")
"""One pair of any rank: nine of the hand types."""


Session: TypeAlias = Callable[[Run], Report]


def _played(hero: str, others: tuple[str, ...], run: Run) -> Report:
    players = (HERO, *(name.capitalize() for name in others))
    table = Table(Variant.ring(len(players)), players, (hero, *others), run.seed)
    return report(table, sessions(table, PLAYED, run))


def _rates(session: Session, entry: Entry, run: Run) -> Made:
    """Small bets a hand, and the hero's curve."""
    report = session(run)
    cells = {row: [estimate(report.rates[report.players.index(row)])] for row, _ in entry.rows}
    return Made(cells, len(report.net), report.curve(HERO), HERO)


def _statistics(session: Session, entry: Entry, run: Run) -> Made:
    """Counts as shares of the hands, and of the showdowns; net chips for the printed number of hands."""
    report = session(run)

    def values(row: str) -> list[Value]:
        tally, rate = _tally(report, row), report.rates[report.players.index(row)]
        counts = (tally.played, tally.won, tally.uncontested, tally.showdowns)
        shares = [Share(count, tally.hands) for count in counts]
        shown = Share(tally.showdowns_won, tally.showdowns)
        return [estimate(rate, entry.of), *map(percent, (*shares, shown))]

    return Made.of(entry, values, len(report.net))


def _actions(session: Session, entry: Entry, run: Run) -> Made:
    """The shares of actions on the turn."""
    report, turn = session(run), STREETS.index("turn")

    def values(row: str) -> list[Value]:
        found = _tally(report, row).frequencies(turn)
        return [percent(found[column.name]) for column in entry.columns]

    return Made.of(entry, values, len(report.net))


def _pairs(session: Session, entry: Entry, run: Run) -> Made:
    """Small bets won with a pair on the flop, for the printed number of hands."""
    report = session(run)

    def values(row: str) -> list[Value]:
        on_flop = _tally(report, row).on_flop
        held = sum((on_flop[name] for name in PAIRS if name in on_flop), Sum())
        return [estimate(held.rate(report.small_bet), entry.of * held.hands / len(report.net))]

    return Made.of(entry, values, len(report.net))


def _tally(report: Report, player: str) -> Tally:
    return report.tallies[report.players.index(player)]


FIRST: Session = partial(_played, "baycarp1(published=True)", TABLE)
SECOND: Session = partial(_played, "baycarp2(published=True)", (*TABLE, EIGHTH))
"""BayCaRP1 among seven, and BayCaRP2 among eight."""

MAKERS: dict[str, Maker] = {
    "000-fig7.3": partial(_rates, FIRST),
    "000-fig7.4": partial(_statistics, FIRST),
    "000-fig7.5": partial(_actions, FIRST),
    "000-fig7.6": partial(_pairs, FIRST),
    "000-fig7.7": partial(_pairs, FIRST),
    "000-fig7.8": partial(_rates, SECOND),
    "000-fig7.9": partial(_statistics, SECOND),
}
