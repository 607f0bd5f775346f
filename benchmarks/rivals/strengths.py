"""Strength and potential of one hand beside the loops of the definitions (kernels.G5, G6, G7)."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from baycarp.card import cards
from baycarp.kernels.strength import expected_strength, strength
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least
from benchmarks.parts.kernels import FLOPS, TURN
from benchmarks.rivals.reference import reference

POTENTIAL = {"rainbow": (40, 80), "two-tone": (15, 35), "monotone": (5, 12)}
"""G5: HS, PPot, NPot two cards ahead, against a loop that ranks our hand once; speed-up: must, stretch."""

EXPECTED = {"rainbow": (15, 35), "two-tone": (8, 15), "monotone": (4, 8)}
"""G7: E[HS] and E[HS^2], against the loop over boards."""


def goals() -> Iterator[Goal]:
    """Compare the results, then time both in turn, through Python, against a range of all holdings."""
    if (plain := reference()) is None:
        return
    weights = np.random.default_rng(1).integers(1, 256, 1326).astype(np.float64)
    for name, bounds in POTENTIAL.items():
        hole, board = map(cards, FLOPS[name])
        slow = partial(plain.naive_strength, hole, board, weights, shared=True)
        yield _ratio(f"G5: {name} flop, potential", partial(strength, hole, board, weights), slow, bounds)
    hole, board = cards("AhKd"), cards(TURN)
    slow = partial(plain.naive_strength, hole, board, weights)
    yield _ratio("G6: turn, potential", partial(strength, hole, board, weights), slow, (5, 23))
    for name, bounds in EXPECTED.items():
        hole, board = map(cards, FLOPS[name])
        slow = partial(plain.naive_expected_strength, hole, board)
        yield _ratio(f"G7: {name} flop, E[HS^2]", partial(expected_strength, hole, board), slow, bounds)


def _ratio(
    name: str, fast: Callable[[], object], slow: Callable[[], object], bounds: tuple[float, float]
) -> Goal:
    """The speed-up, after a comparison of the results."""
    if fast() != slow():
        raise ArithmeticError(f"{name}: {fast()}, by definition {slow()}")
    ours, theirs = medians(fast, slow)
    must, stretch = bounds
    return at_least(name, must, theirs / ours, f"times the loop ({1e6 * ours:.0f} µs)", stretch)
