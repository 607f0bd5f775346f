"""Pictures, for people who would rather see than read; the extra ``baycarp[viz]``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["curve_as_text", "save_cross_table", "save_curve", "save_learning", "save_rates"]


def curve_as_text(curve: NDArray[np.float64], width: int = 72, height: int = 12) -> str:
    """Draw a win-rate curve in characters.

    Parameters
    ----------
    curve
        Small bets a hand up to each hand, shape (n,), n >= 1.
    width, height
        Of the drawing, in characters.
    """
    shown = curve[len(curve) // 50 :]  # the first few hands swing by whole bets and would flatten the rest
    at = np.linspace(0, len(shown) - 1, width).round().astype(int)
    values = shown[at]
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    span = high - low or 1.0
    rows = ((high - values) / span * (height - 1)).round().astype(int)
    zero = round(high / span * (height - 1))
    lines = []
    for row in range(height):
        label = f"{high - span * row / (height - 1):+7.3f} "
        dots = "".join("•" if r == row else "─" if row == zero else " " for r in rows)
        lines.append(label + "┤" + dots)
    lines.append(" " * 8 + "└" + "─" * width)
    first, last = str(len(curve) - len(shown) + 1), f"{len(curve)} hands"
    lines.append(" " * 9 + first + last.rjust(width - len(first)))
    return "\n".join(lines)


def save_curve(curve: NDArray[np.float64], player: str, path: Path) -> None:
    """Draw a win-rate curve (seed 000, figure 7.3) as PNG, SVG or PDF, by the path's ending.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    axes, figure = _axes()
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.plot(np.arange(1, len(curve) + 1), curve, color="tab:blue")
    shown = curve[len(curve) // 50 :]
    axes.set_ylim(min(shown.min(), 0) - 0.02, max(shown.max(), 0) + 0.02)
    axes.set(xlabel="hands", ylabel="small bets a hand", title=f"{player}: win rate")
    figure.savefig(path, dpi=150, bbox_inches="tight")


def save_cross_table(
    agents: Sequence[str],
    means: NDArray[np.float64],
    margins: NDArray[np.float64],
    unit: str,
    path: Path,
) -> None:
    """Draw what each row won of each column as a heat map with its numbers.

    What lies inside its 95 % interval of zero is written in grey: nobody is ahead there.

    Parameters
    ----------
    agents
        Names.
    means, margins
        Shape (agents, agents); nan where two never met.
    unit
        Of both.
    path
        Its ending says PNG, SVG or PDF.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    axes, figure = _axes()
    count = len(agents)
    figure.set_size_inches(2 + 0.9 * count, 1.2 + 0.7 * count)
    told = np.isfinite(means)
    reach = float(np.abs(means[told]).max()) if told.any() else 1.0
    axes.imshow(means, cmap="RdBu", vmin=-reach or -1.0, vmax=reach or 1.0, alpha=0.7, aspect="auto")
    digits = 0 if unit == "mbb/h" else 3
    for row, column in np.argwhere(told):
        mean, margin = means[row, column], margins[row, column]
        color = "black" if abs(mean) > margin else "0.45"
        words = f"{mean:+.{digits}f}\n±{margin:.{digits}f}"
        axes.text(column, row, words, ha="center", va="center", fontsize=8, color=color)
    axes.set_xticks(range(count), agents, rotation=30, ha="right")
    axes.set_yticks(range(count), agents)
    axes.set_title(f"{unit} won by the row against the column, 95 % intervals", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def save_rates(
    rates: Mapping[str, Sequence[tuple[float, float]]], estimators: Sequence[str], path: Path
) -> None:
    """Draw win rates with their intervals, a line a player, as PNG, SVG or PDF, by the path's ending.

    Parameters
    ----------
    rates
        By player, for each estimator its mean and margin, small bets a hand.
    estimators
        Their names.
    path
        Of the picture.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    axes, figure = _axes()
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
    figure.savefig(path, dpi=150, bbox_inches="tight")


def save_learning(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], at: Sequence[int], path: Path
) -> None:
    """Draw what is learned of a player with the hands he plays, a panel a measure, as PNG, SVG or PDF.

    Parameters
    ----------
    panels
        By measure, of each model its mean and margin after each number of hands; less is better.
    at
        The numbers of hands.
    path
        Its ending says PNG, SVG or PDF.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    _, figure = _axes()
    figure.clear()
    figure.set_size_inches(4.5 * len(panels), 4)
    for axes, (measure, lines) in zip(
        figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True
    ):
        for name, points in lines.items():
            means, margins = zip(*points, strict=True)
            axes.errorbar(at, means, yerr=margins, fmt="o-", capsize=3, label=name)
        axes.set_xscale("symlog", linthresh=10)
        axes.set_xticks(at, [f"{hands:,}" for hands in at])
        axes.set(xlabel="hands of his", ylabel=f"{measure}: log loss, nats")
    axes.legend()
    figure.subplots_adjust(wspace=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def _axes() -> tuple[Any, Any]:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'baycarp[viz]'") from error
    figure = Figure(figsize=(8, 4.5))
    FigureCanvasAgg(figure)
    return figure.add_subplot(), figure
