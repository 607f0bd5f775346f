"""Kills, failing disks, deadlines, fuzzing and sanitizers: the package under conditions that no test makes.

Damaged messages, files, command lines, arguments and random hands are properties of ``tests/robustness``:
``python -m pytest tests/robustness``, with ``--hypothesis-profile=large`` for hours.
"""

from argparse import Namespace
from collections.abc import Sequence

from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers
from baycarp.cli.options import JSON, SEEDED, folder, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.errors import TableError
from benchmarks.parts.goal import MISSED
from experiments.gates.clone import commit
from experiments.gates.gate import Gate
from experiments.gates.gates import GATES
from experiments.gates.table import COLUMNS, Row, cells, fill, rows
from experiments.options import ONE_WORKER, share

__all__ = ["add", "run"]

WIDTH = 132
"""Characters that a row of the table takes."""


add = options(
    option("--only", default="", metavar="WORD", help="gates with this in their name"),
    option("--scale", type=share, default=1.0, help="share of the size of each gate, to 1"),
    option("--list", action="store_true", help="print the gates with their expected core-minutes alone"),
    SEEDED,
    ONE_WORKER,
    folder("robustness", "folder of the journal: the same command goes on after an interruption"),
    JSON,
)


def run(args: Namespace) -> int:
    """Run what the journal lacks, and print the table; 3 when something was found."""
    gates = [gate for gate in GATES if args.only.lower() in gate.name.lower()]
    if not gates:
        raise TableError(f"--only {args.only!r}: expected a word of {', '.join(g.name for g in GATES)}")
    if args.list:
        _list(gates, args.scale)
        return 0
    cost = sum(gate.seconds(args.scale) for gate in gates if not gate.missing())
    header = {"gates": 4, "seed": args.seed, "commit": commit()}
    with Journal(args.out / "gates.journal", header) as journal:
        try:
            with progress("expected CPU seconds", max(1, round(cost))) as tick:
                fill(gates, args.scale, journal, Workers(args.workers), lambda done: tick(round(done)))
        finally:  # an interrupted run shows what it has
            table = list(rows(gates, args.scale, journal))
            _show(table, args.json)
    return 0 if all(row.sound for row in table) else MISSED


def _list(gates: Sequence[Gate], scale: float) -> None:
    lines = grid("gate", "items", "core-minutes", "missing", words=("gate", "missing"))
    for gate in gates:
        items, minutes = gate.shares(scale, 0)[-1].stop, gate.seconds(scale) / 60
        lines.add_row(gate.name, f"{items:,} {gate.unit}", f"{minutes:.1f}", gate.missing())
    console(WIDTH).print(lines)
    print(f"{sum(gate.seconds(scale) for gate in gates) / 60:.0f} core-minutes in all")


def _show(table: Sequence[Row], json: bool) -> None:
    if json:
        for row in table:
            print(as_json(row.to_dict()))
        return
    lines = grid(COLUMNS[0], *COLUMNS[2:], title="gates")
    for row in table:
        name, _unit, *numbers = cells(row)
        lines.add_row(name, *numbers)
    screen = console(WIDTH)
    screen.print(lines)
    for row in table:
        for example in row.result.examples:
            screen.print(f"{row.gate.name}: {example}", markup=False, highlight=False, soft_wrap=True)
