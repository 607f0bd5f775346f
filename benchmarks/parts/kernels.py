"""The compiled kernels: ``python -m benchmarks kernels``; in a clone of the repository beside their rivals.

Comparisons check the results first, then time both sides in turn, in this process.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from baycarp.card import cards
from baycarp.cli.options import JSON
from baycarp.evaluation import equity as share
from baycarp.kernels.strength import equity, expected_strength, strength
from baycarp.kernels.sweeps import sweep, sweep_expected
from benchmarks.parts import lookups, ranking
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, printing
from benchmarks.parts.rivals import rivals

__all__ = ["ALIKE", "FLOPS", "LIKELY", "RIVER", "TURN", "goals"]

FLOPS = {"rainbow": ("AhKd", "Qs7d2c"), "two-tone": ("8h7h", "9h6c2h"), "monotone": ("AsKd", "Qh9h4h")}
"""Hole cards and board, by suits of the flop."""

TURN, RIVER = "Qs7d2cTc", "Qs7d2cTc9h"

ALIKE = np.ones(1326)
LIKELY = np.where(np.arange(1326) % 5 < 2, 1.0 + np.arange(1326) % 251, 0.0)
"""All holdings alike, and a range of two holdings in five, of uneven weights."""

QUIET = {"rainbow": 1200.0, "two-tone": 2000.0, "monotone": 3000.0}
"""G8: stretch on a quiet machine, microseconds."""

EQUITY = {"rainbow": 40.0, "two-tone": 60.0, "monotone": 40.0}
"""Microseconds of the equity of a hand against a range, by suits of the flop."""


def goals() -> Iterator[Goal]:
    """Ranks, strengths, sweeps and tables, then the comparisons."""
    yield from ranking.goals()
    for name, (work, stretch) in _works().items():
        (took,) = medians(work)
        yield Goal(name, 1e6 * took, "µs", stretch=stretch)
    yield from lookups.goals()
    yield from rivals("kernels")()


def _works() -> dict[str, tuple[Callable[[], object], float | None]]:
    """By name a call of a kernel, and its stretch in microseconds."""
    works: dict[str, tuple[Callable[[], object], float | None]] = {}
    for name, (hole, board) in FLOPS.items():
        works[f"G5: {name} flop, HS, PPot, NPot"] = partial(strength, cards(hole), cards(board), ALIKE), None
        works[f"G7: {name} flop, E[HS^2]"] = partial(expected_strength, cards(hole), cards(board)), None
        works[f"equity against a range, {name} flop"] = partial(share, hole, LIKELY, board), EQUITY[name]
        for against, weights in (("any holding", None), ("a range", LIKELY)):
            text = f"G8: all holdings' E[HS], E[HS^2] against {against}, {name}"
            works[text] = partial(sweep_expected, board, weights), QUIET[name]
    works["G6: turn, HS, PPot, NPot"] = partial(strength, cards("AhKd"), cards(TURN), ALIKE), None
    works["equity against a range, turn"] = partial(share, "AhKd", LIKELY, TURN), 12.0
    works["G9: river, all against a range"] = partial(sweep, RIVER, ALIKE), 4.0
    for street, board in (("flop", TURN[:6]), ("turn", TURN), ("river", RIVER)):
        works[f"G10: range against range, {street}"] = partial(equity, ALIKE, ALIKE, board), None
    return works


add = JSON
run = printing(lambda args: goals())
