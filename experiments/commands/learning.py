"""Let agents that begin with no case learn at the table: win rates by hands played."""

from argparse import Namespace
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Rate, interval
from baycarp.arena.names import named
from baycarp.arena.series import arms
from baycarp.cli.options import count, option, options
from baycarp.cli.output import as_json, grid
from baycarp.cli.runs import journalled, own_folder, run_plan
from baycarp.draw import drawable
from experiments.cases.learning import PAR, Learned, learned, on_par
from experiments.commands.ablate import HERO, PLACE, ArmsPlan, judge, place
from experiments.pictures import save_learning

LEARNERS = [
    f"{name}{share}={agent}explore={explore})"
    for name, agent in (
        ("cost", "baycarp2(model='empty', policy='best outcome', "),
        ("net", "experiments.systems:NET("),
    )
    for share, explore in (("", 0.0), (" 5%", 0.05))
]
"""The thesis' outcomes, summed, or the mean net outcome of an action, each with and without exploration."""

add = options(
    option(
        "agents",
        nargs="*",
        metavar="AGENT",
        default=LEARNERS,
        help="the learning agents, each on the same decks; NAME=AGENT names one (default: BayCaRP1 from an "
        "empty memory, and a variant by the mean outcome of actions, with and without exploration)",
    ),
    option("--hands", type=count, default=2000, help="that each learns from in a session"),
    option("--sessions", type=count, default=8, help="that each begins anew"),
    option("--draw", type=Path, metavar="FILE", help="a picture: PNG, SVG or PDF"),
    PLACE,
    journalled(own_folder("learning")),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the learning curves."""
    if args.draw:
        drawable(args.draw)
    names, specs = named(args.agents)
    series = arms(place(args, specs[0]), specs, args.hands, duplicate=False)
    played, _ = run_plan(args, ArmsPlan(series, args.sessions * args.hands))
    scores = series.scores(played)
    unit = scores[0].unit
    curves = {
        name: learned(record.won(HERO, judge(args)).reshape(args.sessions, args.hands), unit)
        for name, record in zip(names, scores, strict=True)
    }
    if args.json:
        record = {"unit": unit, "judge": judge(args), "sessions": args.sessions}
        print(as_json(record | {"learners": [_to_dict(name, curve) for name, curve in curves.items()]}))
    else:
        print(f"{unit} ({judge(args)}), 95 % over {args.sessions} sessions that each began anew")
        Console().print(_grid(curves))
    if args.draw:
        at = [round(middle) for middle in next(iter(curves.values())).at]
        lines = {name: [(rate.mean, rate.margin) for rate in curve.rates] for name, curve in curves.items()}
        save_learning({unit: lines}, at, args.draw)
    return 0


def _grid(curves: dict[str, Learned]) -> Grid:
    """A row a block, a column a learner; then the hands to 90 % of the gain, and the final differences."""
    table = grid(
        "hands",
        *curves,
        padding=0,
        caption="gained: last block less first; 90 % after: hands to 90 % of it; over first: last block; "
        f"to par: hands after which all blocks win more than {PAR} sb/h",
    )
    found = list(curves.values())
    for number, (start, end) in enumerate(found[0].spans):
        table.add_row(f"{start + 1} to {end}", *(curve.rates[number].cell() for curve in found))
    table.add_section()
    table.add_row("gained", *(curve.gain.cell() for curve in found))
    table.add_row("90 % after", *(_hands(curve.hands) for curve in found))
    table.add_row("95 %", *(" .. ".join(map(_hands, curve.within or (None,))) for curve in found))
    if found[0].gain.unit == "sb/h":
        table.add_row("to par", *(_par(curve) for curve in found))
    table.add_row("over first", "-", *(_more(curve, found[0]).cell() for curve in found[1:]))
    return table


def _more(one: Learned, other: Learned) -> Rate:
    """The difference of two learners in the last block, session by session on the same decks."""
    return interval(one.won[:, -1] - other.won[:, -1], one.gain.n // len(one.won), one.gain.unit)


def _par(curve: Learned) -> str:
    hands = on_par(curve.rates, curve.spans)
    return "not shown" if hands is None else f"{hands:,}"


def _hands(hands: float | None) -> str:
    if hands is None:
        return "not significant"
    return f"{hands:,.0f}" if isfinite(hands) else "never"


def _to_dict(name: str, curve: Learned) -> dict[str, Any]:
    blocks = zip(curve.spans, curve.rates, strict=True)
    return {
        "agent": name,
        "blocks": [{"from": start + 1, "to": end, **rate.to_dict()} for (start, end), rate in blocks],
        "gained": curve.gain.to_dict(),
        "hands to 90 %": curve.hands,
        "within": curve.within or (),
        "to par": on_par(curve.rates, curve.spans) if curve.gain.unit == "sb/h" else None,
    }
