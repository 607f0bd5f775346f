"""Tables of all forms: losses, places of the truth, and parts of the decision points."""

from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.table import Table as Grid

from baycarp.cli.output import grid
from experiments.beliefs.intervals import Figure
from experiments.beliefs.summary import ENOUGH, Summary

__all__ = ["FEW", "WIDTH", "losses", "part_table", "places", "print_all"]

WIDTH = 170
"""Columns that the tables take."""

FEW = "too few"


def losses(lines: Sequence[Summary]) -> Grid:
    """Log loss and its differences to the base lines; hands below them; entropy; the next action."""
    players = any(line.over_deal_players for line in lines)
    over = ("over deal", "over shares")
    titles = (*over, *(("over players:", "shares") if players else ()))
    table = grid("model", "log loss", *titles, "hands below", "/ shares", "entropy", "next action")
    for line in lines:
        figures: list[Figure | None] = [line.loss, line.over_deal, line.over_shares]
        figures += [line.over_deal_players, line.over_shares_players] if players else []
        table.add_row(
            line.name,
            *map(_figure, figures),
            f"{line.hands_below_deal:.1%}",
            f"{line.hands_below_shares:.1%}",
            f"{line.entropy:.3f}",
            _figure(line.action),
        )
    return table


def places(lines: Sequence[Summary]) -> Grid:
    """The place of the truth: tenths of the belief in percent, sure beliefs, ranks."""
    tenths = (f"{number}." for number in range(1, 11))
    ranks = ("MRR", "top 10", "top 50", "group 1", "group 4")
    table = grid("model", *tenths, "excluded", "sure", "right", *ranks)
    for line in lines:
        table.add_row(
            line.name,
            *(f"{100 * share:.1f}" for share in line.tenths),
            f"{line.excluded:.1%}",
            f"{line.sure:,}",
            FEW if line.right is None else f"{line.right:.1%}",
            f"{line.reciprocal_rank:.4f}",
            *(f"{share:.1%}" for share in (line.top_10, line.top_50, line.groups[0], line.groups[3])),
        )
    return table


def part_table(by: str, parts: Mapping[str, Sequence[Summary]]) -> Grid:
    """Log loss over the deal and over the shares in each part."""
    names = [line.name for line in next(iter(parts.values()))]
    table = grid(by, "points", *(f"{name}: {base}" for name in names for base in ("deal", "shares")))
    for label, lines in parts.items():
        figures = [figure for line in lines for figure in (line.over_deal, line.over_shares)]
        few = by == "observed" and lines[0].points < ENOUGH
        cells = [FEW] * len(figures) if few else [str(figure) for figure in figures]
        table.add_row(label, f"{lines[0].points:,}", *cells)
    return table


def print_all(console: Console, title: str, *tables: Grid) -> None:
    """Print a title and tables below it."""
    console.print(title, highlight=False, soft_wrap=True)
    console.print(Group(*tables))


def _figure(figure: Figure | None) -> str:
    return "-" if figure is None else str(figure)
