# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The best response on one street of heads-up fixed limit, for all holdings at once."""

cimport cython

from libc.stdint cimport uint8_t, uint16_t

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.arguments import whole
from baycarp.kernels.simd cimport LEVEL

__all__ = ["ANSWERS", "ENDS", "LANES", "Street"]

LANES, ENDS, ANSWERS = csrc.BC_STREET_LANES, csrc.BC_STREET_ENDS, csrc.BC_STREET_ANSWERS


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
    cdef double[::1] scratch

    def __init__(self, board, betting, first):
        holdings = int(board.holdings)
        holding = _array(board.holding, "holding", np.uint16, (-1,), holdings)
        n = len(holding)
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
        self.scratch = np.empty(csrc.BC_STREET_SCRATCH * n * LANES)
        self.c.n, self.c.holdings, self.c.cells = n, holdings, policy.shape[2]
        self.c.groups, self.c.images = policy.shape[0], image.shape[0]
        self.c.holding, self.c.cards, self.c.image = &self.holding[0], &self.cards[0, 0], &self.image[0, 0]
        self.c.cell, self.c.policy = &self.cell[0], &self.policy[0, 0, 0, 0, 0]
        self.c.paid = <const csrc.bc_lanes *> &self.paid[0, 0]
        self.c.bet, self.c.first = float(betting.bet), bool(first)
        self.c.most = whole(betting.bets, "bets", 1, csrc.BC_STREET_BETS)
        self.c.scratch = <csrc.bc_lanes *> &self.scratch[0]
        self.c.stop = interrupt.stopped

    def reach(self, reach):
        cdef const double[:, :, ::1] start = _rows(reach, "reach", self.c.groups, self.c.holdings)
        ends = np.empty((self.c.groups * ENDS, self.c.holdings, LANES))
        cdef double[:, :, ::1] out = ends
        with nogil:
            csrc.bc_street_reach(
                LEVEL, &self.c, <const csrc.bc_lanes *> &start[0, 0, 0], <csrc.bc_lanes *> &out[0, 0, 0])
        interrupt.check()
        return ends

    def add_value(self, reach, ends, value):
        cdef const double[:, :, ::1] start = _rows(reach, "reach", self.c.groups, self.c.holdings)
        cdef double[:, :, ::1] out = _rows(value, "value", self.c.groups, self.c.holdings)
        cdef const double[:, :, ::1] after
        cdef const csrc.bc_lanes *given = NULL
        if (ends is None) != (self.c.rank != NULL):
            raise ArgumentError("ends: expected values on every street but the last, which has ranks")
        if ends is not None:
            after = _rows(ends, "ends", self.c.groups * ENDS, self.c.holdings)
            given = <const csrc.bc_lanes *> &after[0, 0, 0]
        with nogil:
            csrc.bc_street_value(
                LEVEL, &self.c, <const csrc.bc_lanes *> &start[0, 0, 0], given, <csrc.bc_lanes *> &out[0, 0, 0])
        interrupt.check()
