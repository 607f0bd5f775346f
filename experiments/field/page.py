"""The tables of the results page, and its picture."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from baycarp.api.tournament import TournamentResult
from baycarp.draw.picture import grid
from baycarp.draw.rates import cross_table
from baycarp.errors import ArgumentError
from baycarp.files import read_text, write_whole
from experiments.field.standing import Standing
from experiments.markdown import rows

__all__ = ["PICTURE", "save_page", "tables", "with_tables"]

PICTURE = "field.svg"
"""Beside the page."""

BEGIN, END = "<!-- tables: python -m experiments field --show --page -->", "<!-- end of tables -->"
"""Lines of the page around its tables."""

LARGEST = 1 << 20
"""Bytes of a page."""


def tables(standings: Sequence[Standing]) -> list[str]:
    """The lines of the tables in Markdown: every field's agents by total bankroll."""
    return [line for standing in standings for line in _table(standing)]


def _table(standing: Standing) -> list[str]:
    field = standing.field
    title = f"### {field.name[0].upper()}{field.name[1:]}"
    ranked = standing.ranked
    if ranked is None:
        return ["", title, "", "No cell has been played."]
    fewest, most = min(standing.hands), max(standing.hands)
    hands = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    what = "pairs" if standing.pairs else "groups"
    done = f"{len(standing.cells)} of {len(field.games)} {what}, {hands} hands each."
    unmet = [name for name in field.agents if name not in standing.names]
    left = f" Cells are missing of {', '.join(f'`{name}`' for name in unmet)}." if unmet else ""
    places = [f"by {each.rule}" for each in ranked.rankings[1:]]
    head = ("agent", f"{standing.unit} won", *places)
    return ["", title, "", done + left, "", *rows(head, _ranked(ranked)), "", _winners(ranked)]


def _ranked(ranked: TournamentResult) -> list[tuple[str, ...]]:
    """Each agent with its rate, and its place by the other rules."""
    bankroll, *others = ranked.rankings
    names, digits = ranked.results.agents, 0 if ranked.results.unit == "mbb/h" else 3
    return [
        (
            f"`{names[agent]}`",
            bankroll.rate(agent).cell(digits),
            *(str(each.places[agent]) for each in others),
        )
        for agent in bankroll.order
    ]


def _winners(ranked: TournamentResult) -> str:
    """The winners by both rules, where their leads are significant."""
    found = [f"{each.rule}: {f'`{each.winner}`' if each.winner else 'undecided'}" for each in ranked.rankings]
    left = [why.partition(": ")[0] for why in ranked.why]
    return f"Winner by {'; '.join([*found, *left])}."


def with_tables(page: str, lines: Sequence[str]) -> str:
    """A page with these tables in place of those between its marks.

    Raises
    ------
    ArgumentError
        The marks are not there.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ArgumentError(f"page: expected the lines {BEGIN!r} and {END!r} in it")
    return "\n".join([before + BEGIN, *lines, "", END + after])


def save_page(standings: Sequence[Standing], page: Path) -> None:
    """Write the tables into a page, and the picture beside it."""
    write_whole(page, with_tables(read_text(page, LARGEST), tables(standings)))
    save_cross_tables(standings, page.with_name(PICTURE))


def save_cross_tables(standings: Sequence[Standing], path: Path) -> None:
    """Draw what each agent wins from each heads-up, a panel a field, as PNG, SVG or PDF."""
    pairs = [each for each in standings if each.pairs]
    with grid(path, (14, 8 * len(pairs)), len(pairs), 1) as panels:
        for (axes,), standing in zip(panels, pairs, strict=True):
            names, means, margins = _cross(standing)
            cross_table(axes, names, means, margins, standing.unit)
            axes.set_title(f"{standing.field.name}: {axes.get_title()}", fontsize=10)


def _cross(standing: Standing) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The agents by total bankroll, those that are not ranked last; means and margins of their pairs."""
    ranked, names = standing.ranked, standing.names
    order = [names[agent] for agent in ranked.rankings[0].order] if ranked else []
    order += [name for name in standing.field.agents if name not in order]
    rates = np.full((2, len(order), len(order)), np.nan)
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            if one != other and (rate := standing.won(one, other)):
                rates[:, row, column] = rate.mean, rate.margin
    return order, rates[0], rates[1]
