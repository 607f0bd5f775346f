"""Look into the cases: the nearest of a situation feature by feature; how all are spread, how they drift."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.case_player import CasePlayer
from baycarp.cases import CaseBase, Columns, Drift, Match, Spread, drift, explain, spreads
from baycarp.cli.grids import add_numbers
from baycarp.cli.options import count
from baycarp.draw import drawable, save_nearest, save_spreads, sparkline
from baycarp.errors import ModelError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.game.action import ACTIONS, STREETS
from baycarp.game.notation.observe import observe
from baycarp.strategies.model import SHIPPED, Model, load_model, recall


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("state", nargs="?", help="a MATCHSTATE line: show the cases nearest to it")
    parser.add_argument("--game", default="holdem.limit.2p.reverse_blinds", help="its game")
    parser.add_argument("--nearest", type=count, default=5, help="how many (default: %(default)s)")
    parser.add_argument(
        "--model", type=Path, default=SHIPPED, help="the model of the cases (default: the shipped model)"
    )
    parser.add_argument("--memory", help="the cases of a memory, baycarp2(memory='NAME'), instead")
    parser.add_argument("--street", choices=STREETS, action="append", help="which alone (default: all)")
    parser.add_argument("--beside", type=Path, metavar="MODEL", help="drift: from another model's cases")
    parser.add_argument("--halves", action="store_true", help="drift: from the older half to the newer")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw it, as SVG or PNG by the ending")
    parser.add_argument("--json", action="store_true", help="everything as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print, and draw on request."""
    if args.picture:
        drawable(args.picture)
    model = load_model(args.model)
    if args.memory:
        model = recall(model, args.memory)
    if args.state:
        return _near(args, model)
    streets = args.street or list(STREETS)
    if args.picture and len(streets) > 1:
        raise ModelError("--picture: expected one --street")
    spreads = {street: _spread(args, model.casebases[street]) for street in streets}
    if args.json:
        print(json.dumps({street: _record(*each) for street, each in spreads.items()}))
    else:
        console = _console()
        console.print(_done({street: model.casebases[street] for street in streets}))
        for street, (found, drifts) in spreads.items():
            console.print(_spreads(street, found, drifts))
    if args.picture:
        panels = {spread.column: (spread.bins, spread.shares) for spread in spreads[streets[0]][0]}
        save_spreads(panels, _parts(args), args.picture)
        print(f"drawn: {args.picture}", file=sys.stderr)
    return 0


# The nearest


def _near(args: argparse.Namespace, model: Model) -> int:
    agent = CasePlayer(model.strategy, model, learning=False)
    observation = observe(args.state, game=args.game)
    counterfactual = Counterfactual(agent, observation, agent.decide(observation))
    ids = counterfactual.retrieved.ids[: args.nearest].tolist()
    matches = {id: explain(counterfactual.casebase, counterfactual.situation, id) for id in ids}
    cases = [
        {"case": id, "similarity": alike, "action": case["solution"], "outcome": case["outcome"]}
        for id, alike in zip(ids, counterfactual.retrieved.similarities.tolist(), strict=False)
        for case in (counterfactual.casebase.case(id),)
    ]
    if args.json:
        for case in cases:
            case["columns"] = [_match(match) for match in matches[case["case"]]]
        record = {
            "street": counterfactual.schema.name,
            "retrieved": len(counterfactual.retrieved),
            "nearest": cases,
        }
        print(json.dumps(record | {"fell back": counterfactual.retrieved.fell_back}))
    else:
        _console().print(_beside(cases, matches, len(counterfactual.retrieved)))
    if args.picture:
        rows = [[match.similarity for match in matches[id]] for id in ids]
        names = [f"{case['case']}: {case['action']} {case['outcome']:+.1f}" for case in cases]
        weights = {match.column: match.weight for match in matches[ids[0]]}
        save_nearest(names, weights, np.array(rows), args.picture)
        print(f"drawn: {args.picture}", file=sys.stderr)
    return 0


def _match(match: Match) -> dict[str, Any]:
    return {
        "column": match.column,
        "weight": match.weight,
        "ours": match.query,
        "case": match.case,
        "similarity": match.similarity,
    }


def _beside(cases: list[dict[str, Any]], matches: dict[int, tuple[Match, ...]], found: int) -> Grid:
    """A line a column of the cases, each value with its similarity to the query's."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0), title=f"the nearest of {found} that were retrieved")
    grid.add_column("", no_wrap=True)
    add_numbers(grid, ("weight", "ours", *(f"case {case['case']}" for case in cases)))
    grid.add_row("what was done", "", "", *(f"{case['action']}" for case in cases))
    grid.add_row("what came of it", "", "", *(f"{case['outcome']:+.2f}" for case in cases))
    grid.add_section()
    total = sum(match.weight for match in matches[cases[0]["case"]])
    for line in zip(*(matches[case["case"]] for case in cases), strict=True):
        cells = (f"{_value(match.case)}  {match.similarity:.2f}" for match in line)
        grid.add_row(line[0].column, f"{line[0].weight / total:.1%}", _value(line[0].query), *cells)
    grid.add_section()
    grid.add_row("similarity", "100 %", "", *(f"{case['similarity']:.4f}" for case in cases))
    return grid


def _value(value: float | str | None) -> str:
    return "-" if value is None else value if isinstance(value, str) else f"{value:.3g}"


# All of them


def _spread(args: argparse.Namespace, casebase: CaseBase) -> tuple[tuple[Spread, ...], tuple[Drift, ...]]:
    """The spreads of a street, and their drift where two parts are given."""
    parts: list[Columns] = [casebase.columns()]
    if args.halves:
        half, every = len(casebase) // 2, parts[0].items()
        parts = [{name: column[..., :half] for name, column in every}]
        parts += [{name: column[..., half:] for name, column in every}]
    elif args.beside:
        parts.append(load_model(args.beside).casebases[casebase.schema.name].columns())
    found = spreads(casebase.schema, parts)
    return found, tuple(map(drift, found)) if len(parts) == 2 else ()


def _parts(args: argparse.Namespace) -> list[str]:
    """What the parts are called."""
    if args.halves:
        return ["older half", "newer half"]
    return [args.memory or args.model.name, *([args.beside.name] if args.beside else [])]


def _record(found: tuple[Spread, ...], drifts: tuple[Drift, ...]) -> dict[str, Any]:
    record = {spread.column: {"bins": spread.bins, "cases": spread.counts.tolist()} for spread in found}
    for each in drifts:
        record[each.column] |= {
            "divergence": each.divergence,
            "chance": each.chance,
            "stability": each.stability,
        }
    return record


def _done(casebases: dict[str, CaseBase]) -> Grid:
    """What was done, by street, and what came of it on average."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0), title="what was done, and what came of it on average")
    grid.add_column("street")
    add_numbers(grid, ("cases", *ACTIONS))
    for street, casebase in casebases.items():
        tried = casebase.tried(casebase.columns()["ids"])
        counts, outcomes = (each.sum(axis=1) for each in tried)
        cells = [
            f"{count / counts.sum():.1%}  {outcome / count:+.2f}" if count else "-"
            for count, outcome in zip(counts.tolist(), outcomes.tolist(), strict=True)
        ]
        grid.add_row(street, f"{len(casebase):,}", *cells)
    return grid


def _spreads(street: str, found: tuple[Spread, ...], drifts: tuple[Drift, ...]) -> Grid:
    """A line a column: from where to where, in small bars; with the drift, the most first."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0), title=street)
    for title in ("column", "from", "to", "spread", *(["then"] if drifts else []), "most often"):
        grid.add_column(title, no_wrap=True)
    add_numbers(grid, ("divergence", "by chance", "stability index") if drifts else ())
    pairs = list(zip(found, drifts or [None] * len(found), strict=True))
    for spread, moved in sorted(pairs, key=lambda pair: -pair[1].divergence if pair[1] else 0.0):
        held = np.flatnonzero(spread.counts.sum(0))
        top = int(np.argmax(spread.shares[0]))
        bars = [sparkline(share[held]) for share in spread.shares]
        cells = (
            []
            if moved is None
            else [f"{moved.divergence:.4f}", f"{moved.chance:.4f}", f"{moved.stability:.3f}"]
        )
        most = f"{spread.bins[top]} {spread.shares[0, top]:.0%}"
        grid.add_row(spread.column, spread.bins[held[0]], spread.bins[held[-1]], *bars, most, *cells)
    return grid


def _console() -> Console:
    """Nothing is cut."""
    return Console(width=max(Console().width, 160))
