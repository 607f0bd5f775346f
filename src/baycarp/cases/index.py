"""Cells for the retrieval kernel: FAISS partitions, the kernel makes the answer exact.

An inverted-file index is trained on the numbers, each scaled by the slope of its loss where the difference is
0 (weight * k / max of an exponential, weight / max of a linear one), because there the nearest cases are
decided. Its inverted lists are the cells; the least box around each is what the kernel bounds. Which case
lies where only changes how many rows are looked at, so the index is derived from the cases, and never stored.
"""

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.schema import Schema
from baycarp.kernels.similarity import STATES, Cells

__all__ = ["LEAST", "partition"]

LEAST = 2_000
"""Fewer cases than these are scanned faster than cells are bounded."""


def partition(schema: Schema, numbers: NDArray[np.float32], codes: NDArray[np.uint8]) -> Cells | None:
    """Sort cases into about 2 sqrt(n) cells.

    Parameters
    ----------
    schema
        Says what each number weighs.
    numbers, codes
        float32, shape (numbers, n), and uint8, shape (slots, n).

    Returns
    -------
    The cells, or None where a scan is better: fewer than ``LEAST`` cases, or no numbers to tell them apart.
    """
    if numbers.shape[1] < LEAST or not len(schema.numbers):
        return None
    lists = _inverted_lists(np.ascontiguousarray((numbers * _slopes(schema)[:, None]).T))
    order = np.concatenate(lists).astype(np.int32)
    starts = np.cumsum([0, *map(len, lists)])
    numbers, codes = numbers[:, order], codes[:, order]
    bits = np.uint32(1) << (codes % STATES).astype(np.uint32)
    return Cells(
        _blocks(numbers, starts),
        _blocks(codes, starts),
        order,
        starts,
        np.minimum.reduceat(numbers, starts[:-1], axis=1),
        np.maximum.reduceat(numbers, starts[:-1], axis=1),
        np.bitwise_or.reduceat(bits, starts[:-1], axis=1),
    )


def _blocks(columns: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Each cell a block of its own, so that opening one touches memory in one place."""
    return np.concatenate([columns[:, a:b].ravel() for a, b in itertools.pairwise(starts)])


def _slopes(schema: Schema) -> NDArray[np.float32]:
    slopes = (
        weight * (scale.k or 1.0) / scale.max
        for weight, scale in zip(schema.weights, schema.scales, strict=False)
    )
    return np.array(list(slopes), np.float32)


def _inverted_lists(rows: NDArray[np.float32]) -> list[NDArray[np.int64]]:
    """The rows of each cell, in order, by k-means: seeded, one thread, so equal rows give equal cells."""
    import faiss

    n, dimensions = rows.shape
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # counts for the calling thread alone
    try:
        index = faiss.IndexIVFFlat(faiss.IndexFlatL2(dimensions), dimensions, 2 * math.isqrt(n))
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
