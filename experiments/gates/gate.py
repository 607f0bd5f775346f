"""A gate: what is tried, how often, and what is counted.

A gate is a number of items (kills, faults, decisions, seconds). Item ``n`` depends on (seed, gate, n) alone,
so that parts of a gate are run in any order, by any number of processes.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

__all__ = ["FINDINGS", "NO_TRY", "Gate", "Result", "Share"]

FINDINGS = ("untyped", "crashes", "losses", "other", "slow")
"""What a gate can find: an error of another type than ``BaycarpError``; the end of a process; something that
was lost (acknowledged cases); other content than there was, or an action that no good player takes; more time
than allowed."""

NO_TRY = "not tried"
"""The count of items that put nothing to the test, such as a fault beyond the last call."""

EXAMPLES, LONGEST = 5, 240
"""Findings of a gate that are recorded in words, and characters of each."""


@dataclass(frozen=True, slots=True)
class Share:
    """Items ``start`` to ``stop`` of a gate; iteration gives their numbers.

    Parameters
    ----------
    start, stop
        As of ``range``.
    seed
        With an item's number it fixes the item.
    """

    start: int
    stop: int
    seed: int = 1

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.stop))

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """First item and number of items of each block of at most ``size`` items."""
        for number in range(self.start, self.stop, size):
            yield number, min(size, self.stop - number)


@dataclass
class Result:
    """What was done of a gate, and what was found.

    Parameters
    ----------
    done
        Items.
    found
        By kind, one of ``FINDINGS``.
    counts
        Of everything else that is worth a number.
    examples
        The first findings, in words.
    cpu
        Seconds of processor time, child processes included.
    """

    done: int = 0
    found: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    cpu: float = 0.0

    @property
    def tries(self) -> int:
        """Items that put something to the test."""
        return self.done - self.counts[NO_TRY]

    @property
    def excluded(self) -> float:
        """The rate of findings that none in so many tries excludes at 95 %, as items are drawn."""
        return 3 / self.tries if self.tries and not self.found.total() else 1.0

    def find(self, kind: str, what: str) -> None:
        """Count a finding; the first few are recorded."""
        assert kind in FINDINGS
        self.found[kind] += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(f"{kind}: {what}"[:LONGEST])

    def add(self, other: "Result") -> None:
        """Add what another share of the gate gave."""
        self.done += other.done
        self.found += other.found
        self.counts += other.counts
        self.examples += other.examples[: EXAMPLES - len(self.examples)]
        self.cpu += other.cpu

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """From its fields as JSON holds them."""
        return cls(**data | {"found": Counter(data["found"]), "counts": Counter(data["counts"])})


def _ready() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Gate:
    """What is tried, and how often.

    Parameters
    ----------
    name
        The row's title.
    unit
        What an item is, in the plural.
    size
        Items at full size.
    part
        Items of one part: what is recorded at once, and lost by an interruption.
    run
        Runs a share.
    planted
        Runs a share with a fault of the gate's class planted, which it must find before anything else is run.
    trial
        Items of that share.
    cost
        Expected seconds an item, for the expected time.
    missing
        Gives one line about what must be there first; empty = it can run.
    start
        Expected seconds of a part beside its items: imports, and what all of them share.
    """

    name: str
    unit: str
    size: int
    part: int
    run: Callable[[Share], Result]
    planted: Callable[[Share], Result]
    trial: int
    cost: float
    missing: Callable[[], str] = _ready
    start: float = 0.0

    def shares(self, scale: float, seed: int) -> list[Share]:
        """Its parts at a share of its size; a part that is whole is the same at every scale."""
        size = max(1, round(self.size * scale))
        return [Share(at, min(at + self.part, size), seed) for at in range(0, size, self.part)]

    def seconds(self, scale: float) -> float:
        """Expected seconds of processor time at a share of its size, with the start of each part."""
        shares = self.shares(scale, 0)
        return self.cost * (self.trial + shares[-1].stop) + self.start * (1 + len(shares))
