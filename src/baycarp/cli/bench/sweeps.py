"""All holdings at once and range against range, beside the slow way and eval7 (kernels.G8, G9, G10)."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import DECK, HOLDINGS, as_cards, blocked_by
from baycarp.cli.bench.goal import Goal
from baycarp.kernels.strength import equity
from baycarp.kernels.sweeps import sweep, sweep_expected

__all__ = ["goals"]

ALIKE = np.ones(1326)
LIKELY = np.where(np.arange(1326) % 5 < 2, 1.0 + np.arange(1326) % 251, 0.0)
"""A range of two holdings in five, of uneven weights."""

FLOPS = {"rainbow": "Qs7d2c", "two-tone": "9h6c2h", "monotone": "Qh9h4h"}
RATIOS = {"rainbow": (6.0, 11.0), "two-tone": (4.0, 7.0), "monotone": (2.8, 5.0)}
"""Times the sorted sweep, board by board: must, and what the stretch in milliseconds comes to."""

QUIET = {"rainbow": 1.2, "two-tone": 2.0, "monotone": 3.0}
"""Milliseconds on a quiet machine: stretch."""

STREETS = {"flop": (500.0, 1500.0), "turn": (300.0, 1000.0), "river": (1000.0, 3000.0)}
"""Times the loop over pairs: must, stretch."""


def goals() -> Iterator[Goal]:
    """Compare answers, then time both sides in turn."""
    reference: Any = import_module("baycarp_reference") if find_spec("baycarp_reference") else None
    if reference:
        yield from _expected(reference)
    yield from _river()
    if reference:
        yield from _equity(reference)


def _expected(reference: Any) -> Iterator[Goal]:
    """E[HS] and E[HS^2] of every holding on a flop, against every holding alike and against a range."""
    for name, flop in FLOPS.items():
        for against, weights, given in (("any holding", ALIKE, None), ("a range", LIKELY, LIKELY)):
            fast = partial(sweep_expected, flop, given)
            slow = partial(reference.naive_sweep_expected, flop, weights)
            _agree(name, np.array(fast()), np.array(slow()))
            took, slower = _interleaved(fast, slow)
            text = f"G8: all holdings' E[HS], E[HS^2] against {against}, {name}"
            must, stretch = RATIOS[name]
            ratio = slower / took
            yield Goal(text, must, ratio, "times the sorted sweep", ratio >= must, stretch)
            yield Goal(text, None, took / 1000, "ms", None, QUIET[name])


def _river() -> Iterator[Goal]:
    """Every holding against a range on a river board."""
    fast = partial(sweep, "Qs7d2cTc9h", ALIKE)
    took = _interleaved(fast)[0]
    yield Goal("G9: river, all against a range", None, took, "µs", None, 4)
    try:
        eval7: Any = import_module("eval7")
    except ImportError:
        return
    peers = [eval7.Card(card) for card in DECK]
    spread = [((peers[a], peers[b]), 1.0) for a, b in HOLDINGS.tolist()]
    board = [peers[card] for card in as_cards("Qs7d2cTc9h")]
    slow = partial(eval7.py_all_hands_vs_range, spread, spread, board, 2000)
    theirs, free = slow(), np.flatnonzero(~blocked_by(as_cards("Qs7d2cTc9h")))
    by_pair = {frozenset(map(str, pair)): share for pair, share in theirs.items()}
    shares = [by_pair[frozenset(DECK[card] for card in HOLDINGS[index])] for index in free]
    _agree("eval7", fast()[free], np.array(shares), 1e-6)
    took, slower = _interleaved(fast, slow)
    ratio = slower / took
    yield Goal("G9: river, all against a range", 1000, ratio, "times eval7", ratio >= 1000, 3000)


def _equity(reference: Any) -> Iterator[Goal]:
    """Two whole ranges all-in on a rainbow board."""
    board = "Qs7d2cTc9h"
    for name, cards in (("flop", board[:6]), ("turn", board[:8]), ("river", board)):
        fast, sample = partial(equity, ALIKE, ALIKE, cards), _some(cards)
        won, total = reference.naive_equity(sample, LIKELY, cards)
        _agree(name, np.array(equity(sample, LIKELY, cards)), np.array(won / total))
        share = float(sample.sum() / (~blocked_by(as_cards(cards))).sum())
        took, part = _interleaved(fast, partial(reference.naive_equity, sample, ALIKE, cards))
        ratio = part / share / took
        must, stretch = STREETS[name]
        yield Goal(
            f"G10: range against range, {name}", must, ratio, "times pair by pair", ratio >= must, stretch
        )


def _some(board: str) -> NDArray[np.float64]:
    """Four holdings of all that a board leaves: the loop over pairs takes as long for each."""
    some = np.flatnonzero(~blocked_by(as_cards(board)))[100::250][:4]
    return np.isin(np.arange(1326), some).astype(float)


def _agree(
    name: str, found: NDArray[np.float64], expected: NDArray[np.float64], within: float = 1e-12
) -> None:
    if not np.allclose(found, expected, rtol=0, atol=within, equal_nan=True):
        raise ArithmeticError(f"{name}: off by {np.nanmax(np.abs(found - expected))}")


def _interleaved(*works: Callable[[], object], rounds: int = 9) -> list[float]:
    """Microseconds of processor time a call of each: medians of rounds in which they take turns."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, each in zip(works, times, strict=True):
            calls, began, ended = 0, time.thread_time_ns(), 0
            while ended - began < 5_000_000:
                work()
                calls, ended = calls + 1, time.thread_time_ns()
            each.append((ended - began) / calls / 1000)
    return [statistics.median(each) for each in times]
