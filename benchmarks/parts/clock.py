"""Processor time of pieces of work, so that other processes count little."""

import statistics
import time
from collections.abc import Callable
from timeit import Timer

__all__ = ["medians", "seconds"]

LEAST = 0.005
"""Seconds of the calls of a round, at least."""


def seconds(work: Callable[[], object], calls: int = 1) -> float:
    """Seconds a call."""
    return Timer(work, timer=time.process_time).timeit(calls) / calls


def medians(*works: Callable[[], object], rounds: int = 9) -> list[float]:
    """Seconds a call of each: medians of rounds in which they take turns, each for ``LEAST`` or once."""
    calls = [1 + int(LEAST / max(seconds(work), 1e-7)) for work in works]
    times = [[seconds(work, n) for work, n in zip(works, calls, strict=True)] for _ in range(rounds)]
    return list(map(statistics.median, zip(*times, strict=True)))
