"""Pictures of a network."""

from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

from baycarp.draw.picture import picture

__all__ = ["save_network"]


def save_network(
    parents: Mapping[str, Sequence[str]],
    beliefs: Mapping[str, Mapping[str, float]],
    evidence: Mapping[str, str],
    path: Path,
) -> None:
    """Draw a network, each node in a box: the observed state, or the beliefs as bars.

    Parameters
    ----------
    parents
        Parents by node; each node is in a column right of its parents, in this order from the top.
    beliefs
        By node, the states shown and their probabilities.
    evidence
        By node, the observed state.
    path
        PNG, SVG or PDF by its suffix.
    """
    places = _columns(parents)
    wide, high = 1 + max(x for x, _ in places.values()), 1 + max(y for _, y in places.values())
    with picture(path, (2.9 * wide, 1.5 * high)) as axes:
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
                axes.barh(at, 0.22 * chance, 0.07, left=x + 0.53, color=color, zorder=3)
                axes.text(x + 0.03, at, f"{state} {chance:.0%}", fontsize=6, va="center", zorder=3)
        axes.set(xlim=(-0.1, wide), ylim=(high, -0.1))
        axes.axis("off")


def _columns(parents: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, int]]:
    """The column and row of each node: right of its last parent; without parents, left of its first child."""
    column: dict[str, int] = {}
    for node in TopologicalSorter(parents).static_order():
        column[node] = 1 + max((column[parent] for parent in parents[node]), default=-1)
    for node, above in parents.items():
        if not above:
            column[node] = min((column[n] for n, of in parents.items() if node in of), default=1) - 1
    order = list(parents)
    rows = {node: sum(column[n] == column[node] for n in order[:at]) for at, node in enumerate(order)}
    return {node: (column[node], rows[node]) for node in order}
