"""Neighbours over numbers and categories: ``python -m benchmarks cases``; in a clone beside FAISS and cbrkit.

The cases are synthetic: ten numbers of 0..1 and four categories, in clumps, as tables of measurements are. A
query is a case that is not stored. The 20 most similar are retrieved, in one thread.
"""

import statistics
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import CaseBase, Feature, Linear, Nested, Retrieved, Schema, Situation, retrieve
from baycarp.cli.options import JSON, count, option, options
from benchmarks.parts.clock import seconds
from benchmarks.parts.goal import Goal, printing
from benchmarks.parts.rivals import rivals

__all__ = ["SCHEMA", "SIZES", "TOP", "Drawn", "add", "goals"]

NUMBERS, CATEGORIES = 10, 4
SIZES = (30_000, 1_000_000)
TOP = 20

SCHEMA = Schema(
    "mixed",
    (
        *(Feature(f"number {i}", 1, Linear(max=1)) for i in range(NUMBERS)),
        *(Feature(f"category {i}", 1, Nested((1.0,))) for i in range(CATEGORIES)),
    ),
    ("case",),
    threshold=0,
)

add = options(JSON, option("--size", type=count, default=SIZES[-1], help="the largest number of cases"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cases: float32 of shape (n, numbers), integer categories of shape (n, categories)."""

    numbers: NDArray[np.float32]
    categories: NDArray[np.int64]

    @property
    def situations(self) -> list[Situation]:
        """The cases as queries."""
        none = np.empty(0, np.uint8), np.empty(0)
        pairs = zip(self.numbers, self.categories.astype(str).tolist(), strict=True)
        return [Situation(row, *none, tuple(texts)) for row, texts in pairs]


def goals(args: Namespace) -> Iterator[Goal]:
    """Measure size by size."""
    compare = rivals("cases")
    for size in (size for size in SIZES if size <= args.size):
        cases, asked = draw(size, seed=1), draw(100, seed=2)
        casebase = stored(cases)
        works = [partial(top, casebase, situation) for situation in asked.situations]
        times = [1e3 * seconds(work) for _ in range(5) for work in works]
        label = f"top {TOP} of {size:,}"
        yield Goal(f"{label}: p50", statistics.median(times), "ms")
        yield Goal(f"{label}: p99", float(np.percentile(times, 99)), "ms")
        yield from compare(casebase, cases, asked, label)


def top(casebase: CaseBase, query: Situation) -> Retrieved:
    """The most similar cases."""
    return retrieve(casebase, query, at_least=0.0, at_most=TOP)


def draw(n: int, seed: int) -> Drawn:
    """Cases of 400 clumps, the same for every seed; one category in ten is drawn evenly."""
    clumps, rng = np.random.default_rng(0), np.random.default_rng(seed)
    centres = clumps.random((400, NUMBERS))
    kinds = clumps.integers(0, 5, (400, CATEGORIES))
    which = rng.integers(0, 400, n)
    numbers = np.clip(centres[which] + rng.normal(0, 0.06, (n, NUMBERS)), 0, 1)
    other = rng.random((n, CATEGORIES)) < 0.1
    categories = np.where(other, rng.integers(0, 5, (n, CATEGORIES)), kinds[which])
    return Drawn(np.ascontiguousarray(numbers, np.float32), categories)


def stored(cases: Drawn) -> CaseBase:
    """An indexed case-base of the cases."""
    casebase, n = CaseBase(SCHEMA), len(cases.numbers)
    casebase.extend_columns(
        {
            "numbers": np.ascontiguousarray(cases.numbers.T),
            "codes": np.empty((0, n), np.uint8),
            "solutions": np.zeros(n, np.uint8),
            "outcomes": np.zeros(n),
            "provenance": np.zeros(n, SCHEMA.origin),
            "symbols": cases.categories.T.astype(str),
        }
    )
    casebase.fold_in()
    return casebase


run = printing(goals)
