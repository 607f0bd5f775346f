"""Let agents that begin with no case learn at the table: what they win by hands played."""

import argparse
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.ablation import arms
from baycarp.arena.measure import Rate, interval
from baycarp.arena.scores import NET
from baycarp.arena.series import play_in_series
from baycarp.cli.ablate import HERO, add_place, place
from baycarp.cli.figures import as_json
from baycarp.cli.match import named, rate_to_dict
from baycarp.cli.options import count
from baycarp.cli.runs import add_run, play_rounds
from baycarp.draw import drawable, save_learning
from baycarp.study.learning import Learned, learned

LEARNERS = [
    f"{name}{share}={agent}, empty=True{explore})"
    for name, agent in (
        ("cost", "baycarp(styles=False, policy='best outcome'"),
        ("net", "baycarp(styles=False, policy='best mean outcome', revise='net'"),
    )
    for share, explore in (("", ""), (" 5%", ", explore=0.05"))
]
"""The thesis' outcomes, summed, or the mean of what actions brought, each with and without exploration."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "agents",
        nargs="*",
        metavar="AGENT",
        default=LEARNERS,
        help="the learning agents, each on the same decks; NAME=AGENT names one (default: BayCaRP1 from an "
        "empty memory, and a variant by the mean outcome of actions, with and without exploration)",
    )
    parser.add_argument(
        "--hands", type=count, default=2000, help="that each learns from in a session (default: %(default)s)"
    )
    parser.add_argument(
        "--sessions", type=count, default=8, help="that each begins anew (default: %(default)s)"
    )
    parser.add_argument("--draw", type=Path, metavar="FILE", help="a picture: PNG, SVG or PDF")
    add_place(parser)
    add_run(parser, "learning")


def run(args: argparse.Namespace) -> int:
    """Play what is missing and show what was learned."""
    if args.draw:
        drawable(args.draw)
    names, specs = named(args.agents)
    series = arms(place(args, specs[0]), specs, args.hands, duplicate=False)
    deals = args.sessions * args.hands
    played = play_rounds(
        args,
        partial(play_in_series, series),
        series.header(),
        series.rounds(deals),
        series.hands(deals),
    )
    if played is None:
        return 0
    judge = (*args.estimators, NET)[0]  # named beforehand, as in a match
    scores = series.scores(played)
    curves = {
        name: learned(record.won(HERO, judge).reshape(args.sessions, args.hands), record.unit)
        for name, record in zip(names, scores, strict=True)
    }
    if args.json:
        record = {"unit": scores[0].unit, "judge": judge, "sessions": args.sessions}
        print(as_json(record | {"learners": [_to_dict(name, curve) for name, curve in curves.items()]}))
    else:
        print(f"{scores[0].unit} ({judge}), 95 % over {args.sessions} sessions that each began anew")
        Console().print(_grid(curves))
    if args.draw:
        at = [round(middle) for middle in next(iter(curves.values())).at]
        lines = {name: [(rate.mean, rate.margin) for rate in curve.rates] for name, curve in curves.items()}
        save_learning({scores[0].unit: lines}, at, args.draw)
    return 0


def _grid(curves: dict[str, Learned]) -> Grid:
    """A row a block, a column a learner; then how soon, and how they differ in the end."""
    grid = Grid("hands", *curves, box=SIMPLE, padding=0)
    for column in grid.columns[1:]:
        column.justify = "right"
    found = list(curves.values())
    for number, (start, end) in enumerate(found[0].spans):
        grid.add_row(f"{start + 1} to {end}", *(curve.rates[number].cell() for curve in found))
    grid.add_section()
    grid.add_row("gained", *(curve.gain.cell() for curve in found))
    grid.add_row("90 % after", *(_hands(curve.hands) for curve in found))
    grid.add_row("95 %", *(" .. ".join(map(_hands, curve.within or (None,))) for curve in found))
    grid.add_row("over first", "-", *(_more(curve, found[0]).cell() for curve in found[1:]))
    grid.caption = "gained: last block less first; 90 % of it after so many hands; over first: last block"
    return grid


def _more(one: Learned, other: Learned) -> Rate:
    """What one wins more than another in the last block, session by session on the same decks."""
    return interval(one.won[:, -1] - other.won[:, -1], one.gain.n // len(one.won), one.gain.unit)


def _hands(hands: float | None) -> str:
    return "not significant" if hands is None else f"{hands:,.0f}" if isfinite(hands) else "never"


def _to_dict(name: str, curve: Learned) -> dict[str, Any]:
    blocks = [
        {"from": start + 1, "to": end, **rate_to_dict(rate)}
        for (start, end), rate in zip(curve.spans, curve.rates, strict=True)
    ]
    within = [bound if isfinite(bound) else None for bound in curve.within or ()]
    return {
        "agent": name,
        "blocks": blocks,
        "gained": rate_to_dict(curve.gain),
        "hands to 90 %": curve.hands,
        "within": within,
    }
