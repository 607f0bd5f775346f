# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The value of each move against modelled opponents (csrc/include/baycarp/lookahead.h)."""

cimport cython

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, int8_t, uint32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from collections import namedtuple

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.game cimport Hand
from baycarp.kernels.search cimport Decision

__all__ = ["Continuations", "Learned", "LookAhead", "StylePolicies", "StyledPlayers", "Worth"]

Worth = namedtuple("Worth", "kind amount value error")

Learned = namedtuple("Learned", "keys means visits")

StyledPlayers = namedtuple("StyledPlayers", "policies weights powers factors blindly groups acts")

cdef enum:
    HOLDINGS = 1326
    MOVES = 12
    CHUNK = 500  # playouts between two checks for signals


cdef object checked(table, dtype, shape, str name):
    """An array that C reads: finite numbers of at least 0, in C's order."""
    found = np.ascontiguousarray(table, dtype)
    if found.shape != shape:
        raise ArgumentError(f"{name}: expected shape {shape}, got {found.shape}")
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ArgumentError(f"{name}: expected finite numbers of at least 0")
    return found


@cython.final
cdef class StylePolicies:
    """Policies by hypotheses about players, checked once, for look-aheads in fixed limit."""

    cdef csrc.bc_styles c
    cdef object kept  # the arrays that C reads

    def __init__(self, preflop, tables, own):
        cdef int i
        cdef const float[:, :, :, :, ::1] table
        cdef const double[:, :, ::1] chances
        cdef const uint8_t[::1] cells
        cdef const uint8_t[:, ::1] bucket
        if len(preflop) != csrc.BC_STYLE_GROUPS or len(tables) != csrc.BC_STREETS or len(own) != csrc.BC_STREETS:
            raise ArgumentError("expected 3 income groups, and tables and own ones of 4 streets")
        self.c.powers, self.c.styles = int(np.shape(tables[0])[2]), int(np.shape(tables[0])[4])
        if not (1 <= self.c.styles < csrc.BC_STYLE_MOST and self.c.powers >= 1):
            raise ArgumentError(
                f"expected 1..{csrc.BC_STYLE_MOST - 1} styles at some powers, got {self.c.styles} at {self.c.powers}"
            )
        kept = []
        for i, given in enumerate(tables):
            self.c.buckets[i] = int(np.shape(given)[3])
            shape = (csrc.BC_STYLE_LATER if i else csrc.BC_STYLE_PREFLOP, csrc.BC_KINDS, self.c.powers,
                     self.c.buckets[i], self.c.styles)
            held = checked(given, np.float32, shape, "tables")
            table = held
            kept.append(held)
            self.c.table[i] = &table[0, 0, 0, 0, 0]
        for i, (cell, given) in enumerate(preflop):
            self.c.cells[i] = int(np.shape(given)[1])
            number = checked(cell, np.uint8, (csrc.BC_STYLE_CLASSES,), "cells")
            held = checked(given, np.uint8, (self.c.powers, self.c.cells[i]), "buckets of cells")
            if number.max() >= self.c.cells[i] or held.max() >= self.c.buckets[0]:
                raise ArgumentError(f"expected cells below {self.c.cells[i]}, of buckets below {self.c.buckets[0]}")
            cells, bucket = number, held
            for place in range(csrc.BC_STYLE_CLASSES):
                self.c.cell[i][place] = cells[place]
            kept.append(held)
            self.c.bucket[i] = &bucket[0, 0]
        for i, given in enumerate(own):
            shape = (csrc.BC_STYLE_LATER if i else csrc.BC_STYLE_PREFLOP,
                     self.c.buckets[i] if i else csrc.BC_STYLE_CLASSES, csrc.BC_KINDS)
            held = checked(given, np.float64, shape, "own")
            chances = held
            kept.append(held)
            self.c.own[i] = &chances[0, 0, 0]
        self.kept = kept


@cython.final
cdef class Continuations:
    """What own moves won in coarse situations, checked once, for many look-aheads."""

    cdef csrc.bc_look_cell *cells
    cdef int64_t count
    cdef object given

    def __cinit__(self):
        self.cells = NULL

    def __dealloc__(self):
        free(self.cells)

    def __init__(self, keys, means, visits):
        if self.cells != NULL:
            raise ArgumentError("continuations are initialised once")
        given = np.ascontiguousarray(keys, np.int64)
        if given.ndim != 1:
            raise ArgumentError(f"keys: expected one axis, got shape {given.shape}")
        if ((given < 1) | (given >= csrc.BC_LOOK_COARSE)).any() or len(np.unique(given)) < len(given):
            raise ArgumentError(f"keys: expected different ones of 1..{csrc.BC_LOOK_COARSE - 1}")
        won, often = np.ascontiguousarray(means, np.float32), np.ascontiguousarray(visits, np.uint32)
        for name, each in (("means", won), ("visits", often)):
            if each.shape != (len(given), MOVES):
                raise ArgumentError(f"{name}: expected shape {(len(given), MOVES)}, got {each.shape}")
        if not np.isfinite(won).all():
            raise ArgumentError("means: expected finite numbers")
        cdef const int64_t[::1] key = given
        cdef const float[:, ::1] mean = won
        cdef const uint32_t[:, ::1] visit = often
        cdef int64_t i
        cdef int k
        self.count, self.given = len(given), Learned(given, won, often)
        self.cells = <csrc.bc_look_cell *> calloc(self.count + 1, sizeof(csrc.bc_look_cell))
        if self.cells == NULL:
            raise MemoryError(f"{self.count} situations")
        for i in range(self.count):
            self.cells[i].key = key[i]
            for k in range(MOVES):
                self.cells[i].mean[k], self.cells[i].visits[k] = mean[i, k], visit[i, k]

    def learned(self):
        return self.given

    def __len__(self):
        return self.count


@cython.final
cdef class LookAhead(Decision):
    """The values of a decision's moves."""

    cdef csrc.bc_look look
    cdef csrc.bc_style_players players
    cdef object acts  # of the styled players; arrays that C reads
    cdef Continuations known

    def __cinit__(self):
        self.look.cells = NULL

    def __dealloc__(self):
        free(self.look.cells)

    def __init__(self, Hand hand not None, hole, board, weights, policies, now, edges, *, draw=0.0, apart=0.0, acts=(),
                 sizes=(), cells=16384, dead=(), seed=0, Continuations known=None):
        if self.look.cells != NULL:
            raise ArgumentError("a look-ahead is initialised once")
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        capacity = whole(cells, "cells", 2, 1 << 24)
        if capacity & (capacity - 1):
            raise ArgumentError(f"cells: expected a power of two, got {capacity}")
        if not 0 <= apart <= 1:
            raise ArgumentError(f"apart: expected a potential, 0..1, got {apart}")
        self._decide(hand, hole, board, weights, policies, now, edges, draw, acts, sizes, dead)
        self.buckets.apart = apart
        self._strengths()
        self.look.cells = <csrc.bc_look_cell *> calloc(capacity, sizeof(csrc.bc_look_cell))
        if self.look.cells == NULL:
            raise MemoryError(f"{capacity} cells of a look-ahead")
        self.look.capacity, self.look.search = capacity, &self.c
        if known is not None:
            if 2 * known.count > capacity:
                raise ArgumentError(f"known: {known.count} situations, expected at most half of {capacity} cells")
            self.known, self.look.known, self.look.known_count = known, known.cells, known.count
        with nogil:
            csrc.bc_look_start(&self.look, first)

    cdef int _strengths(self) except -1:
        """The middle of each bucket, by its edges; of one before the flop, whose holding is known, a half."""
        cdef int street, bucket, levels
        for street in range(csrc.BC_STREETS):
            ends = [0.0, *self.kept[1][street], 1.0]
            levels = len(ends) - 1
            for bucket in range(csrc.BC_SEARCH_BUCKETS):
                at = bucket % levels
                self.look.strength[street][bucket] = (ends[at] + ends[at + 1]) / 2 if street else 0.5

    cdef int _models(self, policies, edges) except -1:
        if isinstance(policies, StyledPlayers):
            self._style(policies, edges)
        else:
            Decision._models(self, policies, edges)
        self.c.featured = True
        return 0

    cdef int _style(self, policies, edges) except -1:
        cdef StylePolicies styles = policies.policies
        cdef int seats = self.c.variant.seats, seat, i
        cdef const double[:, ::1] weights, sums
        cdef const double[:, :, ::1] factor, blindly
        cdef const double[:, :, :, ::1] powers
        cdef const uint8_t[::1] bucket
        cdef const float[:, ::1] table
        given = checked(policies.weights, np.float64, (seats, styles.c.styles + 1), "weights of styles")
        shape = (seats, csrc.BC_STYLE_SITUATIONS, csrc.BC_KINDS)
        factors = checked(policies.factors, np.float64, shape, "factors")
        chances = checked(policies.blindly, np.float64, shape, "chances of blind players")
        shape = (seats, 2, csrc.BC_KINDS, styles.c.powers)
        weighed = checked(policies.powers, np.float64, shape, "weights of powers")
        factor, blindly, powers = factors, chances, weighed
        running = np.cumsum(given, axis=1)
        weights, sums = given, running
        self.players.styles, self.players.weights, self.players.sums = &styles.c, &weights[0, 0], &sums[0, 0]
        self.players.powers, self.players.factor = &powers[0, 0, 0, 0], &factor[0, 0, 0]
        self.players.blindly = &blindly[0, 0, 0]
        if len(policies.groups) != seats or len(policies.acts) != seats:
            raise ArgumentError(f"players: expected an income group and acts for each of {seats} positions")
        held = [list(each) for each in policies.acts]
        for seat in range(seats):
            self.players.group[seat] = <int8_t> whole(policies.groups[seat], "group", -1, csrc.BC_STYLE_GROUPS - 1)
            if len(held[seat]) > csrc.BC_STYLE_ACTS:
                raise ArgumentError(f"acts: expected at most {csrc.BC_STYLE_ACTS}, got {len(held[seat])}")
            self.players.count[seat] = len(held[seat])
            for i in range(self.players.count[seat]):
                bucket, table = held[seat][i]
                if bucket.shape[0] != HOLDINGS or table.shape[1] != styles.c.styles:
                    raise ArgumentError(f"acts: expected {HOLDINGS} buckets, and {styles.c.styles} styles")
                codes = np.asarray(bucket)
                if codes[codes != csrc.BC_UNBUCKETED].max() >= table.shape[0]:
                    raise ArgumentError(f"acts: expected buckets below {table.shape[0]}")
                self.players.acts[seat][i].bucket = &bucket[0]
                self.players.acts[seat][i].table = &table[0, 0]
        self.acts = held
        self.table.buckets = 256
        self.c.textured = False
        self.c.policy, self.c.policy_context = csrc.bc_style_policy, &self.players
        self.c.refine, self.c.refine_context = csrc.bc_style_refine, &self.players
        self.c.clusters, self.c.self_cluster = 1, styles.c.styles + 1
        self.kept = [(styles, given, running, factors, chances, weighed), [np.array(row, np.float64) for row in edges], None]
        return 0

    def run(self, playouts):
        """Make more playouts."""
        self._begun()
        cdef int64_t left = whole(playouts, "playouts", 0, MOST_INT64), some
        while left:
            some = min(left, <int64_t> CHUNK)
            with nogil:
                csrc.bc_look_run(&self.look, some)
            left -= some
            PyErr_CheckSignals()

    cdef int _begun(self) except -1:
        if self.look.cells == NULL:
            raise ArgumentError("look-ahead: expected one that __init__ has begun")
        return 0

    @property
    def playouts(self):
        return self.look.playouts

    @property
    def forced(self):
        return self.c.forced

    @property
    def situations(self):
        return self.look.used

    def values(self):
        self._begun()
        cdef csrc.bc_look_value found[12]
        cdef int i, n = csrc.bc_look_values(&self.look, found)
        return tuple([Worth(found[i].move.kind, found[i].move.amount, found[i].value, found[i].error)
                      for i in range(n)])

    def differences(self):
        """The standard error of the difference of every two moves' values."""
        self._begun()
        cdef int i, k, n = self.c.count
        found = np.empty((n, n))
        cdef double[:, ::1] into = found
        for i in range(n):
            for k in range(n):
                into[i, k] = csrc.bc_look_difference(&self.look, i, k)
        return found

    def learned(self):
        """Keys, means and visits of the coarse situations, in order of the keys."""
        self._begun()
        cdef int64_t i, n = csrc.bc_look_learned(&self.look, NULL)
        cdef int k
        cdef csrc.bc_look_cell *cells = <csrc.bc_look_cell *> calloc(n + 1, sizeof(csrc.bc_look_cell))
        if cells == NULL:
            raise MemoryError(f"{n} situations")
        csrc.bc_look_learned(&self.look, cells)
        keys, means, visits = np.empty(n, np.int64), np.empty((n, MOVES), np.float32), np.empty((n, MOVES), np.uint32)
        cdef int64_t[::1] key = keys
        cdef float[:, ::1] mean = means
        cdef uint32_t[:, ::1] visit = visits
        for i in range(n):
            key[i] = cells[i].key
            for k in range(MOVES):
                mean[i, k], visit[i, k] = cells[i].mean[k], cells[i].visits[k]
        free(cells)
        order = np.argsort(keys)
        return Learned(keys[order], means[order], visits[order])
