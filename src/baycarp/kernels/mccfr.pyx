# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Monte Carlo counterfactual regret minimisation with external sampling, and the deals that it samples."""

cimport cython

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.simd cimport LEVEL

__all__ = ["DEAL", "FLOPS", "TURNS", "Dealer", "Sampling"]

FLOPS, TURNS = csrc.BC_FLOPS, csrc.BC_TURNS
DEAL = np.dtype([("cards", np.uint8, csrc.BC_DEALT), ("won", np.int8), ("buckets", np.uint16, (2, csrc.BC_STREETS))])
_MOST_DEALS = 1 << 24
_MOST_CELLS = 1 << 33

cdef enum:
    HOLDINGS = 1326
    STREETS = csrc.BC_STREETS


def _array(given, name, kind, shape, most=None):
    """A contiguous array of a shape, -1 for any length above 0, of numbers below ``most``."""
    array = np.ascontiguousarray(given)
    if array.ndim != len(shape) or any(b != -1 and a != b or not a for a, b in zip(array.shape, shape)):
        raise ArgumentError(f"{name}: expected shape {shape}, -1 for any length, got {array.shape}")
    if most is not None and not (array.dtype.kind in "iu" and array.min() >= 0 and array.max() < most):
        raise ArgumentError(f"{name}: expected whole numbers from 0 to below {most}")
    return np.ascontiguousarray(array, kind)


@cython.final
cdef class Dealer:
    cdef csrc.bc_bucket_tables c
    cdef readonly tuple counts
    cdef list _arrays

    def __init__(self, boards, holdings, buckets, edges, counts, recall):
        cdef const uint16_t[::1] row
        cdef const uint8_t[::1] renaming
        cdef const uint16_t[:, ::1] table
        cdef const double[::1] ends
        cdef int s
        self._arrays, made = [], [169]
        for s in range(3):
            self.c.count[s] = whole(counts[s], "buckets", 1, 65535)
            self.c.recall[s] = bool(recall[s])
            made.append(self.c.count[s] * (made[s] if recall[s] else 1))
        self.counts = tuple(made)
        if max(made) > 65536:
            raise ArgumentError(f"{max(made)} buckets of a street: expected at most 65536")
        for s in range(2):
            table = self._kept(_array(buckets[s], "buckets", np.uint16, (-1, HOLDINGS), self.c.count[s]))
            row = self._kept(_array(boards[s][0], "boards", np.uint16, ((FLOPS, TURNS)[s],), table.shape[0]))
            renaming = self._kept(_array(boards[s][1], "renamings", np.uint8, ((FLOPS, TURNS)[s],), csrc.BC_RENAMINGS))
            self.c.row[s], self.c.renaming[s], self.c.bucket[s] = &row[0], &renaming[0], &table[0, 0]
        table = self._kept(_array(holdings, "holdings", np.uint16, (csrc.BC_RENAMINGS, HOLDINGS), HOLDINGS))
        ends = self._kept(np.append(np.asarray(edges, np.float64).ravel(), 1.0))
        if ends.shape[0] != self.c.count[2] or not (np.diff(ends) >= 0).all():
            raise ArgumentError(f"edges: expected {self.c.count[2] - 1} that ascend to below 1")
        self.c.holding, self.c.edges = &table[0, 0], &ends[0]

    def _kept(self, array):
        self._arrays.append(array)
        return array

    def deals(self, seed, first, n):
        cdef uint64_t key = whole(seed, "seed", 0, MOST_SEED)
        cdef int64_t start = whole(first, "first", 0, MOST_INT64 - _MOST_DEALS), count = whole(n, "deals", 1, _MOST_DEALS)
        made = np.empty(count, DEAL)
        cdef uint8_t[::1] memory = made.view(np.uint8)
        with nogil:
            csrc.bc_deals(LEVEL, &self.c, key, start, count, <csrc.bc_dealt *> &memory[0])
        return made


@cython.final
cdef class Sampling:
    cdef csrc.bc_mccfr_game c
    cdef readonly int64_t cells
    cdef readonly int64_t done
    cdef readonly tuple counts
    cdef readonly object rows
    cdef list _arrays

    def __init__(self, tree, counts):
        cdef const int32_t[::1] edge, child
        cdef const uint8_t[::1] actor, street
        cdef const float[::1] chips
        cdef const int8_t[::1] folded
        cdef const int64_t[::1] cell
        edges = _array(tree.edges, "edges", np.int32, (-1,), 1 << 31)
        nodes, actions = len(edges) - 1, np.diff(edges)
        if not nodes or edges[0] != 0 or not ((1 <= actions) & (actions <= csrc.BC_MCCFR_ACTIONS)).all():
            raise ArgumentError(f"edges: expected nodes of 1 to {csrc.BC_MCCFR_ACTIONS} actions, from 0 on")
        pays = _array(tree.chips, "chips", np.float32, (-1,))
        follows = _array(tree.children, "children", np.int32, (int(edges[nodes]),))
        if not np.isfinite(pays).all() or follows.min() < -len(pays) or follows.max() >= nodes:
            raise ArgumentError("children: expected nodes and ends of the tree, whose chips are finite")
        _verify_depth(edges, follows, nodes)
        owners = _array(tree.folded, "folded", np.int8, (len(pays),))
        if owners.min() < -1 or owners.max() > 1:
            raise ArgumentError("folded: expected -1, 0 or 1")
        rounds = _array(tree.streets, "streets", np.uint8, (nodes,), STREETS)
        self.counts = tuple(whole(count, "buckets", 1, 65536) for count in counts)
        if len(self.counts) != STREETS:
            raise ArgumentError(f"buckets of {len(self.counts)} streets: expected {STREETS}")
        sizes = np.array(self.counts, np.int64)[rounds] * actions
        self.cells = whole(int(sizes.sum()), "cells", 1, _MOST_CELLS)
        places = np.cumsum(sizes) - sizes
        players = _array(tree.actors, "actors", np.uint8, (nodes,), 2)
        edge, child, actor, street, chips, folded, cell = edges, follows, players, rounds, pays, owners, places
        self._arrays = [edges, follows, players, rounds, pays, owners, places]
        self.c.nodes, self.c.edge, self.c.child, self.c.actor = nodes, &edge[0], &child[0], &actor[0]
        self.c.street, self.c.chips, self.c.folded, self.c.cell = &street[0], &chips[0], &folded[0], &cell[0]
        widths = np.repeat(actions, np.array(self.counts)[rounds])
        self.rows = np.cumsum(widths) - widths

    cdef float *_table(self, table, str name) except NULL:
        cdef float[::1] cells = table
        if cells.shape[0] != self.cells:
            raise ArgumentError(f"{name}: expected {self.cells} cells, got {cells.shape[0]}")
        return &cells[0]

    cdef const float *_fixed(self, table, str name) except NULL:
        cdef const float[::1] cells = table
        if cells.shape[0] != self.cells:
            raise ArgumentError(f"{name}: expected {self.cells} cells, got {cells.shape[0]}")
        return &cells[0]

    def _verified(self, deals):
        if not isinstance(deals, np.ndarray) or deals.dtype != DEAL or deals.ndim != 1 or not deals.size:
            raise ArgumentError("deals: expected one or more of Dealer.deals")
        if (deals["buckets"].max(axis=(0, 1)) >= self.counts).any() or not np.isin(deals["won"], (-1, 0, 1)).all():
            raise ArgumentError(f"deals: expected buckets below {self.counts}, and -1, 0 or 1 won")
        return np.ascontiguousarray(deals).view(np.uint8)

    def learn(self, deals, first, regret, average, settings, fixed=None, hero=None):
        self.done = 0
        cdef const uint8_t[::1] memory = self._verified(deals)
        cdef int64_t n = len(deals), start = whole(first, "first", 0, MOST_INT64 - n)
        cdef csrc.bc_mccfr_run run
        run.game = &self.c
        run.learns[0] = hero is None or whole(hero, "hero", 0, 1) == 0
        run.learns[1] = hero is None or hero == 1
        run.regret = self._table(regret, "regret")
        run.average = NULL if average is None else self._table(average, "average")
        run.play = run.regret if fixed is None else self._fixed(fixed, "fixed")
        if (hero is None) != (fixed is None):
            raise ArgumentError("hero and fixed: expected both, or none")
        run.step = whole(settings.step, "step", 1, MOST_INT64)
        run.seed = whole(settings.seed, "seed", 0, MOST_SEED)
        with nogil:
            self.done = csrc.bc_mccfr_learn(&run, start, n, <const csrc.bc_dealt *> &memory[0], interrupt.stopped)
        interrupt.check()

    def values(self, deals, first, second):
        cdef const uint8_t[::1] memory = self._verified(deals)
        cdef int64_t n = len(deals)
        cdef const float *strategy[2]
        strategy[0], strategy[1] = self._fixed(first, "first"), self._fixed(second, "second")
        made = np.empty(n)
        cdef double[::1] value = made
        with nogil:
            csrc.bc_mccfr_values(&self.c, strategy, n, <const csrc.bc_dealt *> &memory[0], &value[0], interrupt.stopped)
        interrupt.check()
        return made

    def policy(self, sums, otherwise=None):
        self._fixed(sums, "sums")
        positive = np.maximum(sums, 0)
        totals = np.add.reduceat(positive, self.rows)
        widths = np.diff(self.rows, append=self.cells)
        if otherwise is None:
            rest = np.repeat((1 / widths).astype(np.float32), widths)
        else:
            rest = self.policy(otherwise)
        spread = np.repeat(totals, widths)
        return np.where(spread > 0, positive / np.where(spread > 0, spread, 1), rest).astype(np.float32)


def _verify_depth(edges, children, int nodes):
    """Every node stands after its parents, on paths that a walk can call itself along."""
    cdef const int32_t[::1] edge = edges, child = children
    depths = np.zeros(nodes, np.int32)
    cdef int32_t[::1] depth = depths
    cdef int node, k, to
    for node in range(nodes):
        for k in range(edge[node], edge[node + 1]):
            to = child[k]
            if to < 0:
                continue
            if to <= node or depth[node] + 1 >= csrc.BC_MCCFR_DEPTH:
                raise ArgumentError(f"children: expected later nodes, at most {csrc.BC_MCCFR_DEPTH} on a path")
            depth[to] = max(depth[to], depth[node] + 1)
