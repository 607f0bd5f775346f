"""Cards and ranges as inline SVG, without styles of their own: the page's content policy allows none."""

from collections.abc import Iterable
from html import escape

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASSES, DECK
from baycarp.web.panels import grid as shares

__all__ = ["cards", "grid"]

NAMES = "two three four five six seven eight nine ten jack queen king ace"
RANKS = dict(zip("23456789TJQKA", NAMES.split(" "), strict=True))
SUITS = {"c": ("clubs", "♣"), "d": ("diamonds", "♦"), "h": ("hearts", "♥"), "s": ("spades", "♠")}


def cards(ids: Iterable[int]) -> str:
    """Cards in a row, each with its name for a screen reader."""
    return "".join(_card(DECK[each]) for each in ids)


def _card(name: str) -> str:
    rank, (suit, sign) = name[0], SUITS[name[1]]
    shown = "10" if rank == "T" else rank
    return (
        f'<svg class="card {name[1]}" viewBox="0 0 50 70" role="img" aria-label="{RANKS[rank]} of {suit}">'
        f'<rect x="1" y="1" width="48" height="68" rx="6"/><text x="25" y="33">{shown}</text>'
        f'<text x="25" y="60">{sign}</text></svg>'
    )


def grid(weights: NDArray[np.float64], label: str) -> str:
    """A range as 13 x 13 cells: weights of shape (1326,); the label is escaped."""
    cells = []
    for i, row in enumerate(shares(weights)):
        for j, share in enumerate(row):
            name = CLASSES[13 * i + j]
            cells.append(
                f"<g><title>{name}: {share:.0%} of the likeliest</title>"
                f'<rect x="{20 * j + 1}" y="{20 * i + 1}" width="19" height="19" class="cell" '
                f'fill-opacity="{0.06 + 0.94 * share:.3f}"/>'
                f'<text x="{20 * j + 10.5}" y="{20 * i + 13}">{name}</text></g>'
            )
    drawn = "".join(cells)
    return f'<svg class="grid" viewBox="0 0 261 261" role="img" aria-label="{escape(label)}">{drawn}</svg>'
