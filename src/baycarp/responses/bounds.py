"""The value of a best response, from the values of flops: exact, or a lower and an upper estimate."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import margin
from baycarp.errors import TableError
from baycarp.game import Variant
from baycarp.kernels.arguments import seeded
from baycarp.responses.preflop import PreflopBetting
from baycarp.responses.suits import FLOPS, flops

__all__ = [
    "Bound",
    "Exploited",
    "Flop",
    "bound_of",
    "corrected",
    "drawn",
    "estimates",
    "exact",
    "sampled",
    "to_dict",
]

Flop = tuple[int, ...]
"""Three cards, one of ``suits.flops``."""

Values = Mapping[Flop, NDArray[np.float64]]
"""By flop the values of both positions: chips a hand, shape (2, sequences before the flop, 169)."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a best response wins, in thousandths of a big blind a hand, averaged over both positions.

    Parameters
    ----------
    name
        What the figure is.
    mean, margin
        The figure and half of its 95 % interval over flops; 0 when it is exact, nan when it is unknown.
    button, big_blind
        The figure by position of the responder.
    """

    name: str
    mean: float
    margin: float
    button: float
    big_blind: float


@dataclass(frozen=True, slots=True)
class Exploited:
    """What a measurement found.

    Parameters
    ----------
    bounds
        Of the value of a best response.
    about
        The number of ``"flops"`` or ``"hands"``.
    sample
        The same in words.
    """

    bounds: tuple[Bound, ...]
    about: dict[str, int]
    sample: str


def drawn(number: int, seed: int) -> list[Flop]:
    """Flops drawn independently, each of the 22,100 with the same probability; a longer draw begins alike.

    Raises
    ------
    TableError
        Fewer than four, two for each half of the estimates.

    Examples
    --------
    >>> drawn(4, seed=1) == drawn(9, seed=1)[:4]
    True
    """
    if number < 4:
        raise TableError(f"{number} flops: expected at least 4, two for each half")
    classes = flops()
    ends = np.cumsum(list(classes.values()))
    places = np.searchsorted(ends, FLOPS * seeded(seed).random(number), side="right")
    names = list(classes)
    return [names[place] for place in places.tolist()]


def exact(openings: Sequence[PreflopBetting], values: Values) -> Bound:
    """The value of the best response: every flop is known."""
    classes = flops()
    shares = np.array(list(classes.values())) / FLOPS
    rows = np.array([values[flop] for flop in classes])
    by_seat = []
    for opening, row in zip(openings, np.moveaxis(rows, 1, 0), strict=True):
        mean = np.tensordot(shares, row, axes=1)
        by_seat.append(float(opening.values(mean, mean[None])[0]))
    return bound_of("exact best response", openings[0].variant, np.array(by_seat)[:, None], 0.0)


def sampled(openings: Sequence[PreflopBetting], values: Values, draw: Sequence[Flop]) -> tuple[Bound, Bound]:
    """A lower and an upper estimate of the value of the best response, from flops drawn independently.

    The responder's actions before the flop depend on the mean over flops. Chosen on one half of the flops and
    valued on the other they are a strategy without knowledge of the flops that value it, so its value is at
    most the best response's. Chosen and valued on the same flops they fit them, so the expected figure is at
    least the best response's. After the flop both are exact.

    A flop blocks more holdings of some classes than of others. What it values is therefore corrected by the
    known mean of the pairs of holdings that it leaves, times the mean value of a pair on the other half.

    Parameters
    ----------
    openings
        The positions of the responder.
    values
        By flop.
    draw
        As ``drawn`` gives it; at least four.
    """
    rows = np.array([values[flop] for flop in draw])
    lower = np.empty((2, len(draw)))
    upper = np.empty((2, len(draw)))
    for seat, opening in enumerate(openings):
        lower[seat], upper[seat] = estimates(opening, corrected(opening, rows[:, seat], draw))
    names = "lower estimate of the exact best response", "upper estimate of the exact best response"
    variant = openings[0].variant
    return bound_of(names[0], variant, lower), bound_of(names[1], variant, upper)


def estimates(
    opening: PreflopBetting, rows: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The chips a hand by flop: with actions chosen on the other half of the flops, and on all of them."""
    lower = np.empty(len(rows))
    for half in (0, 1):
        lower[half::2] = opening.values(rows[1 - half :: 2].mean(axis=0), rows[half::2])
    return lower, opening.values(rows.mean(axis=0), rows)


def corrected(
    opening: PreflopBetting, rows: NDArray[np.float64], draw: Sequence[Flop]
) -> NDArray[np.float64]:
    """Values of flops with the same expectation and less variance: the pairs left are a control variate."""
    mean = opening.pairs()
    pairs = np.array([opening.pairs(flop) for flop in draw])
    better = np.empty_like(rows)
    for half in (0, 1):
        value, left = rows[1 - half :: 2].sum(axis=0), pairs[1 - half :: 2].sum(axis=0)
        each = np.divide(value, left, out=np.zeros_like(value), where=left > 0)
        better[half::2] = rows[half::2] + each * (mean - pairs[half::2])
    return better


def bound_of(name: str, variant: Variant, chips: NDArray[np.float64], half: float = math.nan) -> Bound:
    """The bound of the chips of both positions, by flop or deal: shape (2, n)."""
    """The bound of the chips of both positions, by flop; shape (2, flops)."""
    units = 1000 / variant.big_blind * chips
    both = units.mean(axis=0)
    if math.isnan(half):
        half = margin(float(both.std(ddof=1)), len(both))
    big_blind, button = units.mean(axis=1).tolist()
    return Bound(name, float(both.mean()), half, button, big_blind)


def to_dict(bound: Bound) -> dict[str, Any]:
    """A bound by its JSON keys."""
    return {
        "name": bound.name,
        "mbb/h": bound.mean,
        "margin": bound.margin,
        "button": bound.button,
        "big blind": bound.big_blind,
    }
