"""Strength and potential of one hand beside the definitions, side by side (kernels.G5, G6, G7)."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from baycarp.card import cards
from baycarp.cli.bench.goal import Goal
from baycarp.kernels import strength as kernel

__all__ = ["goals"]

FLOPS = {
    "rainbow flop": (cards("AhKd"), cards("Qs7d2c")),
    "two-tone flop": (cards("8h7h"), cards("9h6c2h")),
    "monotone flop": (cards("AsKd"), cards("Qh9h4h")),
}
TURN = cards("AhKd"), cards("Qs7d2cTc")

POTENTIAL = {"rainbow flop": (40, 80), "two-tone flop": (15, 35), "monotone flop": (5, 12)}
"""G5: HS, PPot, NPot two cards ahead, against a loop that ranks our hand once; speed-up: must, stretch."""

EXPECTED = {"rainbow flop": (15, 35), "two-tone flop": (8, 15), "monotone flop": (4, 8)}
"""G7: E[HS] and E[HS^2], against the loop over boards."""

ROUNDS = 9


def goals() -> Iterator[Goal]:
    """Compare the answers, then time both in turn, through Python, against a range of all holdings."""
    try:
        reference: Any = import_module("baycarp_reference")
    except ImportError:
        return
    weights = np.random.default_rng(1).integers(1, 256, 1326).astype(np.float64)
    fast: Callable[[], object]
    slow: Callable[[], object]
    for name, (must, stretch) in POTENTIAL.items():
        fast = partial(kernel.strength, *FLOPS[name], weights)
        slow = partial(reference.naive_strength, *FLOPS[name], weights, shared=True)
        yield _ratio(f"G5: {name}, potential", fast, slow, must, stretch)
    fast, slow = partial(kernel.strength, *TURN, weights), partial(reference.naive_strength, *TURN, weights)
    yield _ratio("G6: turn, potential", fast, slow, 5, 23)
    for name, (must, stretch) in EXPECTED.items():
        fast = partial(kernel.expected_strength, *FLOPS[name])
        slow = partial(reference.naive_expected_strength, *FLOPS[name])
        yield _ratio(f"G7: {name}, E[HS^2]", fast, slow, must, stretch)


def _ratio(
    name: str, fast: Callable[[], object], slow: Callable[[], object], must: float, stretch: float | None
) -> Goal:
    """How many times as fast: the ratio of the medians of interleaved rounds."""
    if fast() != slow():
        raise ArithmeticError(f"{name}: {fast()}, by definition {slow()}")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_seconds(fast, 50))
        theirs.append(_seconds(slow, 2))
    ratio = statistics.median(theirs) / statistics.median(ours)
    what = f"times the loop ({1e6 * statistics.median(ours):.0f} µs)"
    return Goal(name, must, ratio, what, ratio >= must, stretch)


def _seconds(work: Callable[[], object], calls: int) -> float:
    """Processor time a call, so that other processes count little."""
    began = time.thread_time_ns()
    for _ in range(calls):
        work()
    return (time.thread_time_ns() - began) / calls / 1e9
