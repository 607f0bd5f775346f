"""Sartre3P with and without strategy switching (Rubin and Watson 2012, section 7.3.1), in kind."""

from collections.abc import Mapping
from contextlib import closing
from functools import partial

from baycarp.arena.run import play_units
from baycarp.arena.series import arms, play_in_series
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.game import Variant
from baycarp.strategies.sartre_three import GAME
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate
from experiments.papers.verdict import Made

__all__ = ["MAKERS"]

PLAYERS = {"CaseBased3P": "sartre3p", "dpp": "formula", "akuma": "simulation"}
"""The players of table 15; those of the last two are not public, and ours take their seats."""

ARMS = {"non-switching": "experiments.systems:SARTRE3P_WITHOUT_SWITCHING", "switching": "sartre3p"}
"""By column."""

JUDGE = "control"
"""The estimator."""


def _switching(entry: Entry, run: Run) -> Made:
    """Table 15: both arms on the same decks, in all six seatings."""
    variant = Variant.load(GAME)
    table = Table(variant, tuple(PLAYERS), tuple(PLAYERS.values()), run.seed, estimators=(JUDGE,))
    series = arms(table, [ARMS[column.name] for column in entry.columns])
    deals = max(1, run.hands // series.hands(1))
    units = [unit for units in series.rounds(deals) for unit in units]
    play = partial(play_in_series, series)
    with closing(play_units(play, units, Workers(run.workers), run.tick)) as finished:
        scores = series.scores(dict(finished))
    return Made.of(
        entry, lambda row: [estimate(each.rate(row, JUDGE)) for each in scores], series.hands(deals)
    )


MAKERS: Mapping[str, Maker] = {"001-15": _switching}
