"""Decisions under 20, 100 and 1,000 ms, on a busy machine and as it is: ``baycarp bench deadlines``."""

from collections.abc import Iterator
from contextlib import nullcontext
from os import cpu_count

import numpy as np

from baycarp.agents.registry import load
from baycarp.arena.deadlines import Timed, busy, measure
from baycarp.cli.goal import Goal

__all__ = ["DECISIONS", "goals"]

LIMITS = (0.020, 0.100, 1.000)
"""Seconds a decision."""

AGENTS = {"baycarp2": None, "simulation": 0.002}
"""Who decides. Who uses up his time decides more seldom: as often as would take so many seconds each."""

FEWEST = 20
"""Decisions of anybody, at least."""

DECISIONS = 1000
"""Decisions by default; what is promised is measured with 100,000."""


def goals(decisions: int = DECISIONS) -> Iterator[Goal]:
    """Measure every agent under every limit: with twice as many busy processes as cores, then without."""
    for name, share in AGENTS.items():
        for limit in LIMITS:
            count = decisions if share is None else max(FEWEST, int(decisions * share / limit))
            loaded, idle = (_measure(name, limit, count, load) for load in (2 * (cpu_count() or 1), 0))
            yield from _goals(f"{name}, {1000 * limit:,.0f} ms, {count:,} decisions", loaded, idle)


def _measure(name: str, limit: float, count: int, processes: int) -> Timed:
    agent = load(name)
    with busy(processes) if processes else nullcontext():
        return measure(agent, limit, count)


def _goals(what: str, loaded: Timed, idle: Timed) -> Iterator[Goal]:
    illegal = loaded.illegal + idle.illegal
    yield Goal(f"{what}: illegal", 0, illegal, "actions", not illegal)
    late, worst = 100 * loaded.late, 1000 * float(loaded.over.max())
    yield Goal(f"{what}, busy: late", 0.1, late, "%", late <= 0.1)
    yield Goal(f"{what}, busy: worst", 25, worst, "ms over", worst <= 25)
    over = 1000 * float(np.percentile(idle.over, 99.9))
    yield Goal(f"{what}, else: p99.9", 1, over, "ms over", over <= 1)
    for when, timed in (("busy", loaded), ("else", idle)):
        yield Goal(f"{what}, {when}: complete", None, 100 * float(timed.complete.mean()), "%", None)
        yield Goal(f"{what}, {when}: mean wall", None, 1000 * float(timed.wall.mean()), "ms", None)
        yield Goal(f"{what}, {when}: mean CPU", None, 1000 * float(timed.cpu.mean()), "ms", None)
