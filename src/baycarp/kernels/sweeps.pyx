# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranks and strengths of all holdings on a board, and sampled pot shares."""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.simd cimport LEVEL
from baycarp.kernels.strength cimport SUM, set_of, weights_of

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import CardError
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.strength import known_cards

__all__ = ["rank_holdings", "share", "sweep", "sweep_expected", "sweep_expected_batch", "sweep_potential"]


def rank_holdings(board):
    cdef const uint8_t[::1] cards = known_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    ranks = np.empty(1326, np.uint16)
    cdef uint16_t[::1] out = ranks
    with nogil:
        csrc.bc_rank_holdings(&cards[0], n, &out[0])
    return ranks


def sweep(board, weights=None):
    cdef const uint8_t[::1] cards = known_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] array
    cdef const double *given = NULL
    if weights is not None:
        array = weights_of(weights, "weights", set_of(cards), SUM)
        given = &array[0]
    strengths = np.empty(1326)
    cdef double[::1] hs = strengths
    with nogil:
        csrc.bc_sweep(LEVEL, &cards[0], n, given, &hs[0])
    return strengths


def sweep_potential(board):
    cdef const uint8_t[::1] cards = known_cards(board, "board", (3, 4))
    cdef int n = <int> cards.shape[0]
    figures = np.empty((3, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        csrc.bc_sweep_potential(LEVEL, &cards[0], n, &out[0, 0], &out[1, 0], &out[2, 0])
    return tuple(figures)


def sweep_expected(board, weights=None):
    counts = [0, 3, 4, 5] if weights is None else [3, 4, 5]
    cdef const uint8_t[::1] cards = as_cards(board, "board", tuple(counts))
    cdef int n = <int> cards.shape[0]
    cdef const uint8_t *known = &cards[0] if n else NULL
    cdef const double[::1] array
    cdef const double *given = NULL
    if weights is not None:
        array = weights_of(weights, "weights", set_of(cards), SUM)
        given = &array[0]
    figures = np.empty((2, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        csrc.bc_sweep_expected(LEVEL, known, n, given, interrupt.stopped, &out[0, 0], &out[1, 0])
    interrupt.check()
    return tuple(figures)


def sweep_expected_batch(boards, weights=None):
    table = np.asarray(boards)
    if table.ndim != 2 or table.shape[1] not in (3, 4, 5):
        raise CardError(f"boards: expected shape (n, 3), (n, 4) or (n, 5), got {table.shape}")
    checked = np.empty(table.shape, np.uint8)
    for row, board in enumerate(table):
        checked[row] = as_cards(board, "board", table.shape[1])
    cdef const uint8_t[:, ::1] cards = checked
    cdef Py_ssize_t i, count = table.shape[0]
    cdef int n = <int> table.shape[1]
    cdef const double[::1] array
    cdef const double *given = NULL
    figures = np.empty((2, count, 1326))
    cdef double[:, :, ::1] out = figures
    for i in range(count):
        if weights is not None:
            array = weights_of(weights, "weights", set_of(cards[i]), SUM)
            given = &array[0]
        with nogil:
            csrc.bc_sweep_expected(LEVEL, &cards[i, 0], n, given, NULL, &out[0, i, 0], &out[1, i, 0])
        PyErr_CheckSignals()
    return tuple(figures)


def share(hole, players, deals, seed):
    cdef const uint8_t[::1] cards = as_cards(hole, "hole cards", 2)
    cdef csrc.bc_rng rng
    cdef double total, square, mean
    cdef int seats = whole(players, "players", 2, 10)
    cdef int64_t n = whole(deals, "deals", 2, MOST_INT64)
    csrc.bc_rng_seed(&rng, whole(seed, "seed", 0, MOST_SEED))
    with nogil:
        csrc.bc_share(&rng, &cards[0], seats, n, interrupt.stopped, &total, &square)
    interrupt.check()
    mean = total / n
    return mean, sqrt(max(square / n - mean * mean, 0.0) / (n - 1))
