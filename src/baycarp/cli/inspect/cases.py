"""Inspect cases: the nearest of a situation, feature by feature; the spread of all, and its drift."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
from rich.measure import Measurement
from rich.table import Table as Grid

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.api.printing import Console
from baycarp.cases import CaseBase, ColumnMatch, Columns, Drift, Spread, drift, explain, spreads
from baycarp.cli.options import PICTURE, count, flag, game_of, option, options, path
from baycarp.cli.output import as_json, console, grid
from baycarp.draw import drawable, save_nearest, save_spreads, sparkline
from baycarp.errors import ModelError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.game.action import ACTIONS
from baycarp.game.notation.observe import observe
from baycarp.strategies.memory import recall
from baycarp.strategies.model import DEFAULT_AGENT, Model, load_model

WIDTH = 160
"""Columns that the nearest cases take at most, where nobody looks at a screen."""

HALVES = Path()
"""In place of another model: the older half of the cases beside the newer."""

add = options(
    option("state", nargs="?", help="a MATCHSTATE line: show the cases nearest to it"),
    option("--game", help="its game (default: limit, with a seat for each hand)"),
    option("--nearest", type=count, default=5, help="number of cases"),
    option(
        "--model",
        type=path,
        default=DEFAULT_AGENT,
        help="the model of the cases (default: the default agent's)",
    ),
    option("--memory", help="the cases of a memory, baycarp(memory='NAME'), instead"),
    option("--street", metavar="BASE", action="append", help="this case-base alone: flop, or 2p-flop of two"),
    option(
        "--beside",
        nargs="?",
        type=path,
        const=HALVES,
        metavar="MODEL",
        help="drift: from another model's cases; none named, from the older half to the newer",
    ),
    PICTURE,
    flag("--json", "everything as one JSON object"),
)


def run(args: Namespace) -> int:
    """Print, and draw on request."""
    if args.picture:
        drawable(args.picture)
    model = load_model(args.model)
    if args.memory:
        model = recall(model, args.memory)
    streets = args.street or list(model.casebases)
    if unknown := [street for street in streets if street not in model.casebases]:
        raise ModelError(f"--street {unknown[0]}: expected one of {', '.join(model.casebases)}")
    if args.state:
        _nearest(args, model)
    elif args.picture and len(streets) > 1:
        raise ModelError("--picture: expected one --street")
    else:
        _all(args, {street: model.casebases[street] for street in streets})
    if args.picture:
        print(f"drawn: {args.picture}", file=sys.stderr)
    return 0


# The nearest


def _nearest(args: Namespace, model: Model) -> None:
    agent = CasePlayer(model.strategy, model, learning=False)
    observation = observe(args.state, game=game_of(args.state, args.game, ""))
    counterfactual = Counterfactual(agent, observation, agent.decide(observation))
    retrieved = counterfactual.retrieved
    ids = retrieved.ids[: args.nearest].tolist()
    matches = {id: explain(counterfactual.casebase, counterfactual.situation, id) for id in ids}
    cases = [
        {"case": id, "similarity": alike, "action": case["solution"], "outcome": case["outcome"]}
        for id, alike in zip(ids, retrieved.similarities.tolist(), strict=False)
        for case in (counterfactual.casebase.case(id),)
    ]
    if args.json:
        nearest = [case | {"columns": [_match(match) for match in matches[case["case"]]]} for case in cases]
        record = {"street": counterfactual.schema.name, "retrieved": len(retrieved), "nearest": nearest}
        print(as_json(record | {"fell back": retrieved.fell_back}))
    else:
        screen = Console()
        _print_nearest(screen if screen.is_terminal else console(WIDTH), cases, matches, len(retrieved))
    if args.picture:
        rows = [[match.similarity for match in matches[id]] for id in ids]
        names = [f"{case['case']}: {case['action']} {case['outcome']:+.1f}" for case in cases]
        weights = {match.column: match.weight for match in matches[ids[0]]}
        save_nearest(names, weights, np.array(rows), args.picture)


def _match(match: ColumnMatch) -> dict[str, Any]:
    return dict(zip(("column", "weight", "ours", "case", "similarity"), astuple(match), strict=True))


def _print_nearest(
    screen: Console, cases: list[dict[str, Any]], matches: dict[int, tuple[ColumnMatch, ...]], found: int
) -> None:
    """As many of the cases as fit, at least one."""
    free = screen.options.update(width=10_000)
    for shown in range(len(cases), 0, -1):
        table = _beside(cases[:shown], matches, found)
        if shown == 1 or Measurement.get(screen, free, table).maximum <= screen.width:
            break
    screen.print(table)
    if shown < len(cases):
        screen.print(f"{len(cases) - shown} more on a wider screen, or by --json", highlight=False)


def _beside(cases: list[dict[str, Any]], matches: dict[int, tuple[ColumnMatch, ...]], found: int) -> Grid:
    """A line a column of the cases, each value with its similarity to the query's."""
    titles = ("", "weight", "ours", *(f"case\n{case['case']}" for case in cases))
    table = grid(*titles, title=f"the nearest of {found} that were retrieved")
    table.add_row("action", "", "", *(f"{case['action']}" for case in cases))
    table.add_row("outcome", "", "", *(f"{case['outcome']:+.2f}" for case in cases))
    table.add_section()
    total = sum(match.weight for match in matches[cases[0]["case"]])
    for line in zip(*(matches[case["case"]] for case in cases), strict=True):
        cells = (f"{_value(match.case)}  {match.similarity:.2f}" for match in line)
        table.add_row(line[0].column, f"{line[0].weight / total:.1%}", _value(line[0].query), *cells)
    table.add_section()
    table.add_row("similarity", "100 %", "", *(f"{case['similarity']:.4f}" for case in cases))
    return table


def _value(value: float | str | None) -> str:
    if isinstance(value, str):
        return value
    return "-" if value is None else f"{value:.3g}"


# All of them


def _all(args: Namespace, casebases: dict[str, CaseBase]) -> None:
    found = {street: _spread(args, casebase) for street, casebase in casebases.items()}
    if args.json:
        print(as_json({street: _record(*each) for street, each in found.items()}))
    else:
        screen = console(80)
        screen.print(_actions(casebases))
        for street, each in found.items():
            screen.print(_spreads(street, *each))
    if args.picture:
        ((first, _),) = found.values()
        panels = {spread.column: (spread.bins, spread.shares) for spread in first}
        names = [str(args.memory or args.model.name), *([args.beside.name] if args.beside else [])]
        save_spreads(panels, ["older half", "newer half"] if args.beside is HALVES else names, args.picture)


def _spread(args: Namespace, casebase: CaseBase) -> tuple[Sequence[Spread], Sequence[Drift]]:
    """The spreads of a street, and their drift where two parts are given."""
    columns, half = casebase.columns(), len(casebase) // 2
    parts: list[Columns] = [columns]
    if args.beside is HALVES:
        halves = (slice(half), slice(half, None))
        parts = [{name: column[..., part] for name, column in columns.items()} for part in halves]
    elif args.beside:
        parts.append(load_model(args.beside).casebases[casebase.schema.name].columns())
    found = spreads(casebase.schema, parts)
    return found, list(map(drift, found)) if len(parts) == 2 else []


def _record(found: Sequence[Spread], drifts: Sequence[Drift]) -> dict[str, Any]:
    record = {spread.column: {"bins": spread.bins, "cases": spread.counts.tolist()} for spread in found}
    for each in drifts:
        record[each.column] |= {
            "divergence": each.divergence,
            "chance": each.chance,
            "stability": each.stability,
        }
    return record


def _actions(casebases: dict[str, CaseBase]) -> Grid:
    """The share of each action by street, and its mean outcome."""
    table = grid("street", "cases", *ACTIONS, title="actions, and their mean outcomes")
    for street, casebase in casebases.items():
        tried = casebase.tried(casebase.columns()["ids"])
        counts, outcomes = (each.sum(axis=1).tolist() for each in tried)
        cells = [
            f"{count / sum(counts):.0%} {outcome / count:+.2f}" if count else "-"
            for count, outcome in zip(counts, outcomes, strict=True)
        ]
        table.add_row(street, f"{len(casebase):,}", *cells)
    return table


def _spreads(street: str, found: Sequence[Spread], drifts: Sequence[Drift]) -> Grid:
    """A line a column: least and greatest value, shares as bars; or the drift instead, the greatest first."""
    words = ["column", "spread", "then"] if drifts else ["column", "from", "to", "spread", "most often"]
    numbers = ["divergence", "by chance", "stability\nindex"] if drifts else []
    table = grid(*words, *numbers, words=words, title=street)
    order = sorted(range(len(drifts)), key=lambda place: -drifts[place].divergence)
    for place in order or range(len(found)):
        spread = found[place]
        held = np.flatnonzero(spread.counts.sum(0))
        top = int(np.argmax(spread.shares[0]))
        bars = (sparkline(share[held]) for share in spread.shares)
        cells = [
            cell
            for each in drifts[place : place + 1]
            for cell in (f"{each.divergence:.4f}", f"{each.chance:.4f}", f"{each.stability:.3f}")
        ]
        if drifts:
            table.add_row(spread.column, *bars, *cells)
        else:
            most = f"{spread.bins[top]} {spread.shares[0, top]:.0%}"
            table.add_row(spread.column, spread.bins[held[0]], spread.bins[held[-1]], *bars, most)
    return table
