"""Pictures of a case-base."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.draw.picture import grid, picture

__all__ = ["save_nearest", "save_spreads"]


def save_nearest(
    cases: Sequence[str], weights: Mapping[str, float], similarities: NDArray[np.float64], path: Path
) -> None:
    """Draw the similarity of cases to a situation, column by column, as a heat map with its numbers.

    Parameters
    ----------
    cases
        Names of the rows.
    weights
        Weight of each column, which is shown as its share of the sum.
    similarities
        0..1, shape (cases, columns).
    path
        PNG, SVG or PDF by its suffix.
    """
    with picture(path, (3 + 0.6 * len(weights), 2 + 0.4 * len(cases))) as axes:
        axes.imshow(similarities, cmap="viridis", vmin=0, vmax=1, alpha=0.7, aspect="auto")
        for row, column in np.ndindex(*similarities.shape):
            axes.text(column, row, f"{similarities[row, column]:.2f}", ha="center", va="center", fontsize=7)
        total = sum(weights.values())
        names = [f"{name} ({weight / total:.0%})" for name, weight in weights.items()]
        axes.set_xticks(range(len(names)), names, rotation=35, ha="right", fontsize=8)
        axes.set_yticks(range(len(cases)), cases)
        axes.set_title("similarity of the nearest cases, by column (weight)", fontsize=10)


def save_spreads(
    columns: Mapping[str, tuple[Sequence[str], NDArray[np.float64]]], parts: Sequence[str], path: Path
) -> None:
    """Draw the distribution of cases over the values of each column, in a panel, parts next to each other.

    Parameters
    ----------
    columns
        By name, the labels of the bins, and the shares of the cases of each part, shape (parts, bins).
    parts
        Names of the parts.
    path
        PNG, SVG or PDF by its suffix.
    """
    wide, high = 4, -(-len(columns) // 4)
    with grid(path, (3.6 * wide, 2.4 * high), high, wide) as rows:
        panels = rows.ravel()
        for axes, (column, (bins, shares)) in zip(panels, columns.items(), strict=False):
            for number, (part, heights) in enumerate(zip(parts, shares, strict=True)):
                at = np.arange(len(bins)) + (number - (len(parts) - 1) / 2) * 0.8 / len(parts)
                axes.bar(at, heights, 0.8 / len(parts), label=part)
            axes.set_xticks(range(len(bins)), bins, rotation=60, fontsize=6)
            axes.set_title(column, fontsize=9)
        for axes in panels[len(columns) :]:
            axes.axis("off")
        if len(parts) > 1:
            panels[0].legend(fontsize=7)
        panels[0].figure.subplots_adjust(hspace=0.9, wspace=0.25)
