"""SartreNL with and without all-in among its sizes (Rubin and Watson 2012, section 6.4.4), in kind."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import interval
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.game import Variant
from baycarp.strategies.registry import strategy
from baycarp.strategies.sartre_nl import GAME
from baycarp.training.imitate import Demonstrations, imitate
from baycarp.training.log_writer import LogPlan
from baycarp.training.logs import Logs
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate, sessions
from experiments.papers.verdict import UNDECIDED, Made, Value

__all__ = ["MAKERS", "OPPONENTS", "TEACHER", "VERSIONS"]

TEACHER = "equilibriumnl"
"""Imitated in place of the competition's winners."""

VERSIONS = {
    "without all-in": ("sartrenl2010", "experiments.systems:SARTRENL_WITHOUT_ALL_IN(model={folder!r})"),
    "with all-in": ("sartrenl", "sartrenl(model={folder!r})"),
    "with all-in, of a rule player": ("", "sartrenl"),
}
"""By row, the strategy that the watched hands train ("" = none), and the agent that plays by its cases. All
translate softly and take the most frequent action: they differ in the sizes, or in the teacher."""

OPPONENTS = ("call", "sizer(number=1)", "sizer(number=4)", "sizer(number=6)", TEACHER)
"""In place of the competition's; the total is the mean."""

JUDGE = "all-in"
"""The estimator."""


def _all_in(entry: Entry, run: Run) -> Made:
    """What each version wins in the mean of its opponents, on the same decks."""
    with TemporaryDirectory() as name:
        won = dict(zip(VERSIONS, _totals(Path(name), run), strict=True))
    first = won[next(iter(VERSIONS))]

    def values(row: str) -> list[Value]:
        more = interval(won[row] - first)
        word = "improves" if more.mean > more.margin else "worsens" if more.mean < -more.margin else UNDECIDED
        return [estimate(interval(won[row])), None if won[row] is first else word]

    return Made.of(entry, values, run.hands)


def _totals(folder: Path, run: Run) -> list[NDArray[np.float64]]:
    """By version, big blinds by hand in the mean of the opponents; the models are made in the folder."""
    game = Variant.load(GAME)
    log, workers = folder / "log", Workers(run.workers)
    teacher = Table(game, ("teacher", "same"), (TEACHER, TEACHER), run.seed)
    LogPlan(teacher, run.hands).run(log, workers)
    watched, totals = Demonstrations(Logs((log,), game)), []
    for name, player in VERSIONS.values():
        if name:
            imitate(strategy(name), watched, folder / name, f"reproduce: {name}", workers)
        spec = player.format(folder=str(folder / name))
        totals.append(np.mean([_won(game, spec, other, run) for other in OPPONENTS], axis=0))
    return totals


def _won(game: Variant, spec: str, other: str, run: Run) -> NDArray[np.float64]:
    """Big blinds by hand."""
    table = Table(game, ("version", "other"), (spec, other), run.seed, estimators=(JUDGE,))
    won = [played.estimates[JUDGE][:, 0] for played in sessions(table, PLAYED, run)]
    return np.asarray(np.concatenate(won) / game.big_blind)


MAKERS: Mapping[str, Maker] = {"001-sec6.4.4": _all_in}
