"""Pictures of win rates."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.draw.picture import picture

__all__ = ["cross_table", "save_cross_table", "save_curve", "save_rates", "save_shares"]


def save_curve(curve: NDArray[np.float64], player: str, path: Path, words: str = "small bets") -> None:
    """Draw a win-rate curve (Unger 2011, figure 7.3) and its 95 % interval over hands, as PNG, SVG or PDF."""
    with picture(path) as axes:
        axes.axhline(0, color="0.6", linewidth=0.8)
        hands, half = np.arange(1, len(curve) + 1), margins(curve)
        axes.fill_between(hands, curve - half, curve + half, color="tab:blue", alpha=0.2, linewidth=0)
        axes.plot(hands, curve, color="tab:blue")
        low, high = ((curve + sign * np.nan_to_num(half))[len(curve) // 10 :] for sign in (-1, 1))
        axes.set_ylim(min(low.min(), 0) - 0.02, max(high.max(), 0) + 0.02)
        axes.set(xlabel="hands", ylabel=f"{words} a hand, 95 %", title=f"{player}: win rate")


def margins(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half of the 95 % interval of a win-rate curve after each hand; nan after the first.

    Parameters
    ----------
    curve
        The mean up to each hand, shape (n,).

    Examples
    --------
    >>> margins(np.array([1.0, 0.0, 1 / 3])).round(2)  # of +1, -1, +1
    array([ nan, 1.96, 1.31])
    """
    hands = np.arange(1, len(curve) + 1)
    won = np.diff(curve * hands, prepend=0.0)
    spread = np.maximum(np.cumsum(won * won) - hands * curve * curve, 0.0)
    half = np.full(len(curve), np.nan)
    half[1:] = 1.96 * np.sqrt(spread[1:] / (hands[1:] * (hands[1:] - 1)))
    return half


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

    A difference whose 95 % interval holds zero is in italics: neither agent is ahead there.

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
        cross_table(axes, agents, means, margins, unit)


def cross_table(
    axes: Any, agents: Sequence[str], means: NDArray[np.float64], margins: NDArray[np.float64], unit: str
) -> None:
    """Draw a cross table on axes of matplotlib; parameters as of ``save_cross_table``."""
    finite = np.isfinite(means)
    reach = float(np.abs(means[finite]).max()) if finite.any() else 1.0
    axes.imshow(means, cmap="RdBu", vmin=-2 * reach or -1.0, vmax=2 * reach or 1.0, aspect="auto")
    digits = 0 if unit == "mbb/h" else 3
    for row, column in np.argwhere(finite):
        mean, margin = means[row, column], margins[row, column]
        style = {"weight": "bold"} if abs(mean) > margin else {"style": "italic"}
        words = f"{mean:+.{digits}f}\n±{margin:.{digits}f}".replace("nan", "-")
        axes.text(column, row, words, ha="center", va="center", fontsize=8, color="black", **style)
    axes.set_xticks(range(len(agents)), agents, rotation=30, ha="right")
    axes.set_yticks(range(len(agents)), agents)
    axes.set_title(f"{unit} won by the row against the column, 95 % intervals", fontsize=10)


def save_shares(
    shares: Mapping[str, Sequence[tuple[float, float, float]]], names: Sequence[str], path: Path
) -> None:
    """Draw shares of several players with their intervals, a row for each statistic, as PNG, SVG or PDF.

    Parameters
    ----------
    shares
        By player, the value and the interval of each, 0..1; nan is not drawn.
    names
        Of the statistics.
    path
        PNG, SVG or PDF by its suffix.
    """
    with picture(path, (8, 1.2 + 0.45 * len(names))) as axes:
        places = np.arange(len(names))
        for number, (player, rows) in enumerate(shares.items()):
            values, low, high = 100 * np.array(rows).T
            at = places + 0.6 * ((number + 1) / (len(shares) + 1) - 0.5)
            margins = np.maximum((values - low, high - values), 0)  # at a share of 0 or 1 rounded below 0
            axes.errorbar(values, at, xerr=margins, fmt="o", capsize=3, label=player)
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set(xlim=(0, 100), xlabel="per cent of the chances, 95 % intervals")
        axes.legend()
