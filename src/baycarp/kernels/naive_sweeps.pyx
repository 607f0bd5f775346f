# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sweeps and equity the slow way: what tests and benchmarks hold the fast kernels against."""

from libc.stdint cimport uint8_t

from baycarp.kernels cimport csrc

import numpy as np

from baycarp.card import as_cards
from baycarp.kernels.strength import as_weights

__all__ = ["naive_equity", "naive_sweep", "naive_sweep_expected"]


def naive_sweep(board, weights):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] given = as_weights(weights)
    strengths = np.empty(1326)
    cdef double[::1] hs = strengths
    with nogil:
        csrc.bc_naive_sweep(&cards[0], n, &given[0], &hs[0])
    return strengths


def naive_sweep_expected(board, weights):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] given = as_weights(weights)
    figures = np.empty((2, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        csrc.bc_naive_sweep_expected(&cards[0], n, &given[0], &out[0, 0], &out[1, 0])
    return tuple(figures)


def naive_equity(a, b, board):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] first = as_weights(a, "a"), second = as_weights(b, "b")
    cdef csrc.bc_shares sum
    sum.won = sum.total = 0
    with nogil:
        csrc.bc_naive_equity(&first[0], &second[0], &cards[0], n, &sum)
    return sum.won, sum.total
