# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Monte-Carlo tree search of one hand against modelled opponents (csrc/include/baycarp/search.h)."""

cimport cython

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport isfinite
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free

from collections import namedtuple

import numpy as np

from baycarp.card import as_cards, blocked_by
from baycarp.errors import ArgumentError, IllegalAction, RangeError, VariantError, brief
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, array, real, whole
from baycarp.kernels.game cimport Hand, Rules, read_act
from baycarp.kernels.simd cimport LEVEL
from baycarp.kernels.trees import NODE

__all__ = ["BACKUPS", "CHOICES", "INPUTS", "MoveValue", "Search", "TreePolicies", "bucket_table", "hand_choices"]

CHOICES, INPUTS = csrc.BC_CHOICES, csrc.BC_TREE_INPUTS

BACKUPS = ("frequency", "maximum")

MoveValue = namedtuple("MoveValue", "kind amount visits value error pruned")

cdef enum:
    HOLDINGS = 1326
    CHUNK = 2000  # iterations between two checks for signals
    MOST_NODES = 10000000


cdef double number(object given, str name) except? -1:
    cdef double value = real(given, name)
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


cdef object rows_of(edges):
    """The edges of the buckets by street."""
    if len(edges) != csrc.BC_STREETS:
        raise ArgumentError(f"edges: expected {csrc.BC_STREETS} rows, one a street, got {len(edges)}")
    rows = [np.array(array(row, "edges", np.float64)).ravel() for row in edges]
    for row in rows:
        if len(row) > csrc.BC_EDGES or not np.isfinite(row).all() or (np.diff(row) <= 0).any():
            raise ArgumentError(f"edges: expected at most {csrc.BC_EDGES} ascending numbers, got {row}")
    return rows


cdef double worth_of_out(object draw) except? -1:
    cdef double worth = real(draw, "draw")
    if not 0 <= worth <= 0.0625:
        raise ArgumentError(f"draw: expected 0..0.0625 for an out, got {worth}")
    return worth


cdef int replay(Hand hand, acts, csrc.bc_past *past) except -1:
    """The past of a hand at its decision, by all actions before it."""
    stacks = tuple(left + paid for left, paid in zip(hand.stacks, hand.committed))
    cdef csrc.bc_state state = (<Hand> Hand(hand.rules, stacks)).c
    cdef int64_t amount
    cdef int i, kind
    csrc.bc_past_start(past)
    for i, act in enumerate(acts):
        read_act(&hand.rules.c, &state, act, i, &kind, &amount)
        csrc.bc_past_act(&hand.rules.c, &state, past, kind, amount)
        csrc.bc_state_apply(&hand.rules.c, &state, kind, amount)
    if state.to_act < 0 or state.to_act != hand.c.to_act or state.street != hand.c.street or \
            state.level != hand.c.level:
        raise ArgumentError(f"acts: expected all actions before a decision, got {len(acts)}")
    return 0


cdef int take_sizes(sizes, csrc.bc_search *search, bint all_in=True) except -1:
    cdef int i
    search.sized = not all_in
    if len(sizes) > csrc.BC_SEARCH_SIZES:
        raise ArgumentError(f"sizes: expected at most {csrc.BC_SEARCH_SIZES}, got {len(sizes)}")
    search.size_count = len(sizes)
    for i in range(search.size_count):
        search.sizes[i] = number(sizes[i], "sizes")
    return 0


def bucket_table(board, edges, draw=0.0, ranked=False):
    """The bucket of every holding on a board of 3, 4 or 5 cards."""
    cdef csrc.bc_strength_buckets *b
    cdef int i, n
    known = as_cards(board, "board", (3, 4, 5))
    cdef uint8_t[::1] cards = known
    found = np.empty(HOLDINGS, np.uint8)
    cdef uint8_t[::1] table = found
    n = len(cards)
    row = rows_of([edges] * csrc.BC_STREETS)[0]
    b = <csrc.bc_strength_buckets *> calloc(1, sizeof(csrc.bc_strength_buckets))
    if b == NULL:
        raise MemoryError("buckets")
    try:
        b.level, b.draw, b.ranked = LEVEL, worth_of_out(draw), bool(ranked)
        b.count[n - 2] = len(row)
        for i in range(b.count[n - 2]):
            b.edges[n - 2][i] = row[i]
        with nogil:
            csrc.bc_strength_bucket_table(b, &cards[0], n, &table[0])
    finally:
        free(b)
    return found


def hand_choices(Rules rules not None, tuple stacks not None, actions):
    """The choice of every action of a hand, and the choices that were legal."""
    cdef csrc.bc_state state
    cdef int64_t amount
    cdef int i, kind
    start = Hand(rules, stacks)  # checks the stacks
    state = (<Hand> start).c
    actions = list(actions)
    found = np.empty(len(actions), np.int8)
    masks = np.empty(len(actions), np.uint16)
    cdef int8_t[::1] choice = found
    cdef uint16_t[::1] mask = masks
    for i in range(len(actions)):
        read_act(&rules.c, &state, actions[i], i, &kind, &amount)
        choice[i] = <int8_t> csrc.bc_choice_of(&rules.c, &state, kind, amount)
        mask[i] = <uint16_t> csrc.bc_choices_open(&rules.c, &state)
        csrc.bc_state_apply(&rules.c, &state, kind, amount)
    return found, (masks[:, None] >> np.arange(csrc.BC_CHOICES) & 1).astype(bool)


@cython.final
cdef class TreePolicies:
    """Policies as decision trees, checked once, for searches."""

    def __cinit__(self):
        self.trees = NULL

    def __dealloc__(self):
        free(self.trees)

    def __init__(self, trees):
        cdef int i
        if self.trees != NULL:
            raise ArgumentError("policies are initialised once")
        if len(trees) < 1 or any(len(row) != csrc.BC_SITUATIONS for row in trees):
            raise ArgumentError(f"trees: expected rows of {csrc.BC_SITUATIONS}, one a situation, at least one row")
        self._allocate(len(trees))
        for i, (nodes, values) in enumerate([each for row in trees for each in row]):
            if getattr(nodes, "dtype", None) != NODE or nodes.ndim != 1 or not nodes.size:
                raise ArgumentError(f"nodes: expected an array of {NODE}, at least one")
            self._take(i, np.array(nodes, order="C"), values)

    cdef int _allocate(self, int clusters) except -1:
        self.trees = <csrc.bc_policy_tree *> calloc(clusters * csrc.BC_SITUATIONS, sizeof(csrc.bc_policy_tree))
        if self.trees == NULL:
            raise MemoryError("trees")
        self.kept = []
        self.c.clusters, self.c.trees = clusters, self.trees
        return 0

    cdef int _take(self, int number, flat, values) except -1:
        """The next tree: nodes of its own, and values that are copied and checked."""
        cdef const uint8_t[::1] raw = flat.view(np.uint8)
        cdef const double[:, ::1] value
        chances = np.array(array(values, "values", np.float64), order="C")
        if chances.ndim != 2 or chances.shape[1] != csrc.BC_CHOICES or not chances.size:
            raise ArgumentError(f"values: expected shape (leaves, {csrc.BC_CHOICES}), got {chances.shape}")
        if not (np.isfinite(chances) & (chances > 0)).all():
            raise ArgumentError("values: expected finite numbers above 0")
        value = chances
        self.trees[number].nodes, self.trees[number].values = <const csrc.bc_node *> &raw[0], &value[0, 0]
        if not csrc.bc_tree_valid(self.trees[number].nodes, <int32_t> flat.size, csrc.BC_TREE_INPUTS,
                                  <int32_t> chances.shape[0]):
            raise ArgumentError(f"nodes: expected a tree over {csrc.BC_TREE_INPUTS} inputs")
        self.kept.append((flat, chances))
        return 0

    def extended(self, models):
        """The same policies, and before the last row further ones, with the comparisons of the last row."""
        cdef TreePolicies found = TreePolicies.__new__(TreePolicies)
        cdef int i, last = (self.c.clusters - 1) * csrc.BC_SITUATIONS
        if self.trees == NULL or any(len(row) != csrc.BC_SITUATIONS for row in models):
            raise ArgumentError(f"models: expected rows of {csrc.BC_SITUATIONS}, one a situation")
        found._allocate(self.c.clusters + len(models))
        for i in range(last):
            found.trees[i] = self.trees[i]
        found.kept += self.kept[:last]
        for i, values in enumerate([each for row in models for each in row]):
            found._take(last + i, self.kept[last + i % csrc.BC_SITUATIONS][0], values)
        for i in range(csrc.BC_SITUATIONS):
            found.trees[len(found.kept) + i] = self.trees[last + i]
        found.kept += self.kept[last:]
        return found

    @property
    def clusters(self):
        return self.c.clusters

    def chances(self, inputs, int situation):
        """The probabilities of the choices: shape (clusters, rows, 10)."""
        cdef const double[:, ::1] x = np.ascontiguousarray(array(inputs, "inputs", np.float64))
        cdef const double *leaf
        cdef double[:, :, ::1] into
        cdef int cluster, choice
        cdef int64_t i
        if x.shape[1] != csrc.BC_TREE_INPUTS or not 0 <= situation < csrc.BC_SITUATIONS:
            raise ArgumentError(f"inputs: expected {csrc.BC_TREE_INPUTS} columns and a situation below "
                                f"{csrc.BC_SITUATIONS}, got {x.shape[1]} and {situation}")
        found = np.empty((self.c.clusters, x.shape[0], csrc.BC_CHOICES))
        into = found
        for cluster in range(self.c.clusters):
            tree = self.trees[cluster * csrc.BC_SITUATIONS + situation]
            for i in range(x.shape[0]):
                leaf = tree.values + csrc.BC_CHOICES * csrc.bc_tree_leaf(tree.nodes, &x[i, 0])
                for choice in range(csrc.BC_CHOICES):
                    into[cluster, i, choice] = leaf[choice]
        return found

    def moves(self, Hand hand not None, acts, board, sizes, buckets, all_in=True):
        """The moves of the player to act, (kind, amount) each, and their probabilities by cluster and bucket."""
        cdef csrc.bc_search search
        cdef csrc.bc_past past
        cdef csrc.bc_texture texture
        cdef csrc.bc_move moves[12]
        cdef csrc.bc_decision query
        cdef int cluster, bucket, count, street, most = whole(buckets, "buckets", 1, csrc.BC_EDGES + 1)
        replay(hand, acts, &past)
        street = hand.c.street
        known = as_cards(board, "board", ((0, 3, 4, 5)[street],))
        cdef const uint8_t[::1] cards = np.append(known, np.zeros(1, np.uint8))
        csrc.bc_texture_of(&cards[0], street, &texture)
        search.variant = hand.rules.c
        take_sizes(sizes, &search, all_in)
        count = csrc.bc_search_moves(&search, &hand.c, moves)
        found = np.empty((self.c.clusters, most, count))
        cdef double[:, :, ::1] into = found
        query.variant, query.state, query.past, query.texture = &hand.rules.c, &hand.c, &past, &texture
        query.moves, query.count = moves, count
        for cluster in range(self.c.clusters):
            for bucket in range(most):
                query.cluster, query.bucket = cluster, bucket
                csrc.bc_tree_policy(&self.c, &query, &into[cluster, bucket, 0])
        return tuple([(moves[i].kind, moves[i].amount) for i in range(count)]), found


cdef class Decision:
    """A decision of a hand and the models of its players: what searches begin from."""

    def __cinit__(self):
        self.buckets = NULL

    def __dealloc__(self):
        free(self.buckets)

    cdef int _decide(self, Hand hand, hole, board, weights, policies, now, edges, draw, acts, sizes, dead) except -1:
        take_sizes(sizes, &self.c)
        known = as_cards([*hole, *dead], "hole cards and dead cards", 2 + len(dead))
        self.c.hole[0], self.c.hole[1] = known[0], known[1]
        self.c.dead = 0
        for card in known[2:]:
            self.c.dead |= <uint64_t> 1 << <int> card
        self.c.variant = hand.rules.c
        self._models(policies, edges)
        self._place(hand, board, weights)
        if self.c.featured:
            replay(hand, acts, &self.c.past)
        row = self._now(now)
        cdef double out = worth_of_out(draw)
        if self.buckets == NULL:
            self.buckets = <csrc.bc_strength_buckets *> calloc(1, sizeof(csrc.bc_strength_buckets))
        if self.buckets == NULL:
            raise MemoryError("buckets of a search")
        self.c.bucket, self.c.bucket_context = csrc.bc_strength_bucket, self.buckets
        self.buckets.draw = out
        self._bucket_all(row)
        return 0

    cdef int _models(self, policies, edges) except -1:
        """The policies, hero's own last, and the edges of the buckets of later boards, by street."""
        rows = rows_of(edges)
        if isinstance(policies, TreePolicies):
            self.table.clusters, self.table.buckets = policies.clusters, csrc.BC_EDGES + 1
            self.c.featured = self.c.textured = True
            self.c.policy, self.c.policy_context = csrc.bc_tree_policy, &(<TreePolicies> policies).c
        else:
            policies = self._table(policies)
            if max(map(len, rows)) >= self.table.buckets:
                raise ArgumentError(f"edges: expected at most {self.table.buckets - 1} a street")
            self.c.featured = self.c.textured = False
            self.c.policy, self.c.policy_context = csrc.bc_price_policy, &self.table
        if self.table.clusters < 2:
            raise ArgumentError("policies: expected those of at least one cluster, and the player's own")
        self.c.clusters = self.c.self_cluster = self.table.clusters - 1
        self.kept = [policies, rows, None]
        return 0

    cdef object _table(self, chances):
        table = np.array(array(chances, "chances", np.float64), order="C")
        if table.ndim != 5 or table.shape[0] < 2 or table.shape[1:3] != (csrc.BC_STREETS, csrc.BC_PRICES):
            raise ArgumentError(f"chances: expected shape (clusters + 1, 4, {csrc.BC_PRICES}, buckets, 3), "
                                f"got {table.shape}")
        if table.shape[4] != csrc.BC_KINDS or not 1 <= table.shape[3] <= csrc.BC_EDGES + 1:
            raise ArgumentError(f"chances: expected 1..{csrc.BC_EDGES + 1} buckets and 3 kinds, got {table.shape[3:]}")
        if not (np.isfinite(table) & (table >= 0)).all() or not (table[..., csrc.BC_CALL] > 0).all():
            raise ArgumentError("chances: expected finite numbers, at least 0, and above 0 for a check or call")
        self.table.clusters, self.table.buckets = table.shape[0], table.shape[3]
        cdef double[::1] flat = table.reshape(-1)
        self.table.chances = &flat[0]
        return table

    cdef int _place(self, Hand hand, board, weights) except -1:
        """The state, the board and the ranges of a decision, once all are checked."""
        if hand.c.to_act < 0:
            raise VariantError("search of a hand that is over: expected a player to act")
        if hand.rules.c.seats != self.c.variant.seats or hand.rules.c.limit != self.c.variant.limit:
            raise VariantError("search continued in another game")
        return self._deal(hand.c, [self.c.hole[0], self.c.hole[1]], board, weights)

    cdef int _deal(self, csrc.bc_state state, hole, board, weights) except -1:
        cdef int i, seat, hero = state.to_act
        shown = (0, 3, 4, 5)[state.street]
        known = as_cards([*hole, *board], "hole cards and board", 2 + shown)
        blocked = {card for card in range(52) if self.c.dead >> <int> card & 1}
        if blocked.intersection(known):
            raise ArgumentError("dead cards: expected cards that are neither in the hand nor on the board")
        blocked.update(int(card) for card in known)
        if 52 - len(blocked) < 2 * self.c.variant.seats + 3:
            raise ArgumentError("dead cards: expected more cards left to deal")
        ranges = np.array(array(weights, "weights", np.float64), order="C")
        if ranges.shape != (self.c.variant.seats, self.c.clusters, HOLDINGS):
            raise RangeError(f"weights: expected shape {(self.c.variant.seats, self.c.clusters, HOLDINGS)}, "
                             f"got {ranges.shape}")
        free_ones = ~blocked_by(sorted(blocked))
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
        self.c.hole[0], self.c.hole[1] = known[0], known[1]
        for i in range(shown):
            self.c.board[i] = known[2 + i]
        return 0

    cdef object _now(self, now):
        row = np.array(array(now, "now"))
        if row.shape != (HOLDINGS,) or row.dtype.kind not in "iu":
            raise ArgumentError(f"now: expected {HOLDINGS} bucket numbers, got shape {row.shape} of {row.dtype}")
        if row.min() < 0 or row.max() >= self.table.buckets:
            raise ArgumentError(f"now: expected buckets 0..{self.table.buckets - 1}, got {row.min()}..{row.max()}")
        return row.astype(np.uint8)

    cdef int _bucket_all(self, const uint8_t[::1] row) except -1:
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

    cdef int _shown(self):
        return 0 if self.c.state.street == 0 else self.c.state.street + 2


@cython.final
cdef class Search(Decision):
    """A search tree, kept over the decisions of one hand."""

    def __cinit__(self):
        self.c.nodes = NULL

    def __dealloc__(self):
        free(self.c.nodes)

    def __init__(self, Hand hand not None, hole, board, weights, policies, now, edges, *, draw=0.0, ranked=False,
                 acts=(), sizes=(), all_in=True, explore=1.0, prune=0.0, backup="frequency", nodes=100000, dead=(),
                 seed=0):
        if self.c.nodes != NULL:
            raise ArgumentError("a search is initialised once")
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        capacity = whole(nodes, "nodes", 1 + csrc.BC_SEARCH_MOVES, MOST_NODES)
        if backup not in BACKUPS:
            raise ArgumentError(f"backup: expected one of {BACKUPS}, got {brief(backup)}")
        self.c.explore, self.c.prune = number(explore, "explore"), number(prune, "prune")
        self.c.backup = csrc.BC_MAXIMUM if backup == "maximum" else csrc.BC_FREQUENCY
        self._decide(hand, hole, board, weights, policies, now, edges, draw, acts, sizes, dead)
        self.c.sized, self.buckets.ranked = not all_in, bool(ranked)
        self.c.nodes = <csrc.bc_search_node *> calloc(capacity, sizeof(csrc.bc_search_node))
        if self.c.nodes == NULL:
            raise MemoryError(f"{capacity} nodes of a search")
        self.c.capacity = capacity
        with nogil:
            csrc.bc_search_start(&self.c, first)

    def advance(self, Hand hand not None, board, weights, now, moves, seed=0, explore=None):
        """Go on with a later decision of the same hand; whether the tree was kept."""
        self._begun()
        cdef csrc.bc_move acts[64]
        cdef int i, n = len(moves)
        cdef bint kept
        cdef csrc.bc_state then = self.c.state, state = then
        cdef csrc.bc_past past = self.c.past
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        if n > 64:
            raise ArgumentError(f"moves: expected at most 64, got {n}")
        for i in range(n):
            acts[i].kind = whole(moves[i][0], "kind", 0, csrc.BC_KINDS - 1)
            acts[i].amount = whole(moves[i][1], "amount", 0, MOST_INT64) if acts[i].kind == csrc.BC_RAISE else 0
            if state.to_act < 0 or not csrc.bc_state_can(&self.c.variant, &state, acts[i].kind, acts[i].amount):
                raise IllegalAction(f"move {i} of {n}, {tuple(moves[i])}: expected a legal one")
            csrc.bc_past_act(&self.c.variant, &state, &past, acts[i].kind, acts[i].amount)
            csrc.bc_state_apply(&self.c.variant, &state, acts[i].kind, acts[i].amount)
        if state.to_act != self.c.hero or not same(self.c.variant.seats, &state, &hand.c):
            raise ArgumentError("moves: expected those from the last decision to the player's next one")
        if list(board)[:self._shown()] != [self.c.board[i] for i in range(self._shown())]:
            raise ArgumentError("board: expected the last board and later cards")
        row = self._now(now)
        constant = self.c.explore if explore is None else number(explore, "explore")
        self._place(hand, board, weights)
        self.c.past, self.c.explore = past, constant
        with nogil:
            kept = csrc.bc_search_continue(&self.c, &then, acts, n, first)
        self._bucket_all(row)
        return kept

    def restart(self, hole, weights, seed=0):
        """Begin again at the same decision with other hole cards and weights; buckets of boards are kept."""
        self._begun()
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        cdef int i
        own = as_cards(hole, "hole cards", 2)
        self._deal(self.c.state, own, [self.c.board[i] for i in range(self._shown())], weights)
        with nogil:
            csrc.bc_search_start(&self.c, first)

    cdef int _begun(self) except -1:
        if self.c.nodes == NULL:
            raise ArgumentError("search: expected one that __init__ has begun")
        return 0

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
