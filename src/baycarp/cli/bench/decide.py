"""Milliseconds of a decision by street, heads-up, warm."""

import statistics
import time
from collections.abc import Iterator

import numpy as np

import baycarp
from baycarp.agents.registry import DEFAULT
from baycarp.cli.bench.goal import Goal

__all__ = ["goals"]

LINES = {
    "pre-flop": "MATCHSTATE:0:0:r:AhKd|",
    "flop": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",
    "turn": "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h",
    "river": "MATCHSTATE:0:0:rc/cc/cc/:AhKd|/Qs7d2c/9h/3s",
}


def goals() -> Iterator[Goal]:
    """Measure who decides where nobody is named."""
    agent = baycarp.load(DEFAULT)
    for street, line in LINES.items():
        seen = baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")
        times = []
        for _ in range(300):
            began = time.perf_counter()
            agent.decide(seen)
            times.append(1000 * (time.perf_counter() - began))
        yield Goal(f"{street}, median", None, statistics.median(times), "ms", None)
        yield Goal(f"{street}, p99", None, float(np.percentile(times, 99)), "ms", None)
