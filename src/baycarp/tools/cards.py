"""What cards are worth: equity, strength, ranges."""

from typing import Any

import numpy as np

from baycarp.budget import Budget
from baycarp.card import CLASSES, as_cards, blocked_by
from baycarp.estimation import equities
from baycarp.evaluation import expected_strength
from baycarp.evaluation import strength as strengths
from baycarp.ranges import Range
from baycarp.rules.words import hand_words
from baycarp.tools.parameters import Board, Hole, Known, RangeText, Sides, VillainRanges

__all__ = ["equity", "held", "ranges", "strength"]

WORK = Budget(time=5.0, playouts=2_000_000)
"""Seconds and showdowns of an equity; where the exact result takes more, deals are sampled."""


def equity(sides: Sides, board: Board = "") -> dict[str, Any]:
    """All-in equity of two to six players: each one's share of the pot, ties divided.

    Exact where it is feasible; else sampled, with the standard error of each share.
    """
    found = equities(*map(Range, sides), board=board, budget=WORK, seed=1)
    shares = [round(float(share), 5) for share in found.shares]
    if found.exact:
        return {"shares": shares, "exact": True}
    errors = [round(float(error), 5) for error in found.errors]
    return {"shares": shares, "exact": False, "standard errors": errors, "deals": found.deals}


def strength(hole: Hole, board: Board = "", opponents: VillainRanges | None = None) -> dict[str, Any]:
    """What a hand is and how strong: read this before you name your own hand.

    'hand' has what is made and what is drawn to. 'strength' is the probability of being ahead of
    every opponent now, 'improves' of getting ahead from behind by the river, 'falls behind' the reverse;
    'showdown' is the equity against one random hand. Without a board only 'showdown' is known.
    """
    found = held(hole, board) | {"showdown": round(expected_strength(hole, board)[0], 4)}
    if board:
        hs, gains, losses = strengths(hole, board, *map(Range, opponents or ()))
        measured = {"strength": hs, "improves": gains, "falls behind": losses}
        found |= {name: round(value, 4) for name, value in measured.items()}
    return found


def held(hole: str, board: str) -> dict[str, Any]:
    """The starting hand, and on a board what is made and drawn to, in words."""
    words = hand_words(hole, board)
    return {"starting hand": words.start, "hand": str(words)}


def ranges(range: RangeText, known: Known = "") -> dict[str, Any]:
    """Read a range: how many holdings it has beside the known cards, its share of all, its shortest text.

    'classes' has the mean weight of every starting hand that is in it, the strongest share first.
    """
    seen = as_cards(known, "known cards")
    given = Range(range)
    left = given.without(seen) if len(seen) else given
    possible = int(np.count_nonzero(~blocked_by(seen.tolist())))
    weights = left.classes().ravel()
    order = np.argsort(-weights, kind="stable")
    return {
        "holdings": round(left.total, 3),
        "of": possible,
        "share": round(left.total / possible, 4),
        "text": str(given)[:2000],
        "classes": {CLASSES[cell]: round(float(weights[cell]), 3) for cell in order if weights[cell] > 0},
    }
