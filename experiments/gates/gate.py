"""A gate: what is tried, how often, and what is counted.

A gate is a number of items (hands, messages, files, kills, seconds). Item ``n`` depends on (seed, gate, n)
alone, so that shares of a gate are run in any order, by any number of processes, with the same result.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from baycarp.errors import BaycarpError

__all__ = ["FINDINGS", "Gate", "Result", "Share"]

FINDINGS = ("untyped", "crashes", "losses", "other", "slow")
"""What a gate can find: an error of another type than ``BaycarpError``; the end of a process; something that
was lost (chips, acknowledged cases); other content than there was; more time than allowed."""

EXAMPLES, LONGEST = 5, 240
"""Findings of a gate that are recorded in words, and characters of each."""


class Place(Protocol):
    """Where the number of the current item stands, for the parent process."""

    value: int


@dataclass(slots=True)
class Nowhere:
    """A place that is not observed."""

    value: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """Items ``start`` to ``stop`` of a gate; iteration gives their numbers.

    Parameters
    ----------
    start, stop
        As of ``range``.
    seed
        With an item's number it fixes the item.
    place
        Holds the number of the current item, so that the item of a crash is known.
    """

    start: int
    stop: int
    seed: int = 1
    place: Place = field(default_factory=Nowhere)

    def __iter__(self) -> Iterator[int]:
        for number, _ in self.blocks(1):
            yield number

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """First item and number of items of each block of at most ``size`` items."""
        for number in range(self.start, self.stop, size):
            self.place.value = number
            yield number, min(size, self.stop - number)

    def __len__(self) -> int:
        return self.stop - self.start


def _is_typed(error: Exception) -> bool:
    return isinstance(error, BaycarpError)


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
        Of everything else that is worth a number: messages refused, files that were harmless.
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

    def find(self, kind: str, what: str) -> None:
        """Count a finding; the first few are recorded."""
        assert kind in FINDINGS
        self.found[kind] += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(f"{kind}: {what}"[:LONGEST])

    @contextmanager
    def errors(self, which: str, is_typed: Callable[[Exception], bool] = _is_typed) -> Iterator[None]:
        """A block whose typed errors are counted as refusals; any other error is a finding."""
        try:
            yield
        except Exception as error:
            if is_typed(error):
                self.counts["refused"] += 1
            else:
                self.find("untyped", f"{which}: {type(error).__name__}: {error}")

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
        Runs a share; it may end the process, which is counted.
    cost
        Expected seconds an item, for the expected time.
    missing
        Gives one line about what must be there first; empty = it can run.
    patience
        Seconds after which an item without an end is killed, and counted as slow.
    """

    name: str
    unit: str
    size: int
    part: int
    run: Callable[[Share], Result]
    cost: float
    missing: Callable[[], str] = _ready
    patience: float = 600.0
