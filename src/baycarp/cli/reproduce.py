"""Compare a published table or figure with ours: the same, the same order, not, not comparable, and why."""

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import cycle
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.cli.grids import add_numbers
from baycarp.cli.options import add_play
from baycarp.cli.progress import progress
from baycarp.draw import curve_as_text, save_curve
from baycarp.files import write_whole
from baycarp.papers.entry import Entry
from baycarp.papers.registry import entries, find, reproduce
from baycarp.papers.run import Run
from baycarp.papers.verdict import Cell, Comparison, Estimate, Value

STYLES = {"same": "green", "same order": "yellow", "not": "red", "cannot be compared": "dim"}


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("id", nargs="*", help="tables and figures as --list names them: 000-7.1, 000-7.4")
    parser.add_argument("--list", action="store_true", help="the published entries, and the time each takes")
    add_play(parser, None, "hands to play")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of tables")
    parser.add_argument("--out", type=Path, help="folder for the JSON, and for the picture of a curve")


def run(args: argparse.Namespace) -> int:
    """Show the list; or reproduce the requested entry, and compare it with the published one."""
    console = Console()
    if args.list or not args.id:
        _list(console, entries().values(), args.json)
        return 0
    for entry in [find(id) for id in args.id]:
        found = _made(entry, Run(args.hands or entry.hands, args.seed, args.workers))
        record = _to_dict(found, args.seed)
        if args.json:
            print(json.dumps(record))
        else:
            _show(console, found)
        if args.out:
            _save(found, record, args.out)
    return 0


def _made(entry: Entry, run: Run) -> Comparison:
    if not entry.hands:
        return reproduce(entry, run)
    with progress(entry.id, run.hands) as tick:
        found = reproduce(entry, replace(run, tick=tick))
        tick(run.hands)  # hands that another entry has had played count as well
    return found


def _list(console: Console, known: Iterable[Entry], as_json: bool) -> None:
    """One line an entry: its content, and the time to reproduce it or why that is impossible."""
    if as_json:
        for entry in known:
            record = {"id": entry.id, "title": entry.title, "source": str(entry.source)}
            print(json.dumps(record | {"takes": entry.takes, "why": entry.why, "full": entry.full}))
        return
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    grid.add_column("id", no_wrap=True)
    for title in ("what it shows", "ours takes"):
        grid.add_column(title)
    for entry in known:
        takes = f"cannot be compared: {entry.why}" if entry.why else entry.takes
        grid.add_row(entry.id, entry.title, takes, style="dim" if entry.why else None)
    console.print(grid)


def _show(console: Console, found: Comparison) -> None:
    """Print the table, our values beside the published, and the verdict."""
    entry = found.entry
    console.print(f"[bold]{entry.id}[/] {entry.title}", highlight=False)
    console.print(f"{entry.source}", highlight=False)
    if found.made is not None:
        exact = not any(isinstance(cell.ours, Estimate) for cell in found.cells)
        console.print(_matrix(found) if exact and len(entry.columns) > 1 else _lines(found))
        for reason in dict.fromkeys(cell.reason for cell in found.cells if cell.reason):
            console.print(f"? {reason}", highlight=False)
        if found.made.curve is not None:
            console.print(f"{found.made.player}: small bets won a hand, up to each hand")
            console.print(curve_as_text(found.made.curve, max(console.width - 12, 20)), highlight=False)
    if entry.caveat:
        console.print(entry.caveat, highlight=False)
    if found.made is not None and found.made.hands:
        console.print(
            f"{found.made.hands:,} hands were played; a full run takes {entry.full:,}.", highlight=False
        )
    console.print(f"[{STYLES[found.verdict]}]{found.verdict}[/]: {found.reason}\n", highlight=False)


def _matrix(found: Comparison) -> Grid:
    """The table in its printed shape, or transposed where it is wide; our value stands where it differs."""
    entry = found.entry
    names, heads = [row for row, _ in entry.rows], [column.name for column in entry.columns]
    marks = [_mark(cell) for cell in found.cells]
    shape = [marks[at : at + len(heads)] for at in range(0, len(marks), len(heads))]
    if len(heads) > len(names):
        names, heads, shape = heads, names, [list(line) for line in zip(*shape, strict=True)]
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    for title in ("", *heads):
        grid.add_column(title)
    for name, line in zip(names, shape, strict=True):
        grid.add_row(name, *line)
    return grid


def _mark(cell: Cell) -> str:
    if cell.verdict == "not":
        return f"[red]{cell.printed} ≠ {_ours(cell)[0]}[/]"
    return f"{cell.printed} ?" if cell.verdict == "cannot be compared" else cell.printed


def _lines(found: Comparison) -> Grid:
    """A line a cell: published value, our value and its interval, and how they compare."""
    heads = [
        f"{column.name}, {column.unit}" if column.unit else column.name for column in found.entry.columns
    ]
    one = len(heads) == 1
    grid = Grid(title=heads[0] if one else None, box=SIMPLE, padding=(0, 1, 0, 0))
    for title in ("",) if one else ("", ""):
        grid.add_column(title)
    add_numbers(grid, ("published", "ours", "95 %"))
    grid.add_column("verdict")
    for cell, head in zip(found.cells, cycle(heads)):
        if cell.printed or cell.ours is not None:
            name = (cell.row,) if one else (cell.row, head)
            style = STYLES.get(cell.verdict or "")
            verdict = "?" if cell.verdict == "cannot be compared" else cell.verdict
            grid.add_row(*name, cell.printed, *_ours(cell), verdict, style=style)
    return grid


def _ours(cell: Cell) -> tuple[str, str]:
    """Our value and interval: two digits of the interval's half, or one more than the print where exact."""
    value = cell.ours
    if value is None or isinstance(value, str):
        return value or "", ""
    if not isinstance(value, Estimate):
        digits = len(cell.printed.partition(".")[2]) + 1
        return f"{value:.{digits}f}".rstrip("0").rstrip("."), ""
    known = isfinite(value.margin) and value.margin > 0
    digits = min(max(1 - floor(log10(value.margin)), 0), 4) if known else 2
    return f"{value.value:.{digits}f}", f"{value.low:.{digits}f} .. {value.high:.{digits}f}"


def _to_dict(found: Comparison, seed: int) -> dict[str, Any]:
    """The comparison in what JSON can hold."""
    entry, made = found.entry, found.made
    return {
        "id": entry.id,
        "title": entry.title,
        "source": str(entry.source),
        "verdict": found.verdict,
        "reason": found.reason,
        "caveat": entry.caveat,
        "hands": made.hands if made else 0,
        "seed": seed,
        "cells": [
            {"row": cell.row, "column": cell.column.name, "unit": cell.column.unit}
            | {"published": cell.printed, **_numbers(cell.ours), "verdict": cell.verdict}
            | {"reason": cell.reason}
            for cell in found.cells
        ],
    }


def _numbers(ours: Value) -> dict[str, Any]:
    if isinstance(ours, Estimate):
        numbers = {"ours": ours.value, "low": ours.low, "high": ours.high}
        return {name: value if isfinite(value) else None for name, value in numbers.items()}
    return {"ours": ours}


def _save(found: Comparison, record: dict[str, Any], folder: Path) -> None:
    """Write the JSON, and the curve as a picture where matplotlib is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{found.entry.id}.json", json.dumps(record, indent=2) + "\n")
    if found.made is not None and found.made.curve is not None:
        save_curve(found.made.curve, found.made.player, folder / f"{found.entry.id}.png")
