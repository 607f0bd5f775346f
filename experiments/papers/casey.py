"""CASEY against rule players (Sandven and Tessem 2006, by Rubin and Watson 2007, section 2): its level.

Every session begins without a case and is judged by its second half. The number of cases that CASEY acts at
random for, ``strategies.casey.ADEQUATE``, was fixed before these sessions. The intervals are over sessions:
hands of one session share what was learned in it.
"""

import numpy as np

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Rate, interval
from baycarp.arena.session import Table
from baycarp.game import Variant
from experiments.cases.learning import PAR
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate, fresh
from experiments.papers.verdict import Made

__all__ = ["FEWEST", "HANDS", "MAKERS", "level"]

OPPONENTS = {"three": 3, "seven": 7}
"""By row; the source prints that there are more than three."""

FEWEST = 2
"""Sessions: an interval over them needs two."""

HANDS = 5000
"""Of a session."""


def level(rate: Rate) -> str:
    """What an interval says.

    Examples
    --------
    >>> [level(Rate(mean, 0.04, 20)) for mean in (0.0, -0.05, -0.1)]
    ['on a par', 'undecided', 'loses']
    """
    if rate.mean - rate.margin > PAR:
        return "on a par"
    return "loses" if rate.mean + rate.margin < 0 else "undecided"


def _played(entry: Entry, run: Run) -> Made:
    rates = {row: _rate(OPPONENTS[row], run) for row, _ in entry.rows}
    return Made.of(entry, lambda row: [level(rates[row]), estimate(rates[row])], run.hands)


def _rate(opponents: int, run: Run) -> Rate:
    """Small bets a hand in the second halves of fresh sessions."""
    names = ("CASEY", *(f"rule {seat}" for seat in range(opponents)))
    players = ("casey", *("rule",) * opponents)
    table = Table(Variant.ring(1 + opponents), names, players, run.seed, estimators=("control",))
    count = max(FEWEST, -(-run.hands // HANDS))
    played = fresh(table, PLAYED, (count, HANDS), run)
    later = [each.estimates["control"][HANDS // 2 :, 0].mean() for each in played]
    return interval(np.array(later) / table.variant.small_bet, HANDS // 2)


MAKERS: dict[str, Maker] = {"002-sec2": _played}
