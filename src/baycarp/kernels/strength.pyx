# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A holding against a range, and a range against a range."""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t
from baycarp.kernels cimport csrc
from baycarp.kernels.simd cimport LEVEL

import numpy as np

from baycarp.card import as_cards, text
from baycarp.errors import RangeError

__all__ = ["as_weights", "equity", "expected_strength", "strength"]


def as_weights(weights, name="weights"):
    array = np.asarray(weights)
    if array.shape != (1326,) or array.dtype.kind not in "biuf":
        raise RangeError(f"{name}: expected 1326 numbers, got shape {array.shape} of {array.dtype}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    cdef const double[::1] given = array
    cdef int i
    for i in range(1326):
        if not 0 <= given[i] < INFINITY:
            raise RangeError(f"{name}: weight {array[i]} at {i}, expected finite and at least 0")
    return array


cdef const uint8_t[::1] _known(hole, board, tuple counts):
    """Two hole cards, then the board."""
    return as_cards(
        np.concatenate([as_cards(hole, "hole", 2), as_cards(board, "board", counts)]), "hole and board")


def strength(hole, board, weights=None, int ahead=2, name="weights"):
    cdef const uint8_t[::1] cards = _known(hole, board, (3, 4, 5))
    cdef int n = <int> cards.shape[0] - 2
    cdef const double[::1] array
    cdef const double *given = NULL
    cdef csrc.bc_standings standings
    cdef bint met
    if not 0 <= ahead <= 2:
        raise ValueError(f"ahead: expected 0, 1 or 2 cards, got {ahead}")
    if weights is not None:
        array = as_weights(weights, name)
        given = &array[0]
    ahead = min(ahead, 5 - n)
    with nogil:
        met = csrc.bc_strength(&cards[0], &cards[2], n, ahead, given, &standings)
    if not met:
        raise RangeError(f"{name}: no holding is left beside the known cards {text(cards)}")
    return csrc.bc_hs(&standings), csrc.bc_ppot(&standings), csrc.bc_npot(&standings)


def expected_strength(hole, board):
    cdef const uint8_t[::1] cards = _known(hole, board, (3, 4, 5))
    cdef int n = <int> cards.shape[0] - 2
    cdef double mean, square
    with nogil:
        csrc.bc_expected_strength(&cards[0], &cards[2], n, &mean, &square)
    return mean, square


def equity(a, b, board=""):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (0, 3, 4, 5))
    cdef int n = <int> cards.shape[0], lowest
    cdef const double[::1] first = as_weights(a, "a"), second = as_weights(b, "b")
    cdef csrc.bc_shares sum
    sum.won = sum.total = 0
    if n:
        with nogil:
            csrc.bc_equity(LEVEL, &first[0], &second[0], &cards[0], n, -1, &sum)
    else:
        for lowest in range(13):
            with nogil:
                csrc.bc_equity(LEVEL, &first[0], &second[0], NULL, 0, lowest, &sum)
            PyErr_CheckSignals()
    if not sum.total > 0:
        raise RangeError(f"a, b: no two holdings are left that can meet on the board {text(cards)!r}")
    return sum.won / sum.total
