"""Tallies as the statistics of Unger (2011), figures 7.4 (table), 7.5 (acts), 7.6 (flop hand types)."""

import json
import math
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Share
from baycarp.arena.report import Report
from baycarp.arena.tally import Tally
from baycarp.game.action import ACTIONS, STREETS
from baycarp.rules.hand import TYPES

__all__ = ["as_json", "show_figures", "statistics"]

COLUMNS = {
    "hands": ("hands", "{}"),
    "net": ("chips", "{:+d}"),
    "played": ("played", "{:.0f}%"),
    "won": ("won", "{:.0f}%"),
    "uncontested": ("unc.", "{:.0f}%"),
    "showdowns": ("shown", "{:.0f}%"),
    "showdowns_won": ("won", "{:.0f}%"),
}
"""Columns of Unger (2011), figure 7.4: hands played, won, won uncontested, showdowns seen, of those won."""


def as_json(record: Any) -> str:
    """JSON, with null for what is unknown: JSON has no nan.

    Examples
    --------
    >>> as_json({"margin": math.nan})
    '{"margin": null}'
    """
    return json.dumps(json.loads(json.dumps(record), parse_constant=lambda _: None))


def statistics(
    players: Sequence[str], tallies: Sequence[Tally], won: Sequence[str], unit: str, hero: str = ""
) -> Grid:
    """The table of figure 7.4, a row a player by name, with what each ``won`` in the last column."""
    rows = sorted(zip(players, tallies, won, strict=True), key=lambda row: row[0])
    caption = "unc. = won without a showdown, shown = showdowns reached"
    grid = _grid("", caption, "player", *(title for title, _ in COLUMNS.values()), unit)
    for player, tally, note in rows:
        figures = {"hands": tally.hands, "net": tally.net, **tally.shares()}
        cells = [_cell(form, figures[name]) for name, (_, form) in COLUMNS.items()]
        grid.add_row(player, *cells, note, style="bold" if player == hero else None)
    return grid


def _cell(form: str, figure: float | int) -> str:
    return "-" if math.isnan(figure) else form.format(figure)


def show_figures(console: Console, report: Report, hero: str) -> None:
    """Print a session's tallies beside the first table."""
    at = report.players.index(hero)
    others = sum((tally for seat, tally in enumerate(report.tallies) if seat != at), Tally())
    for grid in (_habits(report), _acts(report), _types(report.tallies[at], others, hero, report.small_bet)):
        console.print(grid)


def _habits(report: Report) -> Grid:
    caption = "of the hands dealt; aggression: bets and raises for calls after the flop"
    grid = _grid("habits", caption, "player", "VPIP", "PFR", "aggression")
    for player, tally in sorted(zip(report.players, report.tallies, strict=True), key=lambda row: row[0]):
        bold, calls = tally.aggression
        factor = f"{bold}/{calls} = {bold / calls:.1f}" if calls else f"{bold}/{calls}"
        grid.add_row(player, _counted(tally.vpip), _counted(tally.pfr), factor)
    return grid


def _acts(report: Report) -> Grid:
    """Figure 7.5, street by street."""
    grid = _grid("acts on each street", "", "player", "acts", *ACTIONS)
    for street, name in enumerate(STREETS):
        grid.add_row(name, style="italic")
        for player, tally in sorted(zip(report.players, report.tallies, strict=True), key=lambda row: row[0]):
            shares = tally.frequencies(street)
            total = next(iter(shares.values())).of
            grid.add_row(f"  {player}", str(total), *(_percent(share) for share in shares.values()))
        grid.add_section()
    return grid


def _types(own: Tally, others: Tally, hero: str, small_bet: int) -> Grid:
    """Figure 7.6, of one player beside all others."""
    caption = "small bets won in the whole hand, a hand (95 %)"
    grid = _grid("by the hand type held on the flop", caption, "type", "hands", hero, "hands", "the others")
    for name in TYPES:
        sums = [tally.on_flop.get(name) for tally in (own, others)]
        cells = [(str(s.hands), s.rate(small_bet).cell(2)) if s else ("0", "-") for s in sums]
        if any(sums):
            grid.add_row(name, *cells[0], *cells[1])
    return grid


def _grid(title: str, caption: str, *columns: str) -> Grid:
    grid = Grid(title=title or None, caption=caption or None, box=SIMPLE, padding=(0, 1, 0, 0))
    for place, column in enumerate(columns):
        grid.add_column(column, justify="right" if place else "left", no_wrap=True)
    return grid


def _counted(share: Share) -> str:
    return f"{share} = {_percent(share)}"


def _percent(share: Share) -> str:
    return f"{share.value:.0%}" if share.of else "-"
