"""Habits of players in recorded hands, and those of the players around each quartile of looseness.

A habit is a ratio of two counts, so that the habits of several players or sessions are those of added counts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand, replay

__all__ = ["COUNTS", "HABITS", "QUARTILES", "Measured", "around_quartiles", "habit_counts", "measured"]

Counts = NDArray[np.int64]
Array = NDArray[np.float64]

COUNTS = ("hands", "voluntary", "raised", "bets", "raises", "calls", "folds", "flops", "showdowns")
"""Hands dealt, with chips put in voluntarily, with a raise pre-flop; the four actions after the flop; flops
seen, and showdowns."""

HABITS = ("VPIP, %", "PFR, %", "aggression", "fold to bet, %", "went to showdown, %")
"""Of the hands dealt the first two; bets and raises a call, and folds of the bets faced, both after the flop;
showdowns of the flops seen."""

QUARTILES = ("lower quartile", "median", "upper quartile")

SAMPLES = 1000
"""Of the bootstrap."""


@dataclass(frozen=True, slots=True)
class Measured:
    """``HABITS`` with the half-widths of their 95 % intervals: both float64, shape (5,)."""

    values: Array
    margins: Array


def habit_counts(hands: Iterable[Hand]) -> dict[str, Counts]:
    """The ``COUNTS`` of every player, by name: int64, shape (9,).

    Raises
    ------
    ArgumentError
        A hand without the names of its players.
    """
    found: defaultdict[str, Counts] = defaultdict(lambda: np.zeros(len(COUNTS), np.int64))
    for hand in hands:
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        for name, row in zip(hand.players, _counts(hand), strict=True):
            found[name] += row
    return dict(found)


def _counts(hand: Hand) -> Counts:
    """Those of one hand by position, shape (seats, 9)."""
    seats = hand.variant.seats
    preflop, later = (Counter[tuple[int, str]]() for _ in range(2))
    for act in replay(hand).acts:
        (later if act.street else preflop)[act.seat, act.action.name] += 1
    flop = [not preflop[seat, "fold"] for seat in range(seats)]
    end = [inside and not later[seat, "fold"] for seat, inside in enumerate(flop)]
    return np.array(
        [
            (
                1,
                any(preflop[seat, name] for name in ("call", "bet", "raise")),
                any(preflop[seat, name] for name in ("bet", "raise")),
                *(later[seat, name] for name in ("bet", "raise", "call", "fold")),
                flop[seat] and sum(flop) > 1,
                end[seat] and sum(end) > 1,
            )
            for seat in range(seats)
        ]
    )


def _habits(counts: NDArray[np.integer]) -> Array:
    """Shape (..., 5), of counts (..., 9)."""
    hands, voluntary, raised, bets, raises, calls, folds, flops, showdowns = np.moveaxis(
        counts.astype(float), -1, 0
    )
    ratios = (
        (100 * voluntary, hands),
        (100 * raised, hands),
        (bets + raises, calls),
        (100 * folds, folds + calls + raises),
        (100 * showdowns, flops),
    )
    return np.stack([above / np.maximum(below, 1) for above, below in ratios], axis=-1)


def measured(counts: Counts, seed: int = 1) -> Measured:
    """The habits of units together, players or sessions, with intervals by a bootstrap of the units.

    Parameters
    ----------
    counts
        Shape (units, 9).
    seed
        Of the bootstrap.
    """
    drawn = np.random.default_rng(seed).integers(len(counts), size=(SAMPLES, len(counts)))
    return Measured(_habits(counts.sum(axis=0)), 1.96 * _habits(counts[drawn].sum(axis=1)).std(axis=0))


def around_quartiles(counts: Counts) -> dict[str, Measured]:
    """The habits of the quarter of the players around each quartile of VPIP, by ``QUARTILES``.

    Parameters
    ----------
    counts
        Of each player, shape (players, 9).

    Raises
    ------
    ArgumentError
        Fewer than eight players.
    """
    if len(counts) < 8:
        raise ArgumentError(f"{len(counts)} players: expected at least 8, for quartiles")
    order = np.argsort(_habits(counts)[:, 0], kind="stable")
    edges = np.linspace(0, len(order), 9).round().astype(int)
    return {
        name: measured(counts[order[edges[2 * n + 1] : edges[2 * n + 3]]]) for n, name in enumerate(QUARTILES)
    }
