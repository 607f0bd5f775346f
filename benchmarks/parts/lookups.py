"""Pre-flop equity by table beside the enumeration of all boards (kernels.G11)."""

from collections.abc import Callable, Iterator
from functools import partial

from baycarp.card import cards
from baycarp.evaluation import equity
from baycarp.kernels import preflop
from baycarp.kernels.runout import runout
from baycarp.kernels.strength import equity as enumerated
from baycarp.ranges import Range
from benchmarks.parts.clock import medians, seconds
from benchmarks.parts.goal import Goal, at_least, at_most

__all__ = ["goals"]

SPREADS = {
    "two ranges": (Range("QQ+,AKs"), Range("22+,A2s+,KTs+,QTs+,ATo+")),
    "any two, cards known": (Range("random").without("AhKd"), Range("random").without("QsQc")),
}
"""The second does not weigh whole classes alike, so that it takes the longer way."""

HOLDINGS, RANGES = (1_900, 19_000), (10_800, 54_000)
"""Must and stretch: OMPEval's times on a quiet machine, 1.9 ms and 1.08 s, over 1, 0.1 and 100, 20 µs."""


def goals() -> Iterator[Goal]:
    """Compare with the enumeration, then time both."""
    yield at_most("G11: tables", 400, preflop.TABLE_BYTES / 1000, "KB")
    look, count = partial(equity, "AhAd", "KsKc"), partial(_counted, "AhAd", "KsKc")
    yield _ratio("G11: two holdings", look, count, *HOLDINGS)
    for name, (ours, theirs) in SPREADS.items():
        look, count = partial(equity, ours, theirs), partial(enumerated, ours.weights, theirs.weights)
        yield _ratio(f"G11: {name}", look, count, *RANGES)


def _counted(a: str, b: str) -> float:
    """The share of one holding against another over all boards."""
    return float(runout([cards(a).tolist(), cards(b).tolist()], [], [0b11])[0, 0])


def _ratio(
    name: str, look: Callable[[], float], count: Callable[[], float], must: float, stretch: float
) -> Goal:
    """The speed-up; the enumeration takes seconds and is timed once."""
    expected = count()
    if abs(look() - expected) > 1e-12:
        raise ArithmeticError(f"{name}: {look()} by table, {expected} over all boards")
    (took,), counted = medians(look), seconds(count)
    return at_least(name, must, counted / took, f"times all boards ({1e6 * took:.3g} µs)", stretch)
