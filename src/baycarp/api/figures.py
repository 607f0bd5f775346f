"""Tallies as the statistics of Unger (2011), figures 7.4 (table), 7.5 (acts), 7.6 (flop hand types)."""

import math
from collections.abc import Sequence
from operator import itemgetter

from rich.table import Table as Grid

from baycarp.api.printing import grid
from baycarp.arena.measure import Share
from baycarp.arena.report import Report
from baycarp.arena.tally import Tally
from baycarp.game.action import ACTIONS, STREETS
from baycarp.rules.hand import TYPES

__all__ = ["WORDS", "figures", "statistics"]

WORDS = {"sb/h": "small bets", "mbb/h": "thousandths of a big blind"}
"""The units of win rates."""

COLUMNS = {
    "hands": ("hands", "{}"),
    "net": ("chips", "{:+d}"),
    "played": ("played", "{:.0f}%"),
    "won": ("won", "{:.0f}%"),
    "uncontested": ("unc.", "{:.0f}%"),
    "showdowns": ("shown", "{:.0f}%"),
    "showdowns_won": ("of those", "{:.0f}%"),
}
"""Columns of Unger (2011), figure 7.4: hands played, won, won uncontested, showdowns seen, of those won."""

CAPTION = "unc. = won without a showdown, shown = showdowns reached, of those = won of these"


def statistics(
    players: Sequence[str], tallies: Sequence[Tally], won: Sequence[str], unit: str, hero: str = ""
) -> Grid:
    """The table of figure 7.4, a row a player by name, with its winnings ``won`` in the last column."""
    titles = (title for title, _ in COLUMNS.values())
    table = grid("player", *titles, unit, caption=CAPTION)
    for player, tally, note in sorted(zip(players, tallies, won, strict=True), key=itemgetter(0)):
        figures = {"hands": tally.hands, "net": tally.net, **tally.shares()}
        cells = [_cell(form, figures[name]) for name, (_, form) in COLUMNS.items()]
        table.add_row(player, *cells, note, style="bold" if player == hero else None)
    return table


def _cell(form: str, figure: float | int) -> str:
    return "-" if math.isnan(figure) else form.format(figure)


def figures(report: Report, hero: str) -> tuple[Grid, ...]:
    """The tables of a session that follow the first one: habits, acts, and results by hand type."""
    at = report.players.index(hero)
    others = sum((tally for seat, tally in enumerate(report.tallies) if seat != at), Tally())
    players = sorted(zip(report.players, report.tallies, strict=True), key=itemgetter(0))
    return _habits(players), _acts(players), _types(report.tallies[at], others, hero, report)


def _habits(players: Sequence[tuple[str, Tally]]) -> Grid:
    caption = "of the hands dealt; aggression: bets and raises for calls after the flop"
    table = grid("player", "VPIP", "PFR", "aggression", title="habits", caption=caption)
    for player, tally in players:
        bold, calls = tally.aggression
        factor = f"{bold}/{calls} = {bold / calls:.1f}" if calls else f"{bold}/{calls}"
        table.add_row(player, *(f"{share} = {_percent(share)}" for share in (tally.vpip, tally.pfr)), factor)
    return table


def _acts(players: Sequence[tuple[str, Tally]]) -> Grid:
    """Figure 7.5, street by street."""
    table = grid("player", "acts", *ACTIONS, title="acts on each street")
    for street, name in enumerate(STREETS):
        table.add_row(name, style="italic")
        for player, tally in players:
            shares = tally.frequencies(street).values()
            table.add_row(f"  {player}", str(next(iter(shares)).of), *map(_percent, shares))
        table.add_section()
    return table


def _types(own: Tally, others: Tally, hero: str, report: Report) -> Grid:
    """Figure 7.6, of one player and of all others."""
    table = grid(
        "type",
        "hands",
        hero,
        "hands",
        "the others",
        title="by the hand type held on the flop",
        caption=f"{WORDS[report.unit]} won in the whole hand, a hand (95 %)",
    )
    for name in TYPES:
        sums = [tally.on_flop.get(name) for tally in (own, others)]
        if any(sums):
            cells = [(str(s.hands), s.rate(report.chips).cell(2)) if s else ("0", "-") for s in sums]
            table.add_row(name, *cells[0], *cells[1])
    return table


def _percent(share: Share) -> str:
    return f"{share.value:.0%}" if share.of else "-"
