# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Counterfactual regret minimisation over all betting on sampled boards."""

cimport cython

from libc.stdint cimport int8_t, uint8_t, uint16_t

from numbers import Integral

import numpy as np

from baycarp.card import HOLDS, as_cards
from baycarp.errors import ArgumentError
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import whole
from baycarp.kernels.simd cimport LEVEL

__all__ = ["FOLD", "ILLEGAL", "LANES", "LEAF", "Betting", "Deal"]

ILLEGAL, FOLD, LEAF = -1, -2, -3
LANES = csrc.BC_CFR_LANES

cdef enum:
    HOLDINGS = 1326


@cython.final
cdef class Deal:
    """A board with the buckets of the holdings beside it."""

    cdef csrc.bc_deal c
    cdef readonly int streets
    cdef readonly tuple most

    def __init__(self, board, buckets, dealt=None, other=None):
        cdef const uint8_t[::1] cards = as_cards(board, "board", 5)
        tables = [np.ascontiguousarray(each, np.uint16) for each in (buckets, buckets if other is None else other)]
        for table in tables:
            if table.ndim != 2 or not 1 <= table.shape[0] <= csrc.BC_STREETS or table.shape[1] != HOLDINGS:
                raise ArgumentError(f"buckets: expected shape (1..4, 1326), got {table.shape}")
        if tables[0].shape != tables[1].shape:
            raise ArgumentError(f"buckets of {tables[0].shape} and {tables[1].shape}: expected those of one shape")
        cdef const uint16_t[:, ::1] first = tables[0], second = tables[1]
        cdef const uint16_t *bucket[2]
        bucket[0], bucket[1] = &first[0, 0], &second[0, 0]
        held = np.array(dealt if dealt is not None else np.ones(HOLDINGS), np.uint8)
        if held.shape != (HOLDINGS,):
            raise ArgumentError(f"dealt: expected shape (1326,), got {held.shape}")
        cdef const uint8_t[::1] flags = held
        self.streets = tables[0].shape[0]
        csrc.bc_cfr_deal(&cards[0], bucket, self.streets, &flags[0], &self.c)
        beside = held.astype(bool) & ~HOLDS[np.asarray(cards)].any(axis=0)
        self.most = tuple([
            tuple([int(row[beside].max(initial=0)) for row in street]) for street in zip(*tables)
        ])

    @property
    def holdings(self):
        return self.c.count


@cython.final
cdef class Betting:
    """The betting of all streets, over tables of cells; ``cfr.h`` has their order."""

    cdef csrc.bc_betting_game c
    cdef readonly Py_ssize_t cells
    cdef readonly tuple buckets
    cdef list _entries

    def __init__(self, streets, buckets):
        cdef int s, k, a, count
        cdef csrc.bc_betting *to
        cdef const float[:, ::1] entry
        if not 1 <= len(streets) <= csrc.BC_STREETS or len(buckets) != len(streets):
            raise ArgumentError(f"{len(streets)} streets, {len(buckets)} numbers of buckets: expected 1 to 4 of both")
        pairs = [(each, each) if isinstance(each, Integral) else tuple(each) for each in buckets]
        if any(len(pair) != 2 for pair in pairs):
            raise ArgumentError(f"buckets {pairs}: expected a number by street, or one for each player")
        self.c.streets, self._entries, self.buckets = <int> len(streets), [], tuple(pairs)
        for s, street in enumerate(streets):
            to = &self.c.street[s]
            count = whole(len(street.actors), "nodes of a street", 1, csrc.BC_BETTING_NODES)
            to.nodes, to.leaves = count, whole(len(street.matched), "leaves", 1, csrc.BC_BETTING_NODES)
            for k in range(2):
                to.buckets[k] = whole(pairs[s][k], "buckets", 1, 65535)
            entry = np.ascontiguousarray(street.entries, np.float32)
            to.blocks, to.lanes = <int> entry.shape[0], whole(street.lanes, "lanes", 1, LANES)
            if entry.shape[1] != LANES:
                raise ArgumentError(f"entries: expected {LANES} lanes, got {entry.shape[1]}")
            self._entries.append(entry)
            to.entry = &entry[0, 0]
            for k in range(count):
                to.actor[k], to.folded[k] = whole(street.actors[k], "actor", 0, 1), street.folded[k]
                for a in range(csrc.BC_ACTIONS):
                    to.child[k][a] = whole(street.children[k][a], "child", LEAF - to.leaves + 1, count - 1)
                    if 0 <= to.child[k][a] <= k:
                        raise ArgumentError(f"child {to.child[k][a]} of node {k}: expected a later one")
            for k in range(to.leaves):
                to.matched[k] = street.matched[k]
        self._verify_blocks()
        self.cells = csrc.bc_cfr_cells(&self.c)

    cdef int _verify_blocks(self) except -1:
        """Every street has the blocks that the leaves of the street before need."""
        cdef int s, expected = 1
        for s in range(self.c.streets):
            if self.c.street[s].blocks != expected:
                raise ArgumentError(f"street {s}: expected {expected} blocks, got {self.c.street[s].blocks}")
            if expected == 1:
                expected = (self.c.street[s].lanes * self.c.street[s].leaves + LANES - 1) // LANES
            else:
                expected *= self.c.street[s].leaves
        return 0

    def scratch(self):
        return np.empty(csrc.bc_cfr_scratch(&self.c), np.float32)

    cdef float *_table(self, object table, str name) except NULL:
        cdef float[::1] cells = table
        if cells.shape[0] != self.cells:
            raise ArgumentError(f"{name}: expected {self.cells} cells, got {cells.shape[0]}")
        return &cells[0]

    def choices(self, Deal deal not None):
        return np.zeros(csrc.bc_cfr_choices(&self.c, &deal.c), np.int8)

    def visit(self, Deal deal not None, int hero, float share, strategy, scratch, regret=None, average=None,
              record=None, replay=None):
        cdef csrc.bc_cfr_walk walk
        cdef float[::1] memory = scratch
        cdef int8_t[::1] chosen
        if deal.streets != self.c.streets or any(
            most >= own for street, owns in zip(deal.most, self.buckets) for most, own in zip(street, owns)
        ):
            raise ArgumentError(f"deal of buckets up to {deal.most}: expected below {self.buckets}")
        if record is not None and replay is not None:
            raise ArgumentError("choices: expected those to record or those to replay")
        walk.last, walk.choices = csrc.BC_CFR_MIX, NULL
        if record is not None or replay is not None:
            chosen = record if replay is None else replay
            if chosen.shape[0] != <Py_ssize_t> csrc.bc_cfr_choices(&self.c, &deal.c):
                raise ArgumentError("choices: expected the memory of Betting.choices()")
            walk.last, walk.choices = csrc.BC_CFR_REPLAY if record is None else csrc.BC_CFR_RECORD, &chosen[0]
        if memory.shape[0] < <Py_ssize_t> csrc.bc_cfr_scratch(&self.c):
            raise ArgumentError("scratch: expected the memory of Betting.scratch()")
        walk.game, walk.deal = &self.c, &deal.c
        walk.hero, walk.share = whole(hero, "hero", 0, 1), share
        walk.strategy = self._table(strategy, "strategy")
        walk.regret = NULL if regret is None else self._table(regret, "regret")
        walk.average = NULL if average is None else self._table(average, "average")
        walk.scratch = &memory[0]
        values = np.empty(HOLDINGS, np.float32)
        cdef float[::1] value = values
        with nogil:
            csrc.bc_cfr_visit(LEVEL, &walk, &value[0])
        return values

    def learn(self, int hero, step, change, reached, tables):
        cdef csrc.bc_cfr_step how
        cdef float *changes = self._table(change, "change")
        cdef float *reaches = self._table(reached, "reached")
        cdef float *regret = self._table(tables.regret, "regret")
        cdef float *average = self._table(tables.average, "average")
        cdef float *strategy = self._table(tables.strategy, "strategy")
        how.discount[0], how.discount[1], how.keep, how.weight = step
        hero = whole(hero, "hero", 0, 1)
        with nogil:
            csrc.bc_cfr_learn(&self.c, hero, &how, changes, reaches, regret, average, strategy)

    def policy(self, average):
        cdef float *sums = self._table(average, "average")
        made = np.empty(self.cells, np.float32)
        cdef float[::1] out = made
        with nogil:
            csrc.bc_cfr_policy(&self.c, sums, &out[0])
        return made

    def greedy(self, int hero, sums, policy):
        cdef float *numbers = self._table(sums, "sums")
        cdef float *cells = self._table(policy, "policy")
        hero = whole(hero, "hero", 0, 1)
        with nogil:
            csrc.bc_cfr_greedy(&self.c, hero, numbers, cells)
