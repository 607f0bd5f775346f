"""Malformed messages for every parser, and random hands: ``python -m experiments robustness``.

``--full`` runs all gates of ``experiments.gates.gates`` at their full size instead, in parts that a
journal records.
"""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from baycarp.arena.journal import Journal
from baycarp.cli.options import SEEDED, flag, folder, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.errors import TableError
from baycarp.files import write_whole
from benchmarks.parts.goal import MISSED
from experiments.gates.game_files import KINDS
from experiments.gates.gate import Gate
from experiments.gates.gates import GATES
from experiments.gates.parts import parts
from experiments.gates.rows import COLUMNS, Row, cells, fill, markdown, rows
from experiments.options import JSON, ONE_WORKER

__all__ = ["add", "run"]

WIDTH = 120
"""Characters that a row of the table takes."""


def scale(text: str) -> float:
    """A share, above 0, at most 1."""
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ArgumentTypeError(f"{text!r}: expected a share above 0, at most 1")
    return share


add = options(
    JSON,
    ONE_WORKER,
    option("--messages", type=int, default=20_000, help="to each parser"),
    option("--random-hands", type=int, default=1_000_000, help="in all games together"),
    option("--only", default="", metavar="WORD", help="gates with this in their name"),
    SEEDED,
    flag("--full", "run all gates, for hours; the same command goes on after an interruption"),
    option("--scale", type=scale, default=1.0, help="with --full: share of the size of each gate, to 1"),
    folder("robustness", "with --full: folder of journal and table"),
)


def run(args: Namespace) -> int:
    """Run the gates, print the table; 1 when something was found."""
    gates = [gate for gate in GATES if args.only.lower() in gate.name.lower()]
    if not gates:
        raise TableError(f"--only {args.only!r}: expected a word of {', '.join(g.name for g in GATES)}")
    if args.full:
        return _run(args, gates, args.scale, args.out)
    with TemporaryDirectory() as out:
        return _run(args, list(_quick(args, gates)), 1.0, Path(out))


def _quick(args: Namespace, gates: Sequence[Gate]) -> Iterator[Gate]:
    """The gates of the quick form, by their sizes in the options; 0 = none."""
    sizes = {"messages": args.messages, "chips": -(-args.random_hands // len(KINDS))}
    for gate in gates:
        if size := sizes.get(gate.name.partition(":")[0]):
            yield replace(gate, size=size)


def _run(args: Namespace, gates: Sequence[Gate], scale: float, out: Path) -> int:
    """Run what the journal in ``out`` lacks."""
    cost = sum(part.cost for gate in gates if not gate.missing() for part in parts(gate, scale, 0))
    with Journal(out / "gates.journal", {"gates": 2, "seed": args.seed}) as journal:
        try:
            with progress("expected CPU seconds", max(1, round(cost))) as tick:
                fill(gates, scale, journal, args.workers, lambda done: tick(round(done)))
        finally:  # an interrupted run shows what it has, and goes on when it is run again
            table = list(rows(gates, scale, journal))
            _show(table, args.json)
            write_whole(out / "table.md", markdown(table))
    return 0 if all(row.sound for row in table) else MISSED


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
