# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The best response on one street of heads-up fixed limit, for all holdings at once."""

cimport cython

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t, uint16_t

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.arguments import whole
from baycarp.kernels.simd cimport LEVEL

__all__ = ["ANSWERS", "ENDS", "LANES", "Street", "add_values", "zeros"]

LANES, ENDS, ANSWERS = csrc.BC_STREET_LANES, csrc.BC_STREET_ENDS, csrc.BC_STREET_ANSWERS
_LINE = 8  # numbers of a line of the cache: lanes in one line are read and written in one step


def zeros(*shape):
    size = LANES * int(np.prod(shape))
    array = np.zeros(size + _LINE)
    first = -(array.ctypes.data // array.itemsize) % _LINE
    return array[first : first + size].reshape(*shape, LANES)


def _array(given, name, kind, shape, most=None):
    """A contiguous array of a shape; -1 fits any length above 0."""
    array = np.ascontiguousarray(given, kind)
    fits = len(array.shape) == len(shape) and all(a == b or (b == -1 and a) for a, b in zip(array.shape, shape))
    if not fits:
        raise ArgumentError(f"{name}: expected shape {shape}, -1 for any length, got {array.shape}")
    if most is not None and array.size and array.max() >= most:
        raise ArgumentError(f"{name}: expected numbers below {most}, got {array.max()}")
    return array


def _rows(given, name, groups, holdings):
    if not isinstance(given, np.ndarray) or given.dtype != np.float64 or not given.flags.c_contiguous:
        raise ArgumentError(f"{name}: expected a contiguous float64 array")
    if given.shape != (groups, holdings, LANES):
        raise ArgumentError(f"{name}: expected shape {(groups, holdings, LANES)}, got {given.shape}")
    return given


@cython.final
cdef class Street:
    cdef csrc.bc_street c
    cdef const uint16_t[::1] holding, rank, cell
    cdef const uint8_t[:, ::1] cards
    cdef const uint16_t[:, ::1] image
    cdef const double[:, :, :, :, ::1] policy
    cdef const double[:, ::1] paid

    def __init__(self, board, betting, first):
        holdings = int(board.holdings)
        holding = _array(board.holding, "holding", np.uint16, (-1,), holdings)
        n = len(holding)
        if n > min(holdings, csrc.BC_HOLDINGS):
            raise ArgumentError(f"holding: expected at most {min(holdings, csrc.BC_HOLDINGS)} rows, got {n}")
        cards = _array(board.cards, "cards", np.uint8, (n, 2), 52)
        image = _array(board.image, "image", np.uint16, (-1, n), holdings)
        policy = _array(betting.policy, "policy", np.float64, (-1, ANSWERS, -1, 3, LANES))
        cell = _array(board.cell, "cell", np.uint16, (n,), policy.shape[2])
        if (cards[:, 0] == cards[:, 1]).any():
            raise ArgumentError("cards: expected two different cards in every holding")
        self.holding, self.cards, self.image, self.cell, self.policy = holding, cards, image, cell, policy
        self.paid = _array(betting.paid, "paid", np.float64, (policy.shape[0], LANES))
        if board.rank is not None:
            rank = _array(board.rank, "rank", np.uint16, (n,))
            if (np.diff(rank.astype(np.int64)) < 0).any():
                raise ArgumentError("rank: expected ascending ranks")
            self.rank = rank
            self.c.rank = &self.rank[0]
        self.c.n, self.c.holdings, self.c.cells = n, holdings, policy.shape[2]
        self.c.groups, self.c.images = policy.shape[0], image.shape[0]
        self.c.holding, self.c.cards, self.c.image = &self.holding[0], &self.cards[0, 0], &self.image[0, 0]
        self.c.cell, self.c.policy = &self.cell[0], &self.policy[0, 0, 0, 0, 0]
        self.c.paid = <const csrc.bc_lanes *> &self.paid[0, 0]
        self.c.bet, self.c.first = float(betting.bet), bool(first)
        self.c.most = whole(betting.bets, "bets", 1, csrc.BC_STREET_BETS)
        self.c.stop = interrupt.stopped

    def reach(self, reach):
        cdef const double[:, :, ::1] start = _rows(reach, "reach", self.c.groups, self.c.holdings)
        ends = zeros(self.c.groups * ENDS, self.c.holdings)
        cdef double[:, :, ::1] out = ends
        cdef double[:, ::1] scratch = zeros(csrc.BC_STREET_SCRATCH * self.c.n)
        cdef csrc.bc_street board = self.c
        board.scratch = <csrc.bc_lanes *> &scratch[0, 0]
        with nogil:
            csrc.bc_street_reach(
                LEVEL, &board, <const csrc.bc_lanes *> &start[0, 0, 0], <csrc.bc_lanes *> &out[0, 0, 0])
        interrupt.check()
        return ends

    def add_value(self, reach, ends, value):
        add_values([self], reach, ends, value)


def add_values(streets, reach, ends, value):
    if not len(streets):
        raise ArgumentError("streets: expected at least one")
    cdef Street street = streets[0]
    cdef int n = len(streets), groups = street.c.groups, holdings = street.c.holdings
    cdef bint last = street.c.rank != NULL
    cdef const double[:, :, ::1] start = _rows(reach, "reach", groups, holdings)
    cdef double[:, :, ::1] out = _rows(value, "value", groups, holdings)
    cdef const double[:, :, ::1] after
    cdef const csrc.bc_lanes *given = NULL
    cdef double[:, ::1] scratch = zeros(csrc.BC_STREET_SCRATCH * holdings)
    cdef csrc.bc_street *boards = <csrc.bc_street *> PyMem_Malloc(n * sizeof(csrc.bc_street))
    if boards == NULL:
        raise MemoryError
    try:
        for i, street in enumerate(streets):
            if (street.c.groups, street.c.holdings) != (groups, holdings):
                raise ArgumentError("streets: expected as many groups and holdings in each")
            if (ends is None) != last or (street.c.rank != NULL) != last:
                raise ArgumentError("ends: expected values on every street but the last, which has ranks")
            boards[i] = street.c
            boards[i].scratch = <csrc.bc_lanes *> &scratch[0, 0]
        if ends is not None:
            after = _rows(ends, "ends", groups * ENDS, holdings)
            given = <const csrc.bc_lanes *> &after[0, 0, 0]
        with nogil:
            csrc.bc_street_value(
                LEVEL, boards, n, <const csrc.bc_lanes *> &start[0, 0, 0], given, <csrc.bc_lanes *> &out[0, 0, 0])
    finally:
        PyMem_Free(boards)
    interrupt.check()
