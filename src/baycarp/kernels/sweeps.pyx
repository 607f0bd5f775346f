# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Every holding on a board at once, and sampled pot shares."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from baycarp.kernels cimport csrc

from math import sqrt

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import RangeError

__all__ = ["share", "sweep", "sweep_expected", "sweep_potential"]


def _weights(weights):
    if weights is None:
        return None
    array = np.ascontiguousarray(weights, np.float64)
    if array.shape != (1326,) or not np.isfinite(array).all() or (array < 0).any():
        raise RangeError(f"weights: expected 1326 finite numbers >= 0, got shape {array.shape}")
    return array


def sweep(board, weights=None):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef const double[::1] range_ = _weights(weights)
    cdef const double *given = NULL if weights is None else &range_[0]
    hs = np.empty(1326)
    cdef double[::1] out = hs
    cdef int n = <int>cards.shape[0]
    with nogil:
        csrc.bc_sweep(&cards[0], n, given, &out[0])
    return hs


def sweep_potential(board):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4))
    out = np.empty((3, 1326))
    cdef double[:, ::1] rows = out
    cdef int n = <int>cards.shape[0]
    with nogil:
        csrc.bc_sweep_potential(&cards[0], n, &rows[0, 0], &rows[1, 0], &rows[2, 0])
    return out[0], out[1], out[2]


def sweep_expected(board, weights=None):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef const double[::1] range_ = _weights(weights)
    cdef const double *given = NULL if weights is None else &range_[0]
    out = np.empty((2, 1326))
    cdef double[:, ::1] rows = out
    cdef int n = <int>cards.shape[0]
    with nogil:
        csrc.bc_sweep_expected(&cards[0], n, given, &rows[0, 0], &rows[1, 0])
    return out[0], out[1]


def share(hole, int players, int64_t deals, uint64_t seed):
    cdef const uint8_t[::1] cards = as_cards(hole, "hole cards", 2)
    if not 2 <= players <= 10:
        raise ValueError(f"players: expected 2..10, got {players}")
    if deals < 2:
        raise ValueError(f"deals: expected at least 2, got {deals}")
    cdef csrc.bc_rng rng
    cdef double total, square
    with nogil:
        csrc.bc_rng_seed(&rng, seed)
        csrc.bc_share(&rng, &cards[0], players, deals, &total, &square)
    mean = total / deals
    return mean, sqrt(max(square / deals - mean * mean, 0.0) / (deals - 1))
