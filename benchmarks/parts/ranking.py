"""Ranks on each level, and the time and memory of the import (kernels.G1, G3, G12)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels import simd
from baycarp.kernels.hands import TABLE_BYTES, census, rank
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least, at_most

__all__ = ["LARGE", "ROUNDS", "goals", "random_hands"]

ROUNDS = 9
LARGE = 1_000_000
"""Hands of one call."""

WIDE = {"avx2": (1.3, None), "avx512": (2.2, 2.5)}
"""G1: a level against the base level, both through Python; times as fast: must, stretch."""

FREQUENCIES = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)
"""Hands of seven cards by category, as published."""

IMPORT = """
import importlib.util, time, numpy  # the first for an editable install: its finder takes it
def resident():
    try:
        return int(open("/proc/self/statm").read().split()[1]) * 4096
    except OSError:
        return -1
def took():  # a processor's clock may jump by a whole tick, the one on the wall runs on while others work
    return min(time.process_time() - worked, time.perf_counter() - began)
before, worked, began = resident(), time.process_time(), time.perf_counter()
import baycarp
baycarp.rank
print(took(), resident() - before)
baycarp.strength, baycarp.equity
print(took(), resident() - before)
"""


def goals() -> Iterator[Goal]:
    """Compare the ranks of all levels, then time them in turn."""
    deals, levels = random_hands(LARGE), simd.AVAILABLE
    for level in levels:
        if not np.array_equal(_at(level, deals), _at("base", deals)):
            raise ArithmeticError(f"ranks on {level} are not those of the base level")
    *took, every = medians(*(partial(_at, level, deals) for level in levels), _all, rounds=ROUNDS)
    times = dict(zip(levels, (1e9 * each / LARGE for each in took), strict=True))
    for level in levels[1:]:
        must, stretch = WIDE[level]
        what = f"times base ({times[level]:.2f} ns a hand)"
        yield at_least(f"G1: many hands, {level}", must, times["base"] / times[level], what, stretch)
    each = 1e9 * every / sum(FREQUENCIES)
    what = f"times base at random ({each:.2f} ns a hand)"
    yield Goal("G3: all 133,784,560 hands", times["base"] / each, what)
    (one,) = medians(partial(rank, deals[0].tolist()), rounds=ROUNDS)
    yield Goal("one hand from Python", 1e9 * one, "ns")
    yield from _import()


def random_hands(count: int) -> NDArray[np.uint8]:
    """Random hands of seven cards, shape (count, 7)."""
    draw = np.random.default_rng(1).random((count, 52), dtype=np.float32)
    return np.argpartition(draw, 7, axis=1)[:, :7].astype(np.uint8)


def _import() -> Iterator[Goal]:
    """Time and memory of a fresh interpreter that has NumPy, with compiled files as installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command, runs = [sys.executable, "-c", IMPORT], []
    for _ in range(ROUNDS):
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        runs.append([float(word) for word in done.stdout.split()])
    took, held, more_took, more_held = np.median(runs, axis=0).tolist()
    yield at_most("G12: import, and rank, at most", 5, 1e3 * took, "ms", 2.6)
    yield Goal("G12: import, rank, strength, equity", 1e3 * more_took, "ms")
    if held >= 0:
        yield at_most("G12: import, and rank, at most", 1, held / 2**20, "MiB")
        yield Goal("G12: import, rank, strength, equity", more_held / 2**20, "MiB")
    yield at_most("G12: rank tables, at most", 256, TABLE_BYTES / 1024, "KiB")


def _at(level: str, deals: NDArray[np.uint8]) -> NDArray[np.uint16]:
    with simd.use(level):
        return np.asarray(rank(deals))


def _all() -> None:
    if census() != FREQUENCIES:
        raise ArithmeticError(f"all hands by category: {census()}, published {FREQUENCIES}")
