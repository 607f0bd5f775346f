"""A mixed strategy on the grid of starting hands: in every cell the shares of the actions, side by side."""

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASSES, RANKS
from baycarp.files import plain_text

__all__ = ["action_colors", "mixture_as_svg", "mixture_as_text"]

LETTERS = {"fold": "f", "check": "x", "call": "c", "all-in": "a"}
"""The letters of actions; bets and raises have numbers, the smallest is 1."""

COLORS = {"fold": "#6b8fb8", "check": "#78b07c", "call": "#78b07c", "all-in": "#7a1f2b"}
BETS = ("#f0b7a1", "#e88a76", "#d95f53", "#bf3f41", "#9c2b36")
"""From the smallest bet to the largest."""

WIDE = 4
"""Characters of a cell: a quarter each."""

CELL = 46, 34
"""Width and height of a cell, in pixels."""


def action_colors(names: Sequence[str]) -> list[str]:
    """The colour of each action: folds blue, checks and calls green, bets red, darker with their size."""
    bets = [name for name in names if name.split()[0] not in COLORS]
    step = (len(BETS) - 1) / max(len(bets) - 1, 1)
    shades = {name: BETS[round(at * step)] for at, name in enumerate(bets)}
    return [shades[name] if name in shades else COLORS[name.split()[0]] for name in names]


def _letters(names: Sequence[str]) -> list[str]:
    bets = [name for name in names if name.split()[0] not in LETTERS]
    return [str((bets.index(name) + 1) % 10) if name in bets else LETTERS[name.split()[0]] for name in names]


def mixture_as_text(names: Sequence[str], shares: NDArray[np.floating], weights: NDArray[np.floating]) -> str:
    """Draw a mixed strategy in characters, a quarter of a cell each; suited hands lie above the pairs.

    Parameters
    ----------
    names
        Of the actions, such as ``"fold"``, ``"call"``, ``"raise 300"``.
    shares
        Float, shape (actions, 13, 13), aces first; they sum to 1 in every cell that has a weight.
    weights
        Float, shape (13, 13): a cell of weight 0 is blank.

    Examples
    --------
    >>> shares = np.zeros((2, 13, 13))
    >>> shares[:, 0, 0] = 0.25, 0.75
    >>> weights = np.zeros((13, 13))
    >>> weights[0, 0] = 1
    >>> print(mixture_as_text(["check", "bet 60"], shares, weights).splitlines()[1])
    A x111
    """
    letters, ranks = _letters(names), RANKS[::-1]
    lines = ["  " + " ".join(f"{rank:<{WIDE}}" for rank in ranks)]
    for row, rank in enumerate(ranks):
        cells = [
            _cell(shares[:, row, column], letters) if weights[row, column] > 0 else " " * WIDE
            for column in range(13)
        ]
        lines.append(f"{rank} {' '.join(cells)}")
    key = ", ".join(f"{letter} {name}" for letter, name in zip(letters, names, strict=True))
    return "\n".join([*(line.rstrip() for line in lines), key])


def _cell(shares: NDArray[np.floating], letters: Sequence[str]) -> str:
    ends = np.rint(np.cumsum(shares) * WIDE).astype(int)
    counts = np.diff(ends, prepend=0)
    return "".join(letter * count for letter, count in zip(letters, counts.tolist(), strict=True)).ljust(
        WIDE
    )[:WIDE]


def mixture_as_svg(
    names: Sequence[str],
    shares: NDArray[np.floating],
    weights: NDArray[np.floating],
    totals: Sequence[float],
    title: str = "",
) -> str:
    """Draw a mixed strategy as SVG: a cell is as full as its weight, divided by the shares of the actions.

    Parameters
    ----------
    names, shares, weights
        As of ``mixture_as_text``; the largest weight fills its cell.
    totals
        The share of each action in the whole range.
    title
        A line above the grid.
    """
    wide, high = CELL
    colors, top = action_colors(names), 26 if title else 4
    most = float(weights.max()) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {13 * wide + 8} {13 * high + top + 30}" '
        f'role="img" font-family="sans-serif" font-size="11"><title>{_words(title or "strategy")}</title>'
    ]
    if title:
        parts.append(f'<text x="4" y="17" font-size="13">{_words(title)}</text>')
    for cell, name in enumerate(CLASSES):
        row, column = divmod(cell, 13)
        x, y = float(4 + column * wide), float(top + row * high)
        mixture = zip(names, shares[:, row, column], strict=True)
        words = ", ".join(f"{each} {share:.0%}" for each, share in mixture if share > 0)
        parts.append(f"<g><title>{_words(f'{name}: {words}' if weights[row, column] else name)}</title>")
        parts.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide - 1}" height="{high - 1}" fill="#eceff1"/>')
        tall = (high - 1) * weights[row, column] / most
        left = x
        for share, color in zip(shares[:, row, column], colors, strict=True):
            if share > 0 and tall > 0:
                parts.append(
                    f'<rect x="{left:.1f}" y="{y + high - 1 - tall:.1f}" width="{share * (wide - 1):.1f}" '
                    f'height="{tall:.1f}" fill="{color}"/>'
                )
                left += share * (wide - 1)
        parts.append(f'<text x="{x + 3:.0f}" y="{y + 13:.0f}">{name}</text></g>')
    x, y = 4.0, float(top + 13 * high + 6)
    for name, color, total in zip(names, colors, totals, strict=True):
        label = f"{name} {total:.1%}"
        parts.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{x + 16:.0f}" y="{y + 10:.0f}">{_words(label)}</text>')
        x += 28 + 6.4 * len(label)
    return "\n".join([*parts, "</svg>"])


def _words(text: str) -> str:
    """A text of SVG, without what could mislead."""
    return escape(plain_text(text))
