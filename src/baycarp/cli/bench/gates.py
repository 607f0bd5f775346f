"""The gates at full size: ``baycarp bench robustness --full``."""

from argparse import Namespace
from collections.abc import Sequence

from baycarp.arena.journal import Journal
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.errors import TableError
from baycarp.files import write_whole
from baycarp.study.robustness.gates import GATES
from baycarp.study.robustness.parts import parts
from baycarp.study.robustness.rows import COLUMNS, Row, cells, fill, markdown, rows

__all__ = ["run"]

WIDTH = 120
"""Characters that a row of the table takes."""


def run(args: Namespace) -> int:
    """Run what the journal in ``args.out`` lacks, print the table; 1 when something was found."""
    gates = [gate for gate in GATES if args.only.lower() in gate.name.lower()]
    if not gates:
        raise TableError(f"--only {args.only!r}: expected a word of {', '.join(g.name for g in GATES)}")
    cost = sum(part.cost for gate in gates if not gate.missing() for part in parts(gate, args.scale, 0))
    with Journal(args.out / "gates.journal", {"gates": 1, "seed": args.seed}) as journal:
        try:
            with progress("expected CPU seconds", max(1, round(cost))) as tick:
                fill(gates, args.scale, journal, args.workers, lambda done: tick(round(done)))
        finally:  # an interrupted run shows what it has, and goes on when it is run again
            table = list(rows(gates, args.scale, journal))
            _show(table, args.json)
            write_whole(args.out / "table.md", markdown(table))
    return 0 if all(row.sound for row in table) else 1


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
