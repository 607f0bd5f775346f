# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Every holding on a board at once, and sampled pot shares."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint8_t, uint64_t

from baycarp.kernels cimport csrc

import numpy as np

from baycarp.card import as_cards
from baycarp.kernels.strength import as_weights

__all__ = ["share", "sweep", "sweep_expected", "sweep_potential"]


def sweep(board, weights=None):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] array
    cdef const double *given = NULL
    if weights is not None:
        array = as_weights(weights)
        given = &array[0]
    strengths = np.empty(1326)
    cdef double[::1] hs = strengths
    with nogil:
        csrc.bc_sweep(&cards[0], n, given, &hs[0])
    return strengths


def sweep_potential(board):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4))
    cdef int n = <int> cards.shape[0]
    figures = np.empty((3, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        csrc.bc_sweep_potential(&cards[0], n, &out[0, 0], &out[1, 0], &out[2, 0])
    return tuple(figures)


def sweep_expected(board):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    figures = np.empty((2, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        csrc.bc_sweep_expected(&cards[0], n, &out[0, 0], &out[1, 0])
    return tuple(figures)


def share(hole, int players, int64_t deals, uint64_t seed):
    cdef const uint8_t[::1] cards = as_cards(hole, "hole cards", 2)
    cdef csrc.bc_rng rng
    cdef double total, square, mean
    if not 2 <= players <= 10:
        raise ValueError(f"players: expected 2..10, got {players}")
    if deals < 2:
        raise ValueError(f"deals: expected at least 2, got {deals}")
    with nogil:
        csrc.bc_rng_seed(&rng, seed)
        csrc.bc_share(&rng, &cards[0], players, deals, &total, &square)
    mean = total / deals
    return mean, sqrt(max(square / deals - mean * mean, 0.0) / (deals - 1))
