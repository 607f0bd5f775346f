# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Equilibria of heads-up spots: range against range over a betting tree to the end of the hand."""

cimport cython

from libc.math cimport HUGE_VAL
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc

from threading import Event, Thread
from typing import NamedTuple

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import ArgumentError, CardError, brief
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import whole
from baycarp.kernels.hands import rank
from baycarp.kernels.interrupt cimport check, stopped
from baycarp.kernels.simd cimport LEVEL

__all__ = [
    "ACTIONS", "DEAL", "DECISION", "END", "GIVEN", "SCHEMES", "SHOWDOWN", "SUM", "Engine", "Probe", "engine_bytes",
]

DECISION, END, SHOWDOWN, DEAL, SUM, GIVEN = range(6)
ACTIONS = csrc.BC_SPOT_ACTIONS
THREADS, DEPTH = 256, 500
MODES = {None: csrc.BC_SPOT_MEAN, "locked": csrc.BC_SPOT_LOCKED, "free": csrc.BC_SPOT_FREE}

SCHEMES = {
    "dcfr": (1.5, 0.0, 4.0, 0),
    "dcfr-restart": (1.5, 0.0, 3.0, 4),
    "cfr": (HUGE_VAL, HUGE_VAL, 0.0, 0),
    "cfr+": (HUGE_VAL, -HUGE_VAL, 1.0, 0),
    "linear": (1.0, 1.0, 1.0, 0),
}


class Probe(NamedTuple):
    reach: tuple
    strategy: np.ndarray
    value: tuple
    action_value: np.ndarray


def _items(given, name, number):
    try:
        items = tuple(given)
    except TypeError:
        raise TypeError(f"{name}: expected {number} of them, got {brief(given)}") from None
    if len(items) != number:
        raise ArgumentError(f"{name}: expected {number} of them, got {len(items)}")
    return items


def _converted(given, dtype, name):
    """An array of a type, whose numbers are those that were given."""
    try:
        numbers = np.asarray(given)
        array = np.ascontiguousarray(numbers, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArgumentError(f"{name}: expected numbers of {np.dtype(dtype)}: {error}") from None
    if array.dtype.kind != "f" and not np.array_equal(array, numbers):
        raise ArgumentError(f"{name}: expected numbers of {np.dtype(dtype)}, got others")
    return array


def _tree_array(given, dtype, name, shape):
    array = _converted(given, dtype, name)
    if array.shape != shape:
        raise ArgumentError(f"{name}: expected {np.dtype(dtype)}, shape {shape}, got shape {array.shape}")
    return array


def _verify_tree(kind, player, first, count, payoff, streets):
    """Every node is reached once, on a street that the board has, and pays finite chips."""
    nodes = len(kind)
    if not nodes:
        raise ArgumentError("tree: expected a root, got no node")
    if kind.max() > GIVEN:
        raise ArgumentError(f"kind: expected 0..{GIVEN}, got {kind.max()}")
    street, depth = np.full(nodes, -1), np.zeros(nodes, int)
    street[0] = 0
    for node in range(nodes):
        of, begin, number = kind[node], int(first[node]), int(count[node])
        if street[node] < 0:
            raise ArgumentError(f"node {node}: expected a parent before it")
        if of == GIVEN and (street[node] or player[node] not in (0, 1)):
            raise ArgumentError(f"node {node}: expected what is given on the first street, to player 0 or 1")
        if of in (END, SHOWDOWN, GIVEN):
            if number or not np.isfinite(payoff[node]).all() or np.abs(payoff[node]).max() > 1e12:
                raise ArgumentError(f"node {node}: expected a leaf without children and finite chips up to 1e12")
            if of != SHOWDOWN and (payoff[node] != payoff[node][:, :1]).any():
                raise ArgumentError(f"node {node}: expected three equal numbers of each player, got {payoff[node].tolist()}")
            continue
        most = 1 if of == DEAL else ACTIONS
        if not 1 <= number <= most or begin <= node or begin + number > nodes:
            raise ArgumentError(f"node {node}: expected 1..{most} children after it, got {number} from {begin} of {nodes}")
        if of == DECISION and player[node] not in (0, 1):
            raise ArgumentError(f"node {node}: expected player 0 or 1, got {player[node]}")
        below = street[node] + (of == DEAL)
        if below >= streets:
            raise ArgumentError(f"node {node}: a card is dealt after the river")
        if (street[begin:begin + number] >= 0).any():
            raise ArgumentError(f"node {node}: a child has another parent")
        street[begin:begin + number] = below
        depth[begin:begin + number] = depth[node] + 1
        if depth[node] >= DEPTH:
            raise ArgumentError(f"node {node}: expected at most {DEPTH} actions before it")
    return street


@cython.final
cdef class _Spot:
    """The arguments of an engine, checked, as C reads them."""

    cdef csrc.bc_spot_game c
    cdef object work
    cdef readonly tuple cards, weights
    cdef readonly object kind, player, first, count, payoff, street
    cdef readonly bytes dealt

    def __init__(self, board, holdings, weights, kind, player, first, count, payoff, suits, bits, threads):
        cdef const uint8_t[::1] dealt = as_cards(board, "board", (3, 4, 5))
        cdef const uint8_t[:, ::1] card
        cdef const float[::1] weight_row
        cdef int32_t[::1] work
        cdef const uint8_t[::1] kinds
        cdef const int8_t[::1] players
        cdef const int32_t[::1] firsts, counts
        cdef const double[:, :, ::1] payoffs
        cdef int i, p
        cdef csrc.bc_spot_game *c = &self.c
        self.c.cards = <int> dealt.shape[0]
        self.dealt = bytes(dealt)
        for i in range(self.c.cards):
            self.c.board[i] = dealt[i]
        suits, holdings, weights = _items(suits, "suits", 4), _items(holdings, "holdings", 2), _items(weights, "weights", 2)
        for i in range(4):
            self.c.suit[i] = whole(suits[i], "suits", 0, 3)
        if bits not in (16, 32):
            raise ArgumentError(f"bits: expected 16 or 32, got {brief(bits)}")
        self.c.bits, self.c.threads = bits, whole(threads, "threads", 1, THREADS)
        lists, values = [], []
        for p in range(2):
            cards = _converted(holdings[p], np.uint8, f"holdings of player {p}")
            weighed = _converted(weights[p], np.float32, f"weights of player {p}")
            if cards.ndim != 2 or cards.shape[1] != 2 or not 1 <= len(cards) <= csrc.BC_SPOT_LIST:
                raise ArgumentError(
                    f"holdings of player {p}: expected shape (1..{csrc.BC_SPOT_LIST}, 2), got {cards.shape}")
            if cards.max() > 51 or (cards[:, 0] == cards[:, 1]).any():
                raise CardError(f"holdings of player {p}: expected two different cards 0..51 each")
            high, low = cards.max(axis=1).astype(int), cards.min(axis=1).astype(int)
            if np.bincount(high * (high - 1) // 2 + low).max() > csrc.BC_SPOT_TYPES:
                raise ArgumentError(
                    f"holdings of player {p}: expected the same cards at most {csrc.BC_SPOT_TYPES} times")
            if weighed.shape != (len(cards),):
                raise ArgumentError(f"weights of player {p}: expected shape ({len(cards)},), got {weighed.shape}")
            if not np.isfinite(weighed).all() or weighed.min() < 0 or weighed.max() > 1e6:
                raise ArgumentError(f"weights of player {p}: expected 0..1e6")
            lists.append(cards)
            values.append(weighed)
            card, weight_row = cards, weighed
            self.c.count[p] = <int> len(cards)
            c.card[p] = &card[0, 0]
            c.weight[p] = &weight_row[0]
        self.cards, self.weights = tuple(lists), tuple(values)
        self.kind = _converted(kind, np.uint8, "kind")
        nodes = self.kind.size
        if self.kind.ndim != 1:
            raise ArgumentError(f"kind: expected shape (nodes,), got {self.kind.shape}")
        self.player = _tree_array(player, np.int8, "player", (nodes,))
        self.first = _tree_array(first, np.int32, "first", (nodes,))
        self.count = _tree_array(count, np.int32, "count", (nodes,))
        self.payoff = _converted(payoff, np.float64, "payoff")
        if self.payoff.shape != (nodes, 2, 3):
            raise ArgumentError(f"payoff: expected shape ({nodes}, 2, 3), got {self.payoff.shape}")
        self.street = _verify_tree(self.kind, self.player, self.first, self.count, self.payoff, 6 - self.c.cards)
        kinds, players, firsts, counts, payoffs = self.kind, self.player, self.first, self.count, self.payoff
        c.tree.nodes = <int> nodes
        c.tree.kind = &kinds[0]
        c.tree.player = &players[0]
        c.tree.first = &firsts[0]
        c.tree.count = &counts[0]
        c.tree.payoff = &payoffs[0, 0, 0]
        self.work = np.empty(3 * nodes, np.int32)

    def bytes(self):
        cdef int32_t[::1] work = self.work
        cdef size_t found
        with nogil:
            found = csrc.bc_spot_bytes(&self.c, &work[0])
        return found


def engine_bytes(board, holdings, weights, kind, player, first, count, payoff, *, suits=(0, 1, 2, 3), bits=32, threads=1):
    return _Spot(board, holdings, weights, kind, player, first, count, payoff, suits, bits, threads).bytes()


@cython.final
cdef class Engine:
    cdef csrc.bc_spot_solver *c
    cdef _Spot spot
    cdef csrc.bc_spot_lock *locks
    cdef object memory
    cdef bint at_work, is_complete, are_new
    cdef dict fixed
    cdef readonly int threads, bits
    cdef readonly Py_ssize_t nbytes
    cdef object _found, _ordinal

    def __cinit__(self):
        self.locks = NULL

    def __dealloc__(self):
        free(self.locks)

    def __init__(self, board, holdings, weights, kind, player, first, count, payoff, *, suits=(0, 1, 2, 3), bits=32,
                 threads=1):
        cdef uint8_t[::1] memory
        cdef int32_t[::1] work
        cdef size_t at
        self.spot = _Spot(board, holdings, weights, kind, player, first, count, payoff, suits, bits, threads)
        self.threads, self.bits = threads, bits
        self.nbytes = self.spot.bytes()
        try:
            self.memory = np.zeros(self.nbytes + 64, np.uint8)
        except MemoryError:
            raise MemoryError(f"a spot of {self.nbytes} bytes does not fit in memory") from None
        memory, work = self.memory, self.spot.work
        at = (64 - <size_t> &memory[0] % 64) % 64
        with nogil:
            self.c = csrc.bc_spot_make(&self.spot.c, &work[0], &memory[at])
        if not csrc.bc_spot_mass(self.c) > 0:
            raise ArgumentError("the two ranges have no holdings that can meet beside the board")
        self.fixed = {}
        self._found, self._ordinal = [], []
        for cards in self.spot.cards:
            table = np.full((1326, csrc.BC_SPOT_TYPES), -1, np.int32)
            seen, ordinal = np.zeros(1326, np.int32), np.empty(len(cards), np.int32)
            for i, h in enumerate(_numbers(cards)):
                ordinal[i] = seen[h]
                table[h, seen[h]] = i
                seen[h] += 1
            self._found.append(table)
            self._ordinal.append(ordinal)

    @property
    def iterations(self):
        return csrc.bc_spot_iterations(self.c)

    def _work(self):
        """All threads at once; this one is worker 0."""
        self._set_locks()
        others, all_here = [], Event()
        self.at_work, self.is_complete = True, False
        try:
            for worker in range(1, self.threads):
                others.append(Thread(target=self._help, args=(worker, all_here), daemon=True))
                others[worker - 1].start()
            self.is_complete = True
            all_here.set()
            with nogil:
                csrc.bc_spot_run(LEVEL, self.c, 0, &stopped)
            for other in others:
                other.join()
        finally:
            all_here.set()
            self.at_work = False
        check()

    cdef int _verify_idle(self) except -1:
        if self.at_work:
            raise ArgumentError("the engine is at work in another thread")
        return 0

    def _help(self, int worker, all_here):
        all_here.wait()
        if self.is_complete:
            with nogil:
                csrc.bc_spot_run(LEVEL, self.c, worker, NULL)

    def run(self, iterations, discount="dcfr", parts=1):
        cdef csrc.bc_spot_weights weights
        if isinstance(discount, str):
            if discount not in SCHEMES:
                raise ArgumentError(f"discount {brief(discount)}: expected one of {', '.join(SCHEMES)}, or four numbers")
            discount = SCHEMES[discount]
        if len(discount) not in (3, 4):
            raise ArgumentError(f"discount {brief(discount)}: expected a name, or (positive, negative, average, restart)")
        positive, negative, average = map(float, discount[:3])
        if positive != positive or negative != negative or not 0 <= average <= 100:
            raise ArgumentError(f"discount {brief(discount)}: expected numbers, the third 0..100")
        weights.positive, weights.negative, weights.average = positive, negative, average
        weights.restart = whole(discount[3], "restart", 0, 1 << 20) if len(discount) == 4 else 0
        weights.parts = whole(parts, "parts", 1, 52)
        self._verify_idle()
        csrc.bc_spot_begin(self.c, whole(iterations, "iterations", 0, 1 << 30), &weights)
        self._work()

    def _value(self, int player, mode, bint keep):
        self._verify_idle()
        csrc.bc_spot_begin_value(self.c, player, mode, keep)
        self._work()
        return csrc.bc_spot_value(self.c)

    def values(self, response=None):
        if response not in MODES:
            raise ArgumentError(f"response {brief(response)}: expected None, 'locked' or 'free'")
        return np.array([self._value(player, MODES[response], False) for player in range(2)])

    def best_values(self, player, node, cards=()):
        cdef int at, board, own
        cdef double[::1] reach, value, action
        cdef csrc.bc_spot_rows rows
        player = own = whole(player, "player", 0, 1)
        node = at = self._decision(node)
        found, suit = self._board(node, cards)
        board = found
        self._verify_idle()
        places = [self._places(board, p, suit) for p in range(2)]
        padded = [max(csrc.bc_spot_padded(self.c, board, p), 1) for p in range(2)]
        actions = int(self.spot.count[node]) if self.spot.player[node] == player else 0
        reach, value, action = np.zeros(padded[1 - player]), np.zeros(padded[player]), np.zeros(actions * padded[player] + 1)
        rows.reach, rows.value, rows.action = &reach[0], &value[0], &action[0]
        self._set_locks()
        self.at_work = True
        with nogil:
            csrc.bc_spot_probe(LEVEL, self.c, at, board, own, csrc.BC_SPOT_LOCKED, rows)
        self.at_work = False
        best = np.asarray(value)
        if actions:
            best = np.asarray(action)[:-1].reshape(actions, -1).max(axis=0)
        met = _met(self.spot.cards[player], self.spot.cards[1 - player], _spread(np.asarray(reach), places[1 - player], 0.0))
        return _over(_spread(best, places[player], np.nan), met)

    def respond(self, player):
        return self._value(whole(player, "player", 0, 1), csrc.BC_SPOT_LOCKED, True)

    def _decision(self, node):
        node = whole(node, "node", 0, len(self.spot.kind) - 1)
        if self.spot.kind[node] != DECISION:
            raise ArgumentError(f"node {node}: expected a decision")
        return node

    def _board(self, int node, cards):
        """The board of cards dealt since the start, and the suit that each suit becomes."""
        cdef uint8_t suit[4]
        cdef uint8_t dealt[3]
        given = np.asarray(as_cards(cards, "cards", int(self.spot.street[node])))
        for i, card in enumerate(given):
            dealt[i] = card
        board = csrc.bc_spot_find(self.c, dealt, <int> len(given), suit)
        if board < 0:
            raise CardError(f"cards {given.tolist()}: expected cards that are not on the board")
        return board, np.array([suit[i] for i in range(4)])

    def _places(self, int board, int player, suit):
        """The place of each holding of a player's list in the rows of a board, -1 where it is blocked."""
        cdef int i, padded = csrc.bc_spot_padded(self.c, board, player)
        cdef int32_t[::1] listed = np.empty(max(padded, 1), np.int32)
        csrc.bc_spot_order(self.c, board, player, &listed[0])
        of_list = np.full(len(self.spot.cards[player]), -1, np.int32)
        for i in range(padded):
            if listed[i] >= 0:
                of_list[listed[i]] = i
        cards = self.spot.cards[player].astype(int)
        there = _numbers(cards - cards % 4 + suit[cards % 4])
        return of_list[self._found[player][there, self._ordinal[player]]]

    def _sums(self, int node, int board):
        """Views of a decision's cells in the table of sums."""
        cdef int player = self.spot.player[node], padded = csrc.bc_spot_padded(self.c, board, player)
        at = csrc.bc_spot_cell(self.c, node, board)
        actions = int(self.spot.count[node])
        return self.state()["sums"][at:at + actions * padded].reshape(actions, padded)

    def _strategy(self, int node, int board):
        sums = np.maximum(self._sums(node, board).astype(np.float64), 0)
        fixed = self.fixed.get((node, board))
        if fixed is None:
            fixed = np.full(sums.shape, np.nan)
        is_free = ~(fixed >= 0)
        known = np.abs(np.nan_to_num(fixed.astype(np.float64), nan=0.0))
        rest = np.maximum(1 - known.sum(axis=0), 0) * is_free.any(axis=0)
        sums = np.where(is_free, sums, 0)
        all_sums = sums.sum(axis=0)
        shares = np.where(all_sums > 0, sums / np.where(all_sums > 0, all_sums, 1),
                          is_free / np.maximum(is_free.sum(axis=0), 1))
        return known + rest * shares

    def probe(self, node, cards=()):
        cdef int at, board, p
        cdef double[::1] reach, value, action
        cdef csrc.bc_spot_rows to
        node = at = whole(node, "node", 0, len(self.spot.kind) - 1)
        found, suit = self._board(node, cards)
        board, kind = found, self.spot.kind[node]
        if kind in (SUM, GIVEN):
            raise ArgumentError(f"node {node}: expected a decision, a deal, a fold or a showdown")
        self._verify_idle()
        places = [self._places(board, p, suit) for p in range(2)]
        rows = [csrc.bc_spot_padded(self.c, board, p) for p in range(2)]
        player = int(self.spot.player[node]) if kind == DECISION else 0
        actions = int(self.spot.count[node]) if kind == DECISION else 0
        reaches, values = [None, None], [None, None]
        own = np.zeros(actions * rows[player] + 1)
        for p in range(2):
            reaches[1 - p], values[p] = np.zeros(max(rows[1 - p], 1)), np.zeros(max(rows[p], 1))
            reach, value, action = reaches[1 - p], values[p], own
            to.reach, to.value, to.action = &reach[0], &value[0], &action[0]
            self._set_locks()
            self.at_work = True
            with nogil:
                csrc.bc_spot_probe(LEVEL, self.c, at, board, p, csrc.BC_SPOT_MEAN, to)
            self.at_work = False
        chance = 1.0
        for i in range(int(self.spot.street[node])):
            chance *= 52 - 4 - self.spot.c.cards - i
        reaches = [_spread(reaches[p] * chance, places[p], 0.0) for p in range(2)]
        met = [_met(self.spot.cards[p], self.spot.cards[1 - p], reaches[1 - p]) for p in range(2)]
        values = [_over(_spread(values[p] * chance, places[p], np.nan), met[p]) for p in range(2)]
        if kind in (END, SHOWDOWN) and (kind == END or self.spot.street[node] + self.spot.c.cards == 5):
            values = [_over(self._leaf(node, cards, p, reaches[1 - p]), met[p]) for p in range(2)]
            values = [np.where(places[p] >= 0, values[p], np.nan) for p in range(2)]
        if kind != DECISION:
            return Probe(tuple(reaches), np.zeros((0, 0)), tuple(values), np.zeros((0, 0)))
        by_action = own[:actions * rows[player]].reshape(actions, -1) * chance
        by_action = _over(_spread(by_action, places[player], np.nan), met[player])
        strategy = _spread(self._strategy(node, board), places[player], 0.0)
        values[player] = (strategy * by_action).sum(axis=0)
        return Probe(tuple(reaches), strategy, tuple(values), by_action)

    def _leaf(self, node, cards, player, reach):
        """What a player's holdings are worth at the end of a hand, times the weight that they meet."""
        own, other = self.spot.cards[player], self.spot.cards[1 - player]
        win, tie, lose = self.spot.payoff[node, player]
        if self.spot.kind[node] == END:
            return win * _met(own, other, reach)
        ranks = [_ranks(of, self.spot.dealt + bytes(as_cards(cards))) for of in (own, other)]
        ahead = np.sign(ranks[0][:, None].astype(int) - ranks[1])
        apart = (own[:, None, :, None] != other[None, :, None, :]).all(axis=(2, 3))
        return (np.choose(ahead + 1, (lose, tie, win)) * apart) @ reach

    def strategy(self, node, cards=()):
        node = self._decision(node)
        board, suit = self._board(node, cards)
        return _spread(self._strategy(node, board), self._places(board, self.spot.player[node], suit), 0.0)

    def lock(self, node, cards, fixed):
        cdef uint8_t dealt[3]
        node = self._decision(node)
        shares = _converted(fixed, np.float32, "fixed")
        player = self.spot.player[node]
        shape = int(self.spot.count[node]), len(self.spot.cards[player])
        if shares.shape != shape:
            raise ArgumentError(f"fixed: expected shape {shape}, got {shares.shape}")
        known = np.abs(np.nan_to_num(shares, nan=0.0))
        if not (np.isfinite(known).all() and known.sum(axis=0).max() <= 1 + 1e-5):
            raise ArgumentError("fixed: expected shares of size 0..1 with a sum of at most 1 a holding, or NaN")
        short = (shares >= 0).all(axis=0) & (np.abs(known.sum(axis=0) - 1) > 1e-5)
        if short.any():
            raise ArgumentError(f"fixed: expected a sum of 1 where no action is free, got {known.sum(axis=0)[short][0]:g}")
        if cards is None:
            same = np.arange(4)
            boards = [(csrc.bc_spot_board(self.c, node, i, dealt), same) for i in range(csrc.bc_spot_boards(self.c, node))]
        else:
            boards = [self._board(node, cards)]
        for board, suit in boards:
            places = self._places(board, player, suit)
            row = np.full((shape[0], csrc.bc_spot_padded(self.c, board, player)), np.nan, np.float32)
            row[:, places[places >= 0]] = shares[:, places >= 0]
            self.fixed[node, board] = row
        self._verify_idle()
        self.are_new = True

    def unlock(self):
        self.fixed.clear()
        self._verify_idle()
        self.are_new = True

    def _set_locks(self):
        """Give the engine the locks, if there are new ones."""
        if not self.are_new:
            return
        cdef const float[:, ::1] row
        cdef int i
        free(self.locks)
        self.locks = <csrc.bc_spot_lock *> malloc((len(self.fixed) + 1) * sizeof(csrc.bc_spot_lock))
        if self.locks == NULL:
            raise MemoryError
        for i, (key, fixed) in enumerate(sorted(self.fixed.items(), key=lambda item: item[0])):
            row = fixed
            self.locks[i].node, self.locks[i].board = key
            self.locks[i].fixed = &row[0, 0] if row.shape[1] else NULL
        csrc.bc_spot_set_locks(self.c, self.locks, <int> len(self.fixed))
        self.are_new = False

    def set_payoff(self, node, payoff):
        cdef double[:, ::1] of = np.atleast_2d(_converted(payoff, np.float64, "payoff"))
        node = whole(node, "node", 0, len(self.spot.kind) - 1)
        if self.spot.kind[node] not in (END, SHOWDOWN) or np.shape(of) != (2, 3) or not np.isfinite(of).all():
            raise ArgumentError(f"node {node}: expected a leaf and finite chips of shape (2, 3), got {np.shape(of)}")
        csrc.bc_spot_set_payoff(self.c, node, &of[0, 0])

    def set_given(self, node, chips):
        cdef double[::1] of = _converted(chips, np.float64, "chips")
        node = whole(node, "node", 0, len(self.spot.kind) - 1)
        if self.spot.kind[node] != GIVEN:
            raise ArgumentError(f"node {node}: expected a leaf of what is given")
        rows = len(self.spot.cards[self.spot.player[node]])
        if np.shape(of) != (rows,) or not np.isfinite(of).all():
            raise ArgumentError(f"chips: expected finite numbers of shape ({rows},), got {np.shape(of)}")
        self._verify_idle()
        csrc.bc_spot_set_given(self.c, node, &of[0])

    def boards(self, node):
        cdef uint8_t dealt[3]
        cdef int i, street, at = self._decision(node)
        street = int(self.spot.street[at])
        found = []
        for i in range(csrc.bc_spot_boards(self.c, at)):
            csrc.bc_spot_board(self.c, at, i, dealt)
            found.append(bytes([dealt[k] for k in range(street)]))
        return found

    def play(self, node, table, classes, bint begin=False):
        cdef const float[:, ::1] shares = _converted(table, np.float32, "table")
        cdef const uint16_t[:, ::1] class_of = _converted(classes, np.uint16, "classes")
        cdef int at, boards, actions, i, a, board, padded, player
        cdef Py_ssize_t k, row
        cdef uint8_t dealt[3]
        cdef float *cells
        cdef int32_t[::1] listed
        cdef const int32_t[::1] number
        node = at = self._decision(node)
        if self.bits != 32:
            raise ArgumentError("play: expected tables of 32 bits")
        player, actions = self.spot.player[node], int(self.spot.count[node])
        boards = csrc.bc_spot_boards(self.c, node)
        if np.shape(shares)[1] != actions or np.shape(class_of) != (boards, 1326):
            raise ArgumentError(f"play: expected a table of {actions} actions and classes of shape ({boards}, 1326), "
                                f"got {np.shape(shares)} and {np.shape(class_of)}")
        if np.max(class_of) >= np.shape(shares)[0] or not (np.isfinite(shares).all() and np.min(shares) >= 0):
            raise ArgumentError("play: expected shares of every class, finite and at least 0")
        self._verify_idle()
        number = _numbers(self.spot.cards[player]).astype(np.int32)
        listed = np.empty(max(len(self.spot.cards[player]), 1) + 64, np.int32)
        cells = <float *> (csrc.bc_spot_tables_of(self.c).regret if begin else csrc.bc_spot_tables_of(self.c).sum)
        with nogil:
            for i in range(boards):
                board = csrc.bc_spot_board(self.c, at, i, dealt)
                padded = csrc.bc_spot_padded(self.c, board, player)
                csrc.bc_spot_order(self.c, board, player, &listed[0])
                row = csrc.bc_spot_cell(self.c, at, board)
                for k in range(padded):
                    for a in range(actions):
                        cells[row + a * padded + k] = (
                            shares[class_of[i, number[listed[k]]], a] if listed[k] >= 0 else 0)

    def resume(self, iterations):
        self._verify_idle()
        csrc.bc_spot_resume(self.c, whole(iterations, "iterations", 0, 1 << 40))

    def state(self):
        cdef csrc.bc_spot_tables tables = csrc.bc_spot_tables_of(self.c)
        cell = np.float32 if self.bits == 32 else np.int16
        start = self.memory.ctypes.data
        found = {"iterations": np.array(self.iterations)}
        for name, at, number, dtype in (
            ("regret", <size_t> tables.regret, tables.cells, cell),
            ("sums", <size_t> tables.sum, tables.cells, cell if self.bits == 32 else np.uint16),
            ("regret_scale", <size_t> tables.regret_scale, tables.scales, np.float32),
            ("sums_scale", <size_t> tables.sum_scale, tables.scales, np.float32),
        ):
            if number:
                begin = at - start
                found[name] = self.memory[begin:begin + number * np.dtype(dtype).itemsize].view(dtype)
        return found

    def restore(self, state):
        self._verify_idle()
        own = self.state()
        for name, array in own.items():
            given = np.asarray(state[name]) if name in state else None
            if given is None or given.shape != array.shape or (name != "iterations" and given.dtype != array.dtype):
                raise ArgumentError(f"state {name}: expected {array.dtype}, shape {array.shape}")
            if given.dtype.kind == "f" and not np.isfinite(given).all():
                raise ArgumentError(f"state {name}: expected finite numbers")
        self.resume(state["iterations"].item())
        for name, array in own.items():
            if name != "iterations":
                array[:] = state[name]


def _numbers(cards):
    """The numbers of holdings, by their two cards."""
    cards = np.asarray(cards, int)
    high, low = cards.max(axis=1), cards.min(axis=1)
    return high * (high - 1) // 2 + low


def _ranks(holdings, board):
    """Ranks of holdings on five cards; 0 where they clash."""
    board = np.frombuffer(board, np.uint8)
    apart = ~np.isin(holdings, board).any(axis=1)
    found = np.zeros(len(holdings), np.uint16)
    seven = np.column_stack([holdings[apart], np.tile(board, (apart.sum(), 1))])
    found[apart] = rank(seven)
    return found


def _spread(rows, places, missing):
    """Rows of a board in the order of a player's list."""
    if not rows.shape[rows.ndim - 1]:
        return np.full(rows.shape[:rows.ndim - 1] + places.shape, missing)
    return np.where(places >= 0, rows[..., places], missing)


def _met(own, other, reach):
    """The weight of the other's holdings that do not clash with each own one."""
    number = _numbers(other)
    by_card = np.bincount(other.ravel(), np.repeat(reach, 2), 52)
    by_holding = np.bincount(number, reach, 1326)
    return reach.sum() - by_card[own].sum(axis=1) + by_holding[_numbers(own)]


def _over(rows, met):
    possible = met > 1e-12 * max(met.max(initial=0), 1e-300)
    return np.where(possible, rows / np.where(possible, met, 1), np.nan)
