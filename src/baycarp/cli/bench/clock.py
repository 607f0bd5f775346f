"""Processor time of pieces of work, so that other processes count little."""

import statistics
import time
from collections.abc import Callable

__all__ = ["medians", "seconds"]

LEAST = 0.005
"""Seconds of the calls of a round, at least."""


def seconds(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.process_time_ns()
    work()
    return (time.process_time_ns() - began) / 1e9


def medians(*works: Callable[[], object], rounds: int = 9) -> list[float]:
    """Seconds a call of each: medians of rounds in which they take turns, each for ``LEAST`` or once."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, each in zip(works, times, strict=True):
            took, calls = seconds(work), 1
            while took < LEAST:
                took, calls = took + seconds(work), calls + 1
            each.append(took / calls)
    return list(map(statistics.median, times))
