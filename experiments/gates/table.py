"""The table of gates: parts run into a journal, and the rows of what it holds."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from baycarp.arena.journal import Journal, Unit
from baycarp.arena.workers import Workers, in_order
from experiments.gates.gate import FINDINGS, Gate, Result, Share

__all__ = ["COLUMNS", "Row", "cells", "fill", "rows"]

COLUMNS = ("gate", "unit", "wanted", "tried", "planted", *FINDINGS, "3/n", "CPU s")
"""Of a row: planted is what was found of the planted fault, 3/n the rate that is excluded at 95 %."""

PLANTED = "planted"
"""The name of the part with the planted fault."""


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
    planted
        What was found of the planted fault; None = that part was not run.
    """

    gate: Gate
    wanted: int
    hint: str
    result: Result = field(default_factory=Result)
    planted: int | None = None

    @property
    def sound(self) -> bool:
        """Whether the planted fault was found, and nothing else."""
        return not self.result.found.total() and self.planted != 0

    def to_dict(self) -> dict[str, Any]:
        """Everything, in what JSON can hold."""
        found = {kind: self.result.found[kind] for kind in FINDINGS}
        head = {"gate": self.gate.name, "unit": self.gate.unit, "wanted": self.wanted, "hint": self.hint}
        head |= {"planted": self.planted, "tries": self.result.tries, "excluded": self.result.excluded}
        return head | vars(self.result) | {"found": found}


Part = tuple[Gate, Share | None]
"""A share of a gate; None = the part with the planted fault."""


def fill(
    gates: Sequence[Gate], scale: float, journal: Journal, workers: Workers, tick: Callable[[float], None]
) -> None:
    """Run the parts that the journal lacks; ``tick`` receives the expected seconds of what is done.

    The planted faults are looked for first; a gate that does not find its own is not run. An interruption
    loses the parts under way, and no other.
    """
    seed, ready = journal.header["seed"], [gate for gate in gates if not gate.missing()]
    shares: list[Part] = [(gate, share) for gate in ready for share in gate.shares(scale, seed)]
    done = 0.0
    planted: list[Part] = [(gate, None) for gate in ready]
    for wanted in (planted, shares):
        blind = {gate.name for gate in ready if _planted(gate, journal) == 0}
        parts = [part for part in wanted if part[0].name not in blind]
        lacking = [part for part in parts if _key(part) not in journal.records]
        done += sum(_cost(part) for part in parts if _key(part) in journal.records)
        tick(done)
        with closing(in_order(partial(_run, seed), lacking, workers)) as finished:
            for part, result in finished:
                journal.append(_key(part), vars(result))
                done += _cost(part)
                tick(done)


def _planted(gate: Gate, journal: Journal) -> int | None:
    """What was found of a gate's planted fault."""
    record = journal.records.get((gate.name, PLANTED))
    return None if record is None else Result.from_dict(record).found.total()


def _key(part: Part) -> Unit:
    gate, share = part
    return (gate.name, PLANTED) if share is None else (gate.name, share.start, share.stop)


def _cost(part: Part) -> float:
    gate, share = part
    return gate.start + gate.cost * (gate.trial if share is None else share.stop - share.start)


def _run(seed: int, part: Part) -> Result:
    gate, share = part
    began = sum(os.times()[:4])
    result = gate.planted(Share(0, gate.trial, seed)) if share is None else gate.run(share)
    result.cpu = sum(os.times()[:4]) - began
    return result


def rows(gates: Iterable[Gate], scale: float, journal: Journal) -> Iterator[Row]:
    """The rows of gates at a scale, from all that the journal holds up to it; no item is counted twice."""
    for gate in gates:
        row = Row(gate, gate.shares(scale, 0)[-1].stop, gate.missing(), planted=_planted(gate, journal))
        own = [key[1:] for key in journal.records if key[0] == gate.name and key[1] != PLANTED]
        spans = [span for span in own if int(span[1]) <= row.wanted]
        end = 0
        for start, stop in sorted(spans, key=lambda span: (span[0], -int(span[1]))):
            if int(start) >= end:
                row.result.add(Result.from_dict(journal.records[gate.name, start, stop]))
                end = int(stop)
        yield row


def cells(row: Row) -> list[str]:
    """A row as text, one entry a column."""
    planted = "-" if row.planted is None else f"{row.planted:,}"
    if not row.result.done:
        blind = "finds no planted fault" if row.planted == 0 else "0"
        return [
            row.gate.name,
            row.gate.unit,
            f"{row.wanted:,}",
            row.hint or blind,
            planted,
            *"-----",
            "-",
            "-",
        ]
    found = [f"{row.result.found[kind]:,}" for kind in FINDINGS]
    sizes = [f"{row.wanted:,}", f"{row.result.tries:,}", planted]
    return [
        row.gate.name,
        row.gate.unit,
        *sizes,
        *found,
        f"{row.result.excluded:.1e}",
        f"{row.result.cpu:,.0f}",
    ]
