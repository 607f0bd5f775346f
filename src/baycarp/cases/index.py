"""Cells for the retrieval kernel: FAISS partitions the cases, the kernel computes the exact answer.

An inverted-file index is trained on the numbers, each scaled by the slope of its loss where the difference is
0 (weight * k / max of an exponential, weight / max of a linear one), because there the nearest cases are
decided. Its inverted lists are the cells. Each is halved, again and again, in the number that varies most in
it, until no part has more than ``RUN`` cases: the runs. The kernel packs them, and bounds the least box
around each. The numbers that many cases begin with, they share as a stem.

FAISS ends the process where a distance is not finite: scaled values are clipped to -1e15 .. 1e15.

The places of the cases only change the number of rows that are compared, so the index is derived from the
cases, and never stored.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.schema import FARTHEST, Schema
from baycarp.kernels.similarity import RUN, Cells

__all__ = ["LEAST", "partition"]

LEAST = 2_000
"""Fewer cases than these are scanned faster than cells are bounded."""

SAMPLE = 4_096
"""Cases of the sample from which the length of a stem is estimated."""

MANY = 100_000
"""From so many cases on, enough share a stem: their bounds take its loss from a table."""

MOST_STEMS = 1 << 16
"""A case keeps the number of its stem in two bytes."""


def partition(
    schema: Schema,
    numbers: NDArray[np.float32],
    codes: NDArray[np.uint8],
    symbols: NDArray[np.uint32] | None = None,
    settled: tuple[NDArray[np.uint8], NDArray[np.float64]] | None = None,
) -> Cells | None:
    """Sort cases into about sqrt(n) cells, and these into runs.

    Parameters
    ----------
    schema
        Gives the weight of each number.
    numbers, codes
        float32, shape (numbers, n), and uint8, shape (slots, n).
    symbols
        uint32, shape (symbols, n), where the schema has symbols; the cells only carry them.
    settled
        Solutions and outcomes, uint8 and float64, shape (n,); None = merged cases, whose sums change.

    Returns
    -------
    The cells, or None where a scan is better: fewer than ``LEAST`` cases, or no numbers that differ.
    """
    if numbers.shape[1] < LEAST or not len(schema.numbers):
        return None
    with np.errstate(over="ignore"):
        scaled = np.clip(numbers * _slopes(schema)[:, None], -FARTHEST, FARTHEST)
    lists = _inverted_lists(np.ascontiguousarray(scaled.T))
    edges = np.cumsum([0, *map(len, lists)])
    order = _halved(scaled, np.concatenate(lists), edges).astype(np.int32)
    parts = -(-np.diff(edges) // RUN)
    cells = np.cumsum([0, *parts])
    runs = np.repeat(edges[:-1] - RUN * cells[:-1], parts) + RUN * np.arange(cells[-1])
    starts = np.append(runs, len(order))
    columns = np.ascontiguousarray(numbers), np.ascontiguousarray(codes)
    named = None if symbols is None else np.ascontiguousarray(symbols)
    stems, by_stem = _stems(numbers, scaled), len(order) >= MANY
    return Cells(cells.astype(np.int32), starts, order, *columns, *stems, by_stem, named, settled)


def _stems(
    numbers: NDArray[np.float32], scaled: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """The different values of the first numbers, the stems, column by column, and the stem of each case.

    Players, bets and odds have a few hundred combinations, while strengths rarely repeat: the kernel weighs
    each combination once. As many numbers are taken as few combinations allow. Stems are sorted by the number
    that varies most first, because the kernel computes the losses of near ones together.
    """
    n, length = numbers.shape[1], 0
    keys = np.zeros(n, np.uint64)
    sample = slice(None, None, max(1, n // SAMPLE))
    for row in numbers:
        longer = (keys ^ row.view(np.uint32)) * np.uint64(0x9E3779B97F4A7C15)
        longer ^= longer >> np.uint64(29)
        if len(np.unique(longer[sample])) > len(keys[sample]) // 4:
            break
        keys = longer
        length = length + 1
    _, first, stem_of = np.unique(keys, return_index=True, return_inverse=True)
    if not length or len(first) > min(MOST_STEMS, n // 4):
        return _no_stems(n)
    order = np.lexsort(numbers[np.argsort(scaled[:length].std(axis=1), kind="stable")][:, first])
    stems = numbers[:length, first[order]]
    stem_of = np.argsort(order)[stem_of]
    if np.any(numbers[:length] != stems[:, stem_of]):  # two have the same key
        return _no_stems(n)
    return np.ascontiguousarray(stems), stem_of.astype(np.uint16)


def _no_stems(n: int) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    return np.empty((0, 1), np.float32), np.zeros(n, np.uint16)


def _halved(
    scaled: NDArray[np.float32], order: NDArray[np.int64], edges: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sort the cases of each cell so that its runs lie together: all parts that are too long, at once."""
    while (long := (sizes := np.diff(edges)) > RUN).any():
        places = np.flatnonzero(np.repeat(long, sizes))
        rows, sizes = scaled[:, order[places]], sizes[long]
        begins = np.cumsum([0, *sizes[:-1]])
        lowest, highest = (f.reduceat(rows, begins, axis=1) for f in (np.minimum, np.maximum))
        widest = (spread := highest - lowest).argmax(axis=0)
        part = np.repeat(np.arange(len(sizes)), sizes)
        each = np.arange(len(sizes))
        along = rows[widest[part], np.arange(len(places))] - lowest[widest, each][part]
        share = along / np.maximum(1.001 * spread[widest, each].astype(np.float64), 1e-30)[part]
        order[places] = order[places[np.argsort(part + share, kind="stable")]]
        edges = np.union1d(edges, edges[:-1][long] + RUN * -(-sizes // (2 * RUN)))
    return order


def _slopes(schema: Schema) -> NDArray[np.float32]:
    slopes = (
        weight * (scale.k or 1.0) / scale.max
        for weight, scale in zip(schema.weights, schema.scales, strict=False)
    )
    return np.clip(list(slopes), 0, FARTHEST).astype(np.float32)


def _inverted_lists(rows: NDArray[np.float32]) -> list[NDArray[np.int64]]:
    """The rows of each cell, in order, by k-means: seeded, one thread, so equal rows give equal cells."""
    import faiss

    n, dimensions = rows.shape
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # counts for the calling thread alone
    try:
        index = faiss.IndexIVFFlat(faiss.IndexFlatL2(dimensions), dimensions, math.isqrt(n))
        index.cp.niter = 8
        index.cp.max_points_per_centroid = 64
        index.cp.min_points_per_centroid = 1
        index.train(rows)
        index.add(rows)
    finally:
        faiss.omp_set_num_threads(threads)
    stored: Any = index.invlists
    lists = (
        faiss.rev_swig_ptr(stored.get_ids(cell), stored.list_size(cell)).copy()
        for cell in range(index.nlist)
        if stored.list_size(cell)
    )
    return list(lists)
