"""Pictures of win rates and learning curves."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.draw.picture import grid, picture

__all__ = ["save_cross_table", "save_curve", "save_learning", "save_rates"]


def save_curve(curve: NDArray[np.float64], player: str, path: Path, words: str = "small bets") -> None:
    """Draw a win-rate curve (Unger 2011, figure 7.3) as PNG, SVG or PDF by the suffix of the path."""
    with picture(path) as axes:
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.plot(np.arange(1, len(curve) + 1), curve, color="tab:blue")
        shown = curve[len(curve) // 50 :]
        axes.set_ylim(min(shown.min(), 0) - 0.02, max(shown.max(), 0) + 0.02)
        axes.set(xlabel="hands", ylabel=f"{words} a hand", title=f"{player}: win rate")


def save_rates(
    rates: Mapping[str, Sequence[tuple[float, float]]], estimators: Sequence[str], path: Path
) -> None:
    """Draw win rates with their intervals, a line for each player, as PNG, SVG or PDF.

    Parameters
    ----------
    rates
        By player, the mean and margin of each estimator, small bets per hand.
    estimators
        Names of the estimators.
    path
        PNG, SVG or PDF by its suffix.
    """
    with picture(path) as axes:
        axes.axvline(0, color="0.6", linewidth=0.8)
        places = np.arange(len(rates))
        for number, name in enumerate(estimators):
            means, margins = zip(*(line[number] for line in rates.values()), strict=True)
            at = places + 0.25 * (number - (len(estimators) - 1) / 2)
            axes.errorbar(means, at, xerr=margins, fmt="o", capsize=3, label=name)
        axes.set_yticks(places, list(rates))
        axes.invert_yaxis()
        axes.set(xlabel="small bets a hand, 95 % intervals")
        axes.legend()


def save_cross_table(
    agents: Sequence[str],
    means: NDArray[np.float64],
    margins: NDArray[np.float64],
    unit: str,
    path: Path,
) -> None:
    """Draw the winnings of each row from each column as a heat map with its numbers.

    A difference whose 95 % interval holds zero is written in grey: neither agent is ahead there.

    Parameters
    ----------
    agents
        Names of the agents.
    means, margins
        Shape (agents, agents); nan for agents that have not met.
    unit
        Unit of means and margins.
    path
        PNG, SVG or PDF by its suffix.
    """
    count = len(agents)
    with picture(path, (2 + 0.9 * count, 1.2 + 0.7 * count)) as axes:
        finite = np.isfinite(means)
        reach = float(np.abs(means[finite]).max()) if finite.any() else 1.0
        axes.imshow(means, cmap="RdBu", vmin=-reach or -1.0, vmax=reach or 1.0, alpha=0.7, aspect="auto")
        digits = 0 if unit == "mbb/h" else 3
        for row, column in np.argwhere(finite):
            mean, margin = means[row, column], margins[row, column]
            color = "black" if abs(mean) > margin else "0.45"
            words = f"{mean:+.{digits}f}\n±{margin:.{digits}f}".replace("nan", "-")
            axes.text(column, row, words, ha="center", va="center", fontsize=8, color=color)
        axes.set_xticks(range(count), agents, rotation=30, ha="right")
        axes.set_yticks(range(count), agents)
        axes.set_title(f"{unit} won by the row against the column, 95 % intervals", fontsize=10)


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
