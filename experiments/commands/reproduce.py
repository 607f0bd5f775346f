"""Compare a published table or figure with ours: the same, the same order, not, unclear or not comparable."""

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, cycle
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from baycarp.cli.options import flag, option, options, play
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import progress
from baycarp.draw import curve_as_text, save_curve
from baycarp.files import write_whole
from experiments.papers.entry import Entry
from experiments.papers.registry import entries, matching, reproduce
from experiments.papers.run import Run
from experiments.papers.verdict import Cell, Comparison, Estimate, Value

STYLES = {
    "same": "green",
    "same order": "yellow",
    "not": "red",
    "unclear": "dim",
    "cannot be compared": "dim",
}


add = options(
    option("id", nargs="*", help="tables and figures as --list names them: 000-7.1, 000-7.4, 003-*"),
    flag("--list", "the published entries, and the time each takes"),
    play(None, "hands to play (default: the number of each entry)"),
    flag("--json", "one JSON object a line instead of tables"),
    option("--out", type=Path, help="folder of finished sessions, the JSON and the picture of a curve"),
)


def run(args: Namespace) -> int:
    """Show the list; or reproduce the requested entry, and compare it with the published one."""
    console = Console(highlight=False)
    if args.list or not args.id:
        _list(console, entries().values(), args.json)
        return 0
    for entry in {entry.id: entry for entry in chain.from_iterable(map(matching, args.id))}.values():
        found = _made(entry, Run(args.hands or entry.hands, args.seed, args.workers, folder=args.out))
        record = _to_dict(found, args.seed)
        if args.json:
            print(as_json(record))
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
        tick(run.hands)  # hands that were played for another entry count as well
    return found


def _list(console: Console, known: Iterable[Entry], json: bool) -> None:
    """One line an entry: its content, and the time to reproduce it or why that is impossible."""
    if json:
        for entry in known:
            record = {"id": entry.id, "title": entry.title, "source": str(entry.source)}
            print(as_json(record | {"takes": entry.takes, "why": entry.why, "full": entry.full}))
        return
    titles = ("id", "content", "ours takes")
    table = grid(*titles, words=titles)
    table.columns[0].no_wrap = True
    for entry in known:
        takes = f"cannot be compared: {entry.why}" if entry.why else entry.takes
        table.add_row(entry.id, entry.title, takes, style="dim" if entry.why else None)
    console.print(table)


def _show(console: Console, found: Comparison) -> None:
    """Print the table, our values beside the published, and the verdict."""
    entry, made = found.entry, found.made
    console.print(f"[bold]{entry.id}[/] {entry.title}")
    console.print(str(entry.source))
    if made is not None:
        exact = not any(isinstance(cell.ours, Estimate) for cell in found.cells)
        console.print(_matrix(found) if exact and len(entry.columns) > 1 else _lines(found))
        for reason in dict.fromkeys(cell.reason for cell in found.cells if cell.reason):
            console.print(f"? {reason}")
        if made.curve is not None:
            console.print(f"{made.player}: small bets won a hand, up to each hand")
            console.print(curve_as_text(made.curve, max(console.width - 12, 20)))
    if entry.caveat:
        console.print(entry.caveat)
    if made is not None and made.hands:
        console.print(f"{made.hands:,} hands were played; a full run takes {entry.full:,}.")
    console.print(f"[{STYLES[found.verdict]}]{found.verdict}[/]: {found.reason}\n")


def _matrix(found: Comparison) -> Grid:
    """The table in its printed shape, or transposed where it is wide; our value is shown where it differs."""
    entry = found.entry
    names, heads = [row for row, _ in entry.rows], [column.name for column in entry.columns]
    marks = [_mark(cell) for cell in found.cells]
    shape = [marks[at : at + len(heads)] for at in range(0, len(marks), len(heads))]
    if len(heads) > len(names):
        names, heads, shape = heads, names, [list(line) for line in zip(*shape, strict=True)]
    table = grid("", *heads, words=("", *heads))
    for name, line in zip(names, shape, strict=True):
        table.add_row(name, *line)
    return table


def _mark(cell: Cell) -> str:
    if cell.verdict == "not":
        return f"[red]{cell.printed} ≠ {_ours(cell)[0]}[/]"
    return f"{cell.printed} ?" if cell.verdict in ("unclear", "cannot be compared") else cell.printed


def _lines(found: Comparison) -> Grid:
    """A line a cell: published value, our value and its interval, and how they compare."""
    heads = [
        f"{column.name}, {column.unit}" if column.unit else column.name for column in found.entry.columns
    ]
    one = len(heads) == 1
    titles = ("",) if one else ("", "")
    table = grid(
        *titles,
        "published",
        "ours",
        "95 %",
        "tells",
        "verdict",
        words=(*titles, "verdict"),
        title=heads[0] if one else None,
    )
    for cell, head in zip(found.cells, cycle(heads)):
        if cell.printed or cell.ours is not None:
            name = (cell.row,) if one else (cell.row, head)
            verdict = "?" if cell.verdict == "cannot be compared" else cell.verdict
            table.add_row(
                *name, cell.printed, *_ours(cell), _tells(cell), verdict, style=STYLES.get(cell.verdict or "")
            )
    return table


def _tells(cell: Cell) -> str:
    """The least difference that would have been found."""
    return "" if cell.tells is None or not isfinite(cell.tells) else f"{cell.tells:.2g}"


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
            | {"reason": cell.reason, "tells": cell.tells}
            for cell in found.cells
        ],
    }


def _numbers(ours: Value) -> dict[str, Any]:
    if isinstance(ours, Estimate):
        return {"ours": ours.value, "low": ours.low, "high": ours.high}
    return {"ours": ours}


def _save(found: Comparison, record: dict[str, Any], folder: Path) -> None:
    """Write the JSON, and the curve as a picture where matplotlib is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{found.entry.id}.json", as_json(record, 2) + "\n")
    if found.made is not None and found.made.curve is not None:
        save_curve(found.made.curve, found.made.player, folder / f"{found.entry.id}.png")
