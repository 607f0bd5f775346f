"""Elimination in numbers of a wider range than float64, for evidence that is too unlikely for it.

Each number has an exponent of two of its own, so that no product underflows. The steps are those of the
kernel, in NumPy: exact to rounding, and some five hundred times slower.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.kernels.elimination import CONSTANTS, MESSAGES, SOFT, TABLES, Step

__all__ = ["Wide", "WideProgram", "offsets", "places", "times", "underflows", "wide"]

Array = NDArray[np.float64]
Places = NDArray[np.int64]

NOTHING = -(2**40)
"""The exponent of 0, below that of any product."""

LEAST = -899
"""The kernel is exact for probabilities from two to this power on (``BC_LEAST``, and a rounding)."""

CELLS = 2**18
"""Cells of a step that are multiplied at once, and numbers of the messages of rows that run together."""


class Wide(NamedTuple):
    """Numbers of 0 or 0.5 to 1, each times two to the power of its exponent."""

    numbers: Array
    exponents: Places

    def scaled(self) -> tuple[Array, Places]:
        """The numbers along the last axis with one exponent, that of the largest; the exponent."""
        most = self.exponents.max(axis=-1)
        shift = np.maximum(self.exponents - most[..., None], -2200).astype(np.int32)
        with np.errstate(under="ignore"):
            return np.ldexp(self.numbers, shift), most

    def total(self) -> "Wide":
        """The sum along the last axis."""
        numbers, exponents = self.scaled()
        return times(wide(numbers.sum(axis=-1)), exponents)

    def log(self) -> Array:
        """Natural logarithms; -inf of 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.numbers) + self.exponents * np.log(2))


def wide(values: Array) -> Wide:
    """Finite numbers of at least 0."""
    numbers, exponents = np.frexp(values)
    return Wide(numbers, np.where(numbers > 0, exponents.astype(np.int64), NOTHING))


def underflows(tables: Iterable[Array]) -> bool:
    """Whether a product of one number above 0 of each table may be too small for float64."""
    return sum(math.log2(table[table > 0].min()) for table in tables) < LEAST


def times(some: Wide, by: "Wide | Places") -> Wide:
    """The product, number by number, with other numbers or with powers of two."""
    if not isinstance(by, Wide):
        return Wide(some.numbers, np.where(some.numbers > 0, some.exponents + by, NOTHING))
    return times(wide(some.numbers * by.numbers), some.exponents + by.exponents)


class WideProgram:
    """The steps of a ``Program`` and of the one that computes its constants."""

    def __init__(
        self, tables: Array, before: Sequence[Step], steps: Sequence[Step], answers: Sequence[tuple[int, int]]
    ) -> None:
        self._tables, self._before, self._steps, self._answers = tables, before, steps, answers

    @cached_property
    def _fixed(self) -> dict[int, Wide]:
        """The tables and the constants, one row of each."""
        memory = {TABLES: wide(self._tables[None])}
        none = np.empty((1, 0), np.int64)
        return {**memory, CONSTANTS: _messages(self._before, memory, none)}

    def run(self, codes: NDArray[np.integer], soft: Array) -> tuple[Array, Wide]:
        """Marginals, shape (n, width), and probabilities of rows of evidence, shape (n,).

        A marginal of impossible evidence is all 0, and so is the probability.
        """
        size = sum(step[3] for step in self._steps)
        together = max(CELLS // max(size, 1), 1)
        values = np.zeros((len(codes), sum(size for _, size in self._answers)))
        numbers, exponents = np.zeros(len(codes)), np.zeros(len(codes), np.int64)
        for top in range(0, len(codes), together):
            rows = slice(top, top + together)
            memory = {**self._fixed, SOFT: wide(soft[rows])}
            found = _messages(self._steps, memory, codes[rows].astype(np.int64))
            values[rows], of = self._answer(found)
            numbers[rows], exponents[rows] = of
        return values, Wide(numbers, exponents)

    def _answer(self, messages: Wide) -> tuple[Array, Wide]:
        values, totals = [], []
        for first, size in self._answers:
            own = slice(first, first + size)
            numbers, exponents = Wide(messages.numbers[:, own], messages.exponents[:, own]).scaled()
            total = numbers.sum(axis=1)
            values.append(numbers / np.where(total > 0, total, 1)[:, None])
            totals.append((total, exponents))
        possible = np.all([total > 0 for total, _ in totals], axis=0)
        total, exponents = totals[0]
        return np.hstack(values), Wide(np.where(possible, total, 0.0), np.where(possible, exponents, 0))


def _messages(steps: Sequence[Step], memory: dict[int, Wide], codes: Places) -> Wide:
    """All messages of rows of evidence, one after the other."""
    n, size = len(codes), sum(step[3] for step in steps)
    made = Wide(np.zeros((n, size)), np.full((n, size), NOTHING))
    memory = {**memory, MESSAGES: made}
    for lengths, strides, first, _, factors in steps:
        kept = [d for d, stride in enumerate(strides) if stride]
        summed = [d for d, stride in enumerate(strides) if not stride]
        states = int(np.prod([lengths[d] for d in summed]))
        for at in _indices([lengths[d] for d in kept], max(CELLS // (n * states), 1)):
            product = Wide(np.full((1, 1, 1), 0.5), np.ones((1, 1, 1), np.int64))
            for kind, start, by, slices in factors:
                over = places(start, slices, codes)
                down = _along([by[d] for d in kept], at)
                across = offsets([lengths[d] for d in summed], [by[d] for d in summed])
                product = times(product, _taken(memory[kind], over[:, None, None] + down[:, None] + across))
            cells = first + _along([strides[d] for d in kept], at)
            made.numbers[:, cells], made.exponents[:, cells] = product.total()
    return made


def _taken(memory: Wide, at: Places) -> Wide:
    """The numbers at some places of each row; a memory of one row is that of all."""
    rows, width = memory.numbers.shape
    flat = at if rows == 1 else at + (np.arange(rows) * width)[:, None, None]
    return Wide(memory.numbers.ravel()[flat], memory.exponents.ravel()[flat])


def _indices(lengths: Sequence[int], n: int) -> Iterator[tuple[Places, ...]]:
    """The indices of all cells of some loops, ``n`` cells at a time."""
    cells = int(np.prod(lengths))
    for top in range(0, cells, n):
        inside = np.arange(top, min(top + n, cells))
        yield np.unravel_index(inside, lengths) if lengths else (inside,)


def _along(strides: Sequence[int], at: Sequence[Places]) -> Places:
    out = np.zeros(len(at[0]), np.int64)
    for stride, index in zip(strides, at, strict=False):
        out += stride * index
    return out


def places(first: int, slices: Sequence[tuple[int, int]], codes: NDArray[np.integer]) -> Places:
    """The first place of a factor in each row of evidence."""
    out = np.full(len(codes), first, np.int64)
    for observed, stride in slices:
        out += codes[:, observed].astype(np.int64) * stride
    return out


def offsets(lengths: Sequence[int], strides: Sequence[int]) -> Places:
    """The places of all cells of some loops, the last fastest."""
    out = np.zeros(1, np.int64)
    for length, stride in zip(lengths, strides, strict=True):
        out = (out[:, None] + np.arange(length) * stride).ravel()
    return out
