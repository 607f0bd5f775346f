"""Rows of the table of gates: what was wanted, what a journal holds, and what was found."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from baycarp.arena.journal import Journal
from experiments.gates.gate import FINDINGS, Gate, Result
from experiments.gates.parts import parts, run_parts

__all__ = ["COLUMNS", "Row", "cells", "fill", "markdown", "rows"]

COLUMNS = ("gate", "unit", "wanted", "done", *FINDINGS, "CPU s")


@dataclass(frozen=True, slots=True)
class Row:
    """A gate with what was done of it.

    Parameters
    ----------
    gate
        The gate.
    wanted
        Items at the scale of the run.
    hint
        Why it cannot run here; empty = it can.
    result
        The sum over its parts.
    """

    gate: Gate
    wanted: int
    hint: str
    result: Result = field(default_factory=Result)

    @property
    def sound(self) -> bool:
        """Whether nothing was found in what was done."""
        return not self.result.found.total()

    def to_dict(self) -> dict[str, Any]:
        """Everything, in what JSON can hold."""
        found = {kind: self.result.found[kind] for kind in FINDINGS}
        head = {"gate": self.gate.name, "unit": self.gate.unit, "wanted": self.wanted, "hint": self.hint}
        return head | vars(self.result) | {"found": found}


def fill(
    gates: Sequence[Gate], scale: float, journal: Journal, workers: int, tick: Callable[[float], None]
) -> None:
    """Run the parts that the journal lacks; ``tick`` receives the expected seconds of what is done.

    An interruption loses the parts under way, and no other.
    """
    seed = journal.header["seed"]
    wanted = [part for gate in gates if not gate.missing() for part in parts(gate, scale, seed)]
    done = sum(part.cost for part in wanted if part.key in journal.records)
    tick(done)
    lacking = [part for part in wanted if part.key not in journal.records]
    with closing(run_parts(lacking, workers)) as finished:
        for part, result in finished:
            journal.append(part.key, vars(result))
            done += part.cost
            tick(done)


def rows(gates: Iterable[Gate], scale: float, journal: Journal) -> Iterator[Row]:
    """The rows of gates at a scale, from all that the journal holds up to it; no item is counted twice."""
    for gate in gates:
        row = Row(gate, parts(gate, scale, 0)[-1].stop, gate.missing())
        spans = [key[1:] for key in journal.records if key[0] == gate.name and int(key[2]) <= row.wanted]
        end = 0
        for start, stop in sorted(spans, key=lambda span: (span[0], -int(span[1]))):
            if int(start) >= end:
                row.result.add(Result.from_dict(journal.records[gate.name, start, stop]))
                end = int(stop)
        yield row


def cells(row: Row) -> list[str]:
    """A row as text, one entry a column."""
    numbers = [row.result.found[kind] for kind in FINDINGS]
    if not row.result.done:
        return [row.gate.name, row.gate.unit, f"{row.wanted:,}", row.hint or "0", *"-----", "-"]
    counts = [row.wanted, row.result.done, *numbers, round(row.result.cpu)]
    return [row.gate.name, row.gate.unit, *(f"{count:,}" for count in counts)]


def markdown(table: Iterable[Row]) -> str:
    """The table for the documentation, with the other counts and the first finding of each row under it."""
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * 2}{' --: |' * (len(COLUMNS) - 2)}"]
    notes = []
    for row in table:
        lines.append(f"| {' | '.join(cells(row))} |")
        if row.result.counts:
            counts = ", ".join(f"{what} {number:,}" for what, number in sorted(row.result.counts.items()))
            notes.append(f"- {row.gate.name}: {counts}.")
        notes += [f"- {row.gate.name}: `{example.replace('`', ' ')}`" for example in row.result.examples[:1]]
    return "\n".join([*lines, "", *notes, ""])
