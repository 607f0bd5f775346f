"""Ranks of seven cards by phevaluator, eval7, treys, pokerkit and plain numpy (kernels.G1, G4)."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import DECK, text
from baycarp.kernels import simd
from baycarp.kernels.hands import rank
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least, at_most
from benchmarks.parts.ranking import random_hands
from benchmarks.rivals.numpy_hands import numpy_ranks

Deals = NDArray[np.uint8]
Ranker = Callable[[], Sequence[Any]]
"""Ranks some hands, by the call that costs the library least; a stronger hand has a higher rank."""

MUSTS = {"phevaluator": 50, "eval7": 150}
"""G1: the level in use against a library's compiled call, a hand; times as fast: must."""

LARGE, FEW = 1_000_000, 10_000
"""Hands of one call of this package, and of a library that ranks them one by one."""


def goals() -> Iterator[Goal]:
    """A batch against a batch in numpy and single calls of libraries, and one hand against one hand."""
    deals = random_hands(LARGE)
    few = deals[:FEW]
    alike("numpy", numpy_ranks(few).tolist(), np.asarray(rank(few)))
    slow, fast = medians(partial(numpy_ranks, deals), partial(rank, deals))
    what = f"times numpy ({1e9 * slow / LARGE:.0f} ns a hand)"
    yield Goal(f"G1: many hands, {simd.active()}", slow / fast, what)
    for name, must in MUSTS.items():
        if theirs := installed(name, few):
            alike(name, theirs(), np.asarray(rank(few)))
            slow, fast = medians(theirs, partial(rank, deals))
            ratio = slow / FEW / (fast / LARGE)
            yield at_least(f"G1: many hands, {simd.active()}", must, ratio, f"times {name} {version(name)}")
    if theirs := installed("phevaluator", few):
        rows = few.tolist()
        slow, fast = medians(theirs, lambda: [rank(row) for row in rows])
        what = f"of the C call of phevaluator {version('phevaluator')} ({1e9 * fast / FEW:.0f} ns)"
        yield at_most("G4: one hand, at most", 0.7, fast / slow, what, 0.5)


def installed(name: str, deals: Deals) -> Ranker | None:
    """A library's ranks of these hands; None where it is not installed."""
    try:
        with warnings.catch_warnings(action="ignore"):  # eval7's parser of ranges
            return LIBRARIES[name](deals)
    except ImportError:
        return None


def alike(name: str, theirs: Sequence[Any], ours: NDArray[np.uint16]) -> None:
    """Raise ArithmeticError unless both order the hands alike."""
    order = np.argsort(ours, kind="stable")
    ranks, held = ours[order], [theirs[at] for at in order]
    for place in range(1, len(held)):
        before, after = held[place - 1], held[place]
        if (before < after) != (ranks[place - 1] < ranks[place]) or after < before:
            raise ArithmeticError(f"{name} orders the hands in another way")


def _phevaluator(deals: Deals) -> Ranker:
    evaluate: Any = import_module("phevaluator._pheval").evaluate_7cards
    rows = deals.tolist()
    return lambda: [-evaluate(*row) for row in rows]


def _eval7(deals: Deals) -> Ranker:
    eval7: Any = import_module("eval7")
    deck = [eval7.Card(card) for card in DECK]
    hands = [[deck[card] for card in deal] for deal in deals.tolist()]
    return lambda: [eval7.evaluate(hand) for hand in hands]


def _treys(deals: Deals) -> Ranker:
    treys: Any = import_module("treys")
    evaluate, deck = treys.Evaluator().evaluate, [treys.Card.new(card) for card in DECK]
    rows = [[deck[card] for card in deal] for deal in deals.tolist()]
    return lambda: [-evaluate(row[:2], row[2:]) for row in rows]


def _pokerkit(deals: Deals) -> Ranker:
    pokerkit: Any = import_module("pokerkit")
    best = pokerkit.StandardHighHand.from_game
    rows = [list(pokerkit.Card.parse(text(deal))) for deal in deals]
    return lambda: [best(row) for row in rows]


LIBRARIES: dict[str, Callable[[Deals], Ranker]] = {
    "phevaluator": _phevaluator,
    "eval7": _eval7,
    "treys": _treys,
    "pokerkit": _pokerkit,
}
