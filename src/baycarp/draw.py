"""Pictures, for people who would rather see than read; the extra ``baycarp[viz]``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "bars_as_text",
    "curve_as_text",
    "save_cross_table",
    "save_curve",
    "save_latency",
    "save_learning",
    "save_nearest",
    "save_network",
    "save_rates",
    "save_spreads",
    "sparkline",
]


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


def bars_as_text(chances: Mapping[str, float], width: int = 40) -> str:
    """Draw probabilities as bars of characters, a line each.

    Parameters
    ----------
    chances
        By name, 0..1, in the order of the lines.
    width
        Of a bar of probability 1, in characters.

    Examples
    --------
    >>> print(bars_as_text({"Busted": 0.75, "LowPair": 0.25}, width=8))
    Busted   ██████    75.0 %
    LowPair  ██        25.0 %
    """
    longest = max(map(len, chances))
    lines = []
    for name, chance in chances.items():
        eighths = round(8 * width * chance)
        bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
        lines.append(f"{name:<{longest}}  {bar:<{width}} {100 * chance:5.1f} %")
    return "\n".join(lines)


def sparkline(shares: Sequence[float]) -> str:
    """Draw shares as a row of bars, a character each, the largest one full.

    Examples
    --------
    >>> sparkline([0.1, 0.2, 0.4, 0.0])
    '▂▄█ '
    """
    most = max(shares)
    return "".join(" ▁▂▃▄▅▆▇█"[round(8 * share / most) if most else 0] for share in shares)


def save_network(
    parents: Mapping[str, Sequence[str]],
    beliefs: Mapping[str, Mapping[str, float]],
    evidence: Mapping[str, str],
    path: Path,
) -> None:
    """Draw a network, each node in a box: what was seen there, or what is believed, as bars.

    Parameters
    ----------
    parents
        Of each node; nodes stand in columns, each right of its parents, in this order from the top.
    beliefs
        By node, the states to show with their probabilities.
    evidence
        By node, the state that was seen.
    path
        Its ending says PNG, SVG or PDF.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    axes, figure = _axes()
    places = _columns(parents)
    wide, high = 1 + max(x for x, _ in places.values()), 1 + max(y for _, y in places.values())
    figure.set_size_inches(2.9 * wide, 1.5 * high)
    for node, above in parents.items():
        x, y = places[node]
        for parent in above:
            px, py = places[parent]
            arrow = {"arrowstyle": "->", "color": "0.6", "shrinkA": 2, "shrinkB": 2}
            axes.annotate("", (x, y + 0.4), (px + 0.78, py + 0.4), arrowprops=arrow, zorder=1)
        color = "tab:orange" if node in evidence else "tab:blue" if node in beliefs else "0.7"
        axes.bar(x + 0.39, 0.8, 0.78, bottom=y, color="white", edgecolor=color, linewidth=1.5, zorder=2)
        axes.text(x + 0.03, y + 0.05, node, fontsize=8, weight="bold", va="top", zorder=3)
        if node in evidence:
            axes.text(x + 0.05, y + 0.45, evidence[node], fontsize=9, color=color, va="center", zorder=3)
        for line, (state, chance) in enumerate(list(beliefs.get(node, {}).items())[:6]):
            at = y + 0.24 + 0.09 * line
            axes.barh(at, 0.3 * chance, 0.07, left=x + 0.44, color=color, zorder=3)
            axes.text(x + 0.03, at, f"{state} {chance:.0%}", fontsize=6, va="center", zorder=3)
    axes.set(xlim=(-0.1, wide), ylim=(high, -0.1))
    axes.axis("off")
    figure.savefig(path, dpi=150, bbox_inches="tight")


def _columns(parents: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, int]]:
    """The column and row of each node: right of its farthest parent, or else left of its nearest child."""
    column: dict[str, int] = {}
    while len(column) < len(parents):
        for node, above in parents.items():
            if node not in column and all(parent in column for parent in above):
                column[node] = 1 + max((column[parent] for parent in above), default=-1)
    for node, above in parents.items():
        if not above:
            column[node] = min((column[n] for n, of in parents.items() if node in of), default=1) - 1
    filled: dict[int, int] = {}
    places = {}
    for node in parents:
        filled[column[node]] = filled.get(column[node], -1) + 1
        places[node] = column[node], filled[column[node]]
    return places


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


def save_latency(
    times: Mapping[str, Sequence[tuple[float, float]]], sizes: Sequence[int], path: Path
) -> None:
    """Draw how long questions take by the number of cases: the median, and dashed the 99th percentile, ms.

    ``times`` holds both by kind of question, at each of ``sizes``; the file's ending says PNG, SVG or PDF.
    """
    axes, figure = _axes()
    for kind, both in times.items():
        medians, slow = zip(*both, strict=True)
        (line,) = axes.loglog(sizes, medians, "o-", label=kind)
        axes.loglog(sizes, slow, "o--", color=line.get_color())
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set(xlabel="cases", ylabel="ms: median, dashed 99th percentile")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def save_nearest(
    cases: Sequence[str], weights: Mapping[str, float], similarities: NDArray[np.float64], path: Path
) -> None:
    """Draw how alike cases are to a situation, column by column, as a heat map with its numbers.

    Parameters
    ----------
    cases
        What each row is called.
    weights
        Of each column; it is named with its share of all.
    similarities
        0..1, shape (cases, columns).
    path
        Its ending says PNG, SVG or PDF.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    axes, figure = _axes()
    figure.set_size_inches(3 + 0.6 * len(weights), 2 + 0.4 * len(cases))
    axes.imshow(similarities, cmap="viridis", vmin=0, vmax=1, alpha=0.7, aspect="auto")
    for row, column in np.ndindex(*similarities.shape):
        axes.text(column, row, f"{similarities[row, column]:.2f}", ha="center", va="center", fontsize=7)
    total = sum(weights.values())
    names = [f"{name} ({weight / total:.0%})" for name, weight in weights.items()]
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right", fontsize=8)
    axes.set_yticks(range(len(cases)), cases)
    axes.set_title("similarity of the nearest cases, by column (weight)", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, bbox_inches="tight")


def save_spreads(
    columns: Mapping[str, tuple[Sequence[str], NDArray[np.float64]]], parts: Sequence[str], path: Path
) -> None:
    """Draw how cases are spread over the values of each column, a panel a column, parts side by side.

    Parameters
    ----------
    columns
        By name, what its bins hold, and the shares of each part's cases, shape (parts, bins).
    parts
        Their names.
    path
        Its ending says PNG, SVG or PDF.

    Raises
    ------
    ImportError
        matplotlib is absent; the message says how to install it.
    """
    _, figure = _axes()
    figure.clear()
    wide = 4
    high = -(-len(columns) // wide)
    figure.set_size_inches(3.6 * wide, 2.4 * high)
    panels = figure.subplots(high, wide, squeeze=False).ravel()
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
    figure.subplots_adjust(hspace=0.9, wspace=0.25)
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
