"""CASPER's tables (seed 002: Rubin and Watson 2007, section 7): a random player among bots."""

from collections.abc import Callable

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.report import report
from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.papers.entry import Entry
from baycarp.papers.run import Run, estimate, sessions
from baycarp.papers.verdict import Made, Value

__all__ = ["MAKERS"]

GAME = Variant.load("holdem.limit.9p.5bets")
"""$10/$20 limit, nine players, five bets a street (sections 3 and 7)."""


def adaptive(entry: Entry, run: Run) -> Made:
    """Figure 1: among formula and simulation players, who model their opponents."""
    return _won(entry, run, (*TABLE, EIGHTH))


def aggressive(entry: Entry, run: Run) -> Made:
    """Figure 2: among loose-aggressive players of fixed rules."""
    return _won(entry, run, ("jag",) * 8)


def _won(entry: Entry, run: Run, others: tuple[str, ...]) -> Made:
    players = ("Random", *(f"{spec} {seat}" for seat, spec in enumerate(others, start=1)))
    table = Table(GAME, players, ("random", *others), run.seed)
    told = report(table, sessions(table, PLAYED, run))
    cells: dict[str, list[Value]] = {row: [None] for row, _ in entry.rows}
    cells["Random"] = [estimate(told.rates[0])]
    return Made(cells, len(told.net), told.curve("Random"), "Random")


MAKERS: dict[str, Callable[[Entry, Run], Made]] = {"002-fig1": adaptive, "002-fig2": aggressive}
