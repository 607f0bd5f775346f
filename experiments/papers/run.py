"""The size of a measurement, and sessions that several tables and figures share."""

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

from baycarp.arena import run as arena
from baycarp.arena.decks import numbers
from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit
from baycarp.arena.measure import Rate, Share
from baycarp.arena.session import Played, Table, split
from baycarp.arena.workers import Workers
from baycarp.opponents.belief import short_digest
from experiments.papers.entry import Entry
from experiments.papers.verdict import Estimate, Made

__all__ = ["Maker", "Run", "estimate", "fresh", "percent", "sessions"]


@dataclass(frozen=True, slots=True)
class Run:
    """The size of a measurement: hands, the seed that fixes them, processes.

    ``tick`` receives the number of hands played. Finished sessions are kept in journals in ``folder``, and
    not played again; None = nowhere.
    """

    hands: int = 1
    seed: int = 1
    workers: int = field(default=1, compare=False)
    tick: Callable[[int], None] = field(default=lambda played: None, compare=False)
    folder: Path | None = field(default=None, compare=False)


Maker: TypeAlias = Callable[[Entry, Run], Made]
"""The function of our result."""


@lru_cache(maxsize=8)
def sessions(table: Table, first: int, run: Run) -> tuple[Played, ...]:
    """Play sessions from number ``first`` on (``arena.decks``); a repeated call returns the stored ones."""
    return fresh(table, first, split(run.hands), run)


def fresh(table: Table, first: int, sizes: tuple[int, int], run: Run) -> tuple[Played, ...]:
    """Play a number of sessions, each of a number of hands."""
    count, hands = sizes
    match, units = Match(table, hands=hands), [(number, 0) for number in numbers(first, count)]
    with _journal(match, run.folder) if run.folder else nullcontext() as journal:
        rounds = [[unit] for unit in units]
        done = arena.run(partial(play_unit, match), rounds, journal, Workers(run.workers), run.tick)
    return tuple(done[unit] for unit in units)


def _journal(match: Match, folder: Path) -> Journal:
    header = match.header()
    return Journal(folder / f"{short_digest(repr(header))}.journal", header)


def estimate(rate: Rate, scale: float = 1.0) -> Estimate:
    """A rate as an estimate, times ``scale``."""
    margin = math.inf if math.isnan(rate.margin) else rate.margin
    low, high = rate.mean - margin, rate.mean + margin
    return Estimate(scale * rate.mean, scale * low, scale * high)


def percent(share: Share) -> Estimate:
    """A count of its opportunities as an estimate, in percent."""
    low, high = share.interval
    return Estimate(100 * share.value, 100 * low, 100 * high)
