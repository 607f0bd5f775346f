"""All holdings at once and range against range, beside plain C, numpy and eval7 (kernels.G8, G9, G10)."""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import DECK, HOLDINGS, as_cards, blocked_by
from baycarp.kernels.strength import equity
from baycarp.kernels.sweeps import sweep, sweep_expected
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least
from benchmarks.parts.kernels import ALIKE, FLOPS, LIKELY, RIVER
from benchmarks.rivals.numpy_hands import numpy_river
from benchmarks.rivals.reference import reference

RATIOS = {"rainbow": (6.0, 11.0), "two-tone": (4.0, 7.0), "monotone": (2.8, 5.0)}
"""Times the sorted sweep, board by board: must, and what the stretch in milliseconds comes to."""

STREETS = {"flop": (500.0, 1500.0), "turn": (300.0, 1000.0), "river": (1000.0, 3000.0)}
"""Times the loop over pairs: must, stretch."""


def goals() -> Iterator[Goal]:
    """Compare results, then time both sides in turn."""
    plain = reference()
    if plain is not None:
        yield from _expected(plain)
    yield from river()
    if plain is not None:
        yield from _equity(plain)


def river() -> Iterator[Goal]:
    """All holdings against a range on a river."""
    what, fast = "G9: river, all against a range", partial(sweep, RIVER, ALIKE)
    for weights in (ALIKE, LIKELY):
        _agree("numpy", sweep(RIVER, weights), numpy_river(RIVER, weights))
    took, slower = medians(fast, partial(numpy_river, RIVER, ALIKE))
    yield Goal(what, slower / took, "times numpy")
    if (slow := eval7_sweep(RIVER)) is not None:
        free = np.flatnonzero(~blocked_by(as_cards(RIVER)))
        _agree("eval7", fast()[free], slow()[free], 1e-6)
        took, slower = medians(fast, slow)
        yield at_least(what, 1000, slower / took, f"times eval7 {version('eval7')}", 3000)


def eval7_sweep(board: str) -> Callable[[], NDArray[np.float64]] | None:
    """The equity of each holding against all on a river by eval7, float64, shape (1326,); None without it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # its parser of ranges
            eval7: Any = import_module("eval7")
    except ImportError:
        return None
    deck = [eval7.Card(card) for card in DECK]
    spread = [((deck[a], deck[b]), 1.0) for a, b in HOLDINGS.tolist()]
    table = [deck[card] for card in as_cards(board)]

    def found() -> NDArray[np.float64]:
        by_pair = eval7.py_all_hands_vs_range(spread, spread, table, 2000)
        return np.array([by_pair[pair] for pair, _ in spread])

    return found


def _expected(plain: Any) -> Iterator[Goal]:
    """E[HS] and E[HS^2] of every holding on a flop, against every holding alike and against a range."""
    for name, (_, flop) in FLOPS.items():
        for against, weights, given in (("any holding", ALIKE, None), ("a range", LIKELY, LIKELY)):
            fast = partial(sweep_expected, flop, given)
            slow = partial(plain.naive_sweep_expected, flop, weights)
            _agree(name, np.array(fast()), np.array(slow()))
            took, slower = medians(fast, slow)
            text = f"G8: all holdings' E[HS], E[HS^2] against {against}, {name}"
            must, stretch = RATIOS[name]
            yield at_least(text, must, slower / took, "times the sorted sweep", stretch)


def _equity(plain: Any) -> Iterator[Goal]:
    """Two whole ranges all-in on a rainbow board."""
    for name, (must, stretch) in STREETS.items():
        board = RIVER[: {"flop": 6, "turn": 8, "river": 10}[name]]
        free = ~blocked_by(as_cards(board))
        some = np.isin(np.arange(1326), np.flatnonzero(free)[100::250][:4]).astype(float)
        won, total = plain.naive_equity(some, LIKELY, board)
        _agree(name, np.array(equity(some, LIKELY, board)), np.array(won / total))
        took, part = medians(
            partial(equity, ALIKE, ALIKE, board), partial(plain.naive_equity, some, ALIKE, board)
        )
        ratio = part / float(some.sum() / free.sum()) / took  # the loop takes as long for each holding
        yield at_least(f"G10: range against range, {name}", must, ratio, "times pair by pair", stretch)


def _agree(
    name: str, found: NDArray[np.float64], expected: NDArray[np.float64], within: float = 1e-12
) -> None:
    if not np.allclose(found, expected, rtol=0, atol=within, equal_nan=True):
        raise ArithmeticError(f"{name}: off by {np.nanmax(np.abs(found - expected))}")
