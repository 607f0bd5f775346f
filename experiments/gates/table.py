"""The table of gates: parts run into a journal, and the rows of what it holds."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers, in_order
from experiments.gates.gate import FINDINGS, Gate, Result, Share

__all__ = ["COLUMNS", "Row", "cells", "fill", "rows"]

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


Part = tuple[Gate, Share]


def fill(
    gates: Sequence[Gate], scale: float, journal: Journal, workers: Workers, tick: Callable[[float], None]
) -> None:
    """Run the parts that the journal lacks; ``tick`` receives the expected seconds of what is done.

    An interruption loses the parts under way, and no other.
    """
    seed = journal.header["seed"]
    parts = [(gate, share) for gate in gates if not gate.missing() for share in gate.shares(scale, seed)]
    lacking = [part for part in parts if _key(part) not in journal.records]
    done = sum(_cost(part) for part in parts if _key(part) in journal.records)
    tick(done)
    with closing(in_order(_run, lacking, workers)) as finished:
        for part, result in finished:
            journal.append(_key(part), vars(result))
            done += _cost(part)
            tick(done)


def _key(part: Part) -> tuple[str, int, int]:
    gate, share = part
    return gate.name, share.start, share.stop


def _cost(part: Part) -> float:
    gate, share = part
    return gate.cost * (share.stop - share.start)


def _run(part: Part) -> Result:
    gate, share = part
    began = sum(os.times()[:4])
    result = gate.run(share)
    result.cpu = sum(os.times()[:4]) - began
    return result


def rows(gates: Iterable[Gate], scale: float, journal: Journal) -> Iterator[Row]:
    """The rows of gates at a scale, from all that the journal holds up to it; no item is counted twice."""
    for gate in gates:
        row = Row(gate, gate.shares(scale, 0)[-1].stop, gate.missing())
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
