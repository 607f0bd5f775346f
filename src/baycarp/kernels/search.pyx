# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Monte-Carlo tree search of one hand against modelled opponents (csrc/include/baycarp/search.h)."""

cimport cython

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from collections import namedtuple

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import ArgumentError, IllegalAction, RangeError, VariantError
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.game cimport Hand
from baycarp.kernels.simd cimport LEVEL

__all__ = ["BACKUPS", "MoveValue", "Search"]

BACKUPS = ("frequency", "maximum")

MoveValue = namedtuple("MoveValue", "kind amount visits value error pruned")

cdef enum:
    HOLDINGS = 1326
    CHUNK = 2000  # iterations between two checks for signals
    MOST_NODES = 10000000


cdef double number(object given, str name) except? -1:
    cdef double value = float(given)
    if not (isfinite(value) and value >= 0):
        raise ArgumentError(f"{name}: expected a finite number of at least 0, got {value}")
    return value


cdef bint same(int seats, const csrc.bc_state *one, const csrc.bc_state *other):
    cdef int seat
    for seat in range(seats):
        if one.stack[seat] != other.stack[seat] or one.bet[seat] != other.bet[seat]:
            return False
        if one.paid[seat] != other.paid[seat]:
            return False
    return one.players == other.players and one.street == other.street and one.to_act == other.to_act


@cython.final
cdef class Search:
    """A search tree, kept over the decisions of one hand."""

    cdef csrc.bc_search c
    cdef csrc.bc_price_table table
    cdef csrc.bc_strength_buckets *buckets
    cdef object kept  # the arrays that C reads

    def __cinit__(self):
        self.buckets = NULL
        self.c.nodes = NULL

    def __dealloc__(self):
        free(self.buckets)
        free(self.c.nodes)

    def __init__(self, Hand hand not None, hole, board, weights, chances, now, edges, *, sizes=(), explore=1.0,
                 prune=0.0, backup="frequency", nodes=100000, dead=(), seed=0):
        if self.c.nodes != NULL:
            raise ArgumentError("a search is initialised once")
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        capacity = whole(nodes, "nodes", 1 + csrc.BC_SEARCH_MOVES, MOST_NODES)
        self._settings(sizes, explore, prune, backup)
        known = as_cards([*hole, *dead], "hole cards and dead cards", 2 + len(dead))
        self.c.hole[0], self.c.hole[1] = known[0], known[1]
        self.c.dead = 0
        for card in known[2:]:
            self.c.dead |= <uint64_t> 1 << <int> card
        self.c.variant = hand.rules.c
        self._models(chances, edges)
        self._place(hand, board, weights)
        row = self._now(now)
        self.buckets = <csrc.bc_strength_buckets *> calloc(1, sizeof(csrc.bc_strength_buckets))
        self.c.nodes = <csrc.bc_search_node *> calloc(capacity, sizeof(csrc.bc_search_node))
        if self.buckets == NULL or self.c.nodes == NULL:
            raise MemoryError(f"{capacity} nodes of a search")
        self.c.capacity = capacity
        self.c.bucket, self.c.bucket_context = csrc.bc_strength_bucket, self.buckets
        self.c.policy, self.c.policy_context = csrc.bc_price_policy, &self.table
        self._bucket_all(row)
        with nogil:
            csrc.bc_search_start(&self.c, first)

    cdef int _settings(self, sizes, explore, prune, backup) except -1:
        cdef int i
        if len(sizes) > csrc.BC_SEARCH_SIZES:
            raise ArgumentError(f"sizes: expected at most {csrc.BC_SEARCH_SIZES}, got {len(sizes)}")
        if backup not in BACKUPS:
            raise ArgumentError(f"backup: expected one of {BACKUPS}, got {backup!r:.60}")
        self.c.size_count = len(sizes)
        for i in range(self.c.size_count):
            self.c.sizes[i] = number(sizes[i], "sizes")
        self.c.explore, self.c.prune = number(explore, "explore"), number(prune, "prune")
        self.c.backup = csrc.BC_MAXIMUM if backup == "maximum" else csrc.BC_FREQUENCY
        return 0

    cdef int _models(self, chances, edges) except -1:
        """The policies, hero's own last, and the edges of the buckets of later boards, by street."""
        table = np.array(chances, np.float64, order="C")
        if table.ndim != 5 or table.shape[0] < 2 or table.shape[1:3] != (csrc.BC_STREETS, csrc.BC_PRICES):
            raise ArgumentError(f"chances: expected shape (clusters + 1, 4, {csrc.BC_PRICES}, buckets, 3), "
                                f"got {table.shape}")
        if table.shape[4] != csrc.BC_KINDS or not 1 <= table.shape[3] <= csrc.BC_EDGES + 1:
            raise ArgumentError(f"chances: expected 1..{csrc.BC_EDGES + 1} buckets and 3 kinds, got {table.shape[3:]}")
        if not (np.isfinite(table) & (table >= 0)).all() or not (table[..., csrc.BC_CALL] > 0).all():
            raise ArgumentError("chances: expected finite numbers, at least 0, and above 0 for a check or call")
        if len(edges) != csrc.BC_STREETS:
            raise ArgumentError(f"edges: expected {csrc.BC_STREETS} rows, one a street, got {len(edges)}")
        rows = [np.array(row, np.float64).ravel() for row in edges]
        for row in rows:
            if len(row) >= table.shape[3] or not np.isfinite(row).all() or (np.diff(row) <= 0).any():
                raise ArgumentError(f"edges: expected at most {table.shape[3] - 1} ascending numbers, got {row}")
        self.c.clusters = self.c.self_cluster = table.shape[0] - 1
        self.table.clusters, self.table.buckets = table.shape[0], table.shape[3]
        cdef double[::1] flat = table.reshape(-1)
        self.table.chances = &flat[0]
        self.kept = [table, rows, None]
        return 0

    cdef int _place(self, Hand hand, board, weights) except -1:
        """The state, the board and the ranges of a decision, once all are checked."""
        cdef int i, seat, hero = hand.c.to_act
        cdef csrc.bc_state state = hand.c
        if hero < 0:
            raise VariantError("search of a hand that is over: expected a player to act")
        if hand.rules.c.seats != self.c.variant.seats or hand.rules.c.limit != self.c.variant.limit:
            raise VariantError("search continued in another game")
        shown = (0, 3, 4, 5)[state.street]
        known = as_cards([self.c.hole[0], self.c.hole[1], *board], "hole cards and board", 2 + shown)
        blocked = {card for card in range(52) if self.c.dead >> <int> card & 1}
        if blocked.intersection(known):
            raise ArgumentError("dead cards: expected cards that are neither in the hand nor on the board")
        blocked.update(int(card) for card in known)
        if 52 - len(blocked) < 2 * self.c.variant.seats + 3:
            raise ArgumentError("dead cards: expected more cards left to deal")
        ranges = np.array(weights, np.float64, order="C")
        if ranges.shape != (self.c.variant.seats, self.c.clusters, HOLDINGS):
            raise RangeError(f"weights: expected shape {(self.c.variant.seats, self.c.clusters, HOLDINGS)}, "
                             f"got {ranges.shape}")
        free_ones = np.array([not blocked & {hi, lo} for hi in range(52) for lo in range(hi)])
        for seat in range(self.c.variant.seats):
            if seat == hero or not state.players >> seat & 1:
                continue
            row = ranges[seat]
            if not (np.isfinite(row) & (row >= 0)).all() or not row[:, free_ones].sum() > 0:
                raise RangeError(f"weights of position {seat}: expected numbers >= 0, one of a free holding above 0")
        cdef double[::1] flat = ranges.reshape(-1)
        self.c.weights = &flat[0]
        self.kept[2] = ranges
        self.c.state = state
        for i in range(shown):
            self.c.board[i] = known[2 + i]
        return 0

    cdef object _now(self, now):
        row = np.array(now)
        if row.shape != (HOLDINGS,) or row.dtype.kind not in "iu":
            raise ArgumentError(f"now: expected {HOLDINGS} bucket numbers, got shape {row.shape} of {row.dtype}")
        if row.min() < 0 or row.max() >= self.table.buckets:
            raise ArgumentError(f"now: expected buckets 0..{self.table.buckets - 1}, got {row.min()}..{row.max()}")
        return row.astype(np.uint8)

    cdef int _bucket_all(self, row) except -1:
        cdef int i, k
        cdef csrc.bc_strength_buckets *b = self.buckets
        b.level, b.shown = LEVEL, (0, 3, 4, 5)[self.c.state.street]
        for i in range(5):
            b.board[i] = self.c.board[i]
        for i in range(HOLDINGS):
            b.now[i] = row[i]
        for i in range(csrc.BC_STREETS):
            b.count[i] = len(self.kept[1][i])
            for k in range(b.count[i]):
                b.edges[i][k] = self.kept[1][i][k]
        csrc.bc_strength_buckets_start(b)
        return 0

    def advance(self, Hand hand not None, board, weights, now, moves, seed=0):
        """Go on with a later decision of the same hand; whether the tree was kept."""
        self._begun()
        cdef csrc.bc_move acts[64]
        cdef int i, n = len(moves)
        cdef bint kept
        cdef csrc.bc_state then = self.c.state, state = then
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        if n > 64:
            raise ArgumentError(f"moves: expected at most 64, got {n}")
        for i in range(n):
            acts[i].kind = whole(moves[i][0], "kind", 0, csrc.BC_KINDS - 1)
            acts[i].amount = whole(moves[i][1], "amount", 0, MOST_INT64) if acts[i].kind == csrc.BC_RAISE else 0
            if state.to_act < 0 or not csrc.bc_state_can(&self.c.variant, &state, acts[i].kind, acts[i].amount):
                raise IllegalAction(f"move {i} of {n}, {tuple(moves[i])}: expected a legal one")
            csrc.bc_state_apply(&self.c.variant, &state, acts[i].kind, acts[i].amount)
        if state.to_act != self.c.hero or not same(self.c.variant.seats, &state, &hand.c):
            raise ArgumentError("moves: expected those from the last decision to the player's next one")
        if list(board)[:self._shown()] != [self.c.board[i] for i in range(self._shown())]:
            raise ArgumentError("board: expected the last board and later cards")
        row = self._now(now)
        self._place(hand, board, weights)
        with nogil:
            kept = csrc.bc_search_continue(&self.c, &then, acts, n, first)
        self._bucket_all(row)
        return kept

    cdef int _begun(self) except -1:
        if self.c.nodes == NULL:
            raise ArgumentError("search: expected one that __init__ has begun")
        return 0

    cdef int _shown(self):
        return 0 if self.c.state.street == 0 else self.c.state.street + 2

    def run(self, iterations):
        """Make more iterations."""
        self._begun()
        cdef int64_t left = whole(iterations, "iterations", 0, MOST_INT64), some
        while left:
            some = min(left, <int64_t> CHUNK)
            with nogil:
                csrc.bc_search_run(&self.c, some)
            left -= some
            PyErr_CheckSignals()

    @property
    def iterations(self):
        return self.c.iterations

    @property
    def forced(self):
        return self.c.forced

    @property
    def nodes(self):
        return self.c.used

    def values(self):
        self._begun()
        cdef csrc.bc_search_value found[12]
        cdef int i, n = csrc.bc_search_values(&self.c, found)
        return tuple([MoveValue(found[i].move.kind, found[i].move.amount, found[i].visits, found[i].value,
                                found[i].error, bool(found[i].pruned)) for i in range(n)])

    def softmax(self, temperature):
        cdef double chances[12]
        cdef double t = number(temperature, "temperature")
        if not any(move.visits for move in self.values()):
            raise ArgumentError("softmax: expected at least one iteration before it")
        csrc.bc_search_softmax(&self.c, t, chances)
        return tuple([chances[i] for i in range(self.c.count)])
