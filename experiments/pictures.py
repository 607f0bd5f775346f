"""Pictures that several experiments draw."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from baycarp.draw.picture import grid

__all__ = ["save_learning"]


def save_learning(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    at: Sequence[int],
    path: Path,
    hands: str = "hands",
) -> None:
    """Draw learning curves by hands played, a panel for each measure, as PNG, SVG or PDF.

    Parameters
    ----------
    panels
        By measure and learner, the mean and margin after each number of hands.
    at
        The numbers of hands.
    path
        PNG, SVG or PDF by its suffix.
    hands
        Label of the x axis.
    """
    with grid(path, (4.5 * len(panels), 4), 1, len(panels)) as (row,):
        for axes, (measure, lines) in zip(row, panels.items(), strict=True):
            for name, points in lines.items():
                means, margins = zip(*points, strict=True)
                axes.errorbar(at, means, yerr=margins, fmt="o-", capsize=3, label=name)
            axes.set_xscale("symlog", linthresh=10)
            axes.set_xticks(at, [f"{count:,}" for count in at])
            axes.set(xlabel=hands, ylabel=measure)
        axes.legend()
        axes.figure.subplots_adjust(wspace=0.3)
