"""Ranks beside the plain form and beside peers, and what the import costs (kernels.G1, G3, G4, G12)."""

import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import DECK
from baycarp.cli.bench.goal import Goal
from baycarp.kernels import simd
from baycarp.kernels.hands import TABLE_BYTES, census, rank

__all__ = ["goals"]

ROUNDS = 9
LARGE, FEW = 1_000_000, 10_000
"""Hands of a round: for one call of this package, and for a peer that ranks them one by one."""

WIDE = {"avx2": (1.3, None), "avx512": (2.2, 2.5)}
"""G1: a level against the base level, both through Python; times as fast: must, stretch."""

PEERS = {"phevaluator": 50, "eval7": 150}
"""G1: the level in use against a peer's compiled call, a hand; times as fast: must."""

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
    """Compare the answers, then time in turn."""
    deals = _deals()
    yield from _batch(deals)
    yield from _one(deals[:FEW])
    yield from _import()


def _deals() -> NDArray[np.uint8]:
    """Random hands of seven cards, shape (MANY, 7)."""
    draw = np.random.default_rng(1).random((LARGE, 52), dtype=np.float32)
    return np.argpartition(draw, 7, axis=1)[:, :7].astype(np.uint8)


def _batch(deals: NDArray[np.uint8]) -> Iterator[Goal]:
    few = deals[:FEW]
    peers = {name: peer for name in PEERS if (peer := _peer(name, few)) is not None}
    for name, peer in peers.items():
        _same(name, peer(), _at("base", few))
    for level in simd.AVAILABLE:
        if not np.array_equal(_at(level, deals), _at("base", deals)):
            raise ArithmeticError(f"ranks on {level} are not those of the base level")
    levels = {level: (partial(_at, level, deals), LARGE) for level in simd.AVAILABLE}
    took = _seconds(
        levels | {name: (peer, FEW) for name, peer in peers.items()} | {"all": (_all, sum(FREQUENCIES))}
    )
    for level in simd.AVAILABLE[1:]:
        must, stretch = WIDE[level]
        ratio = took["base"] / took[level]
        what = f"times base ({1e9 * took[level]:.2f} ns a hand)"
        yield Goal(f"G1: many hands, {level}", must, ratio, what, ratio >= must, stretch)
    for name in peers:
        ratio = took[name] / took[simd.active()]
        yield Goal(
            f"G1: many hands, {simd.active()}", PEERS[name], ratio, f"times {name}", ratio >= PEERS[name]
        )
    what = f"times base at random ({1e9 * took['all']:.2f} ns a hand)"
    yield Goal("G3: all 133,784,560 hands", None, took["base"] / took["all"], what, None)


def _one(deals: NDArray[np.uint8]) -> Iterator[Goal]:
    peer = _peer("phevaluator", deals)
    if peer is None:
        return
    rows = deals.tolist()
    took = _seconds({"ours": (lambda: [rank(row) for row in rows], FEW), "theirs": (peer, FEW)})
    share = took["ours"] / took["theirs"]
    what = f"of phevaluator's C call ({1e9 * took['ours']:.0f} ns)"
    yield Goal("G4: one hand, at most", 0.7, share, what, share <= 0.7, 0.5)


def _import() -> Iterator[Goal]:
    """Time and memory of a fresh interpreter that has NumPy, with compiled files as installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", IMPORT], env=environment, capture_output=True, check=True
        )
        runs.append([float(word) for word in done.stdout.split()])
    took, held, more_took, more_held = np.median(runs, axis=0).tolist()
    yield Goal("G12: import, and rank, at most", 5, 1e3 * took, "ms", took <= 5e-3, 2.6)
    yield Goal("G12: import, rank, strength, equity", None, 1e3 * more_took, "ms", None)
    if held >= 0:
        yield Goal("G12: import, and rank, at most", 1, held / 2**20, "MiB", held <= 2**20)
        yield Goal("G12: import, rank, strength, equity", None, more_held / 2**20, "MiB", None)
    yield Goal("G12: rank tables, at most", 256, TABLE_BYTES / 1024, "KiB", TABLE_BYTES <= 256 * 1024)


def _at(level: str, deals: NDArray[np.uint8]) -> NDArray[np.uint16]:
    with simd.use(level):
        return np.asarray(rank(deals))


def _all() -> None:
    if census() != FREQUENCIES:
        raise ArithmeticError(f"all hands by category: {census()}, published {FREQUENCIES}")


def _peer(name: str, deals: NDArray[np.uint8]) -> Callable[[], list[int]] | None:
    """A peer's ranks of some hands, by the call that costs it least; None if it is not installed."""
    try:
        with warnings.catch_warnings(action="ignore"):
            module: Any = import_module("phevaluator._pheval" if name == "phevaluator" else name)
    except ImportError:
        return None
    if name == "phevaluator":
        call, rows = module.evaluate_7cards, deals.tolist()
        return lambda: [-call(*row) for row in rows]
    deck = [module.Card(card) for card in DECK]
    hands = [[deck[card] for card in deal] for deal in deals]
    return lambda: [module.evaluate(hand) for hand in hands]


def _same(name: str, theirs: list[int], ours: NDArray[np.uint16]) -> None:
    """Raise unless both order the hands alike."""
    (_, theirs_dense), (_, ours_dense) = (np.unique(x, return_inverse=True) for x in (np.array(theirs), ours))
    if not np.array_equal(theirs_dense, ours_dense):
        raise ArithmeticError(f"{name} orders the hands in another way")


def _seconds(works: Mapping[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Processor time of each a hand: the medians of rounds in which they take turns."""
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (work, hands) in works.items():
            began = time.thread_time_ns()
            work()
            took[name].append((time.thread_time_ns() - began) / hands / 1e9)
    return {name: statistics.median(each) for name, each in took.items()}
