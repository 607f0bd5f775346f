"""How strong an agent is: every row of one table, continued where it was interrupted."""

import re
from argparse import Namespace
from pathlib import Path
from typing import Any

from baycarp.agents.registry import DEFAULT
from baycarp.cli.options import CLUSTER, JSON, WORKERS, flag, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from baycarp.errors import BaycarpError, TableError
from experiments.options import share
from experiments.spent import spent, worked
from experiments.strength.line import Line
from experiments.strength.rows import SECTIONS, Row, Section

__all__ = ["add", "run"]


add = options(
    JSON,
    WORKERS,
    CLUSTER,
    option("--agent", default=DEFAULT, help=f"that is judged (default: {DEFAULT})"),
    option("--only", nargs="+", default=[], metavar="WORDS", help="rows and sections with some of these"),
    option("--share", type=share, default=1.0, help="of the hands of each row: less is a first look"),
    option("--out", type=Path, default=Path("strength"), metavar="FOLDER", help="continued there"),
    flag("--list", "the names of the rows, without playing"),
)

HEADS = ("hands", "unit", "agent", "best rival", "wins", "agent more")
WIDTH = 160
"""Columns that the tables need."""


def run(args: Namespace) -> int:
    """Do what the folder lacks, row by row, and print each section; 3 where a row could not be played."""
    wanted = [(section, rows) for section in SECTIONS if (rows := _wanted(section, args.only))]
    if not wanted:
        raise TableError(f"--only {' '.join(args.only)!r:.80}: expected words of a row of --list")
    if args.list:
        print("\n".join(f"{section.name}: {row.name}" for section, rows in wanted for row in rows))
        return 0
    records: list[dict[str, Any]] = []
    for section, rows in wanted:
        done = [{"section": section.name, "row": row.name} | _done(args, row) for row in rows]
        records += done
        if not args.json:
            _print(section, done)
    hours = sum(record["hours"] for record in records)
    if args.json:
        lines = [record | {"lines": [line.to_dict() for line in record["lines"]]} for record in records]
        print(as_json({"agent": args.agent, "share": args.share, "hours": hours, "rows": lines}))
    else:
        print(f"{args.agent}: {hours:.2f} core-hours, with those of interrupted runs; 95 % intervals")
    return 3 if any(record["refused"] for record in records) else 0


def _wanted(section: Section, words: list[str]) -> list[Row]:
    """The rows of a section whose name, or that of the section, has one of some words; all without words.

    A whole name means no other row that has it in its name.
    """
    whole = {row.name for each in SECTIONS for row in each.rows}
    named = ((f"{section.name}: {row.name}", row) for row in section.rows)
    return [
        row
        for name, row in named
        if not words or any(each == row.name if each in whole else each in name for each in words)
    ]


def _done(args: Namespace, row: Row) -> dict[str, Any]:
    """The lines of a row and its cost; or why it cannot be played."""
    folder, before = args.out / re.sub(r"\W+", "-", row.name).strip("-"), worked()
    lines: tuple[Line, ...] = ()
    refused = ""
    try:
        plan = row.plan(args.agent, args.share)
        with workers_of(args) as workers, progress(row.name, plan.units[1]) as tick:
            lines = plan.run(folder, workers, tick)
    except BaycarpError as error:
        refused = str(error)
    finally:
        hours = spent(folder, (worked() - before) / 3600)
    return {"lines": lines, "refused": refused, "hours": hours}


def _print(section: Section, records: list[dict[str, Any]]) -> None:
    words = ("row", "part", "unit", "best rival")
    table = grid("row", "part", *HEADS, "core-hours", words=words, title=section.name)
    table.caption = f"goal: {section.goal}"
    for record in records:
        for place, line in enumerate(record["lines"]):
            cost = "" if place else f"{record['hours']:.3f}"
            table.add_row("" if place else record["row"], *line.cells(), cost)
    screen = console(WIDTH)
    screen.print(table)
    for record in records:
        if record["refused"]:
            screen.print(f"{record['row']}: not played: {record['refused']}", markup=False)
