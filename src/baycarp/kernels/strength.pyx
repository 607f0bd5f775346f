# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A holding against a range, and a range against a range."""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memcpy
from baycarp.kernels cimport csrc
from baycarp.kernels.simd cimport LEVEL

import numpy as np

from baycarp.card import DECK, as_cards, text
from baycarp.errors import RangeError

__all__ = [
    "as_weights",
    "equity",
    "expected_strength",
    "known_cards",
    "strength",
]


cdef uint8_t[128][128] ID_OF  # by the two letters of a card, plus 1; 0 = none
for _id, _card in enumerate(DECK):
    ID_OF[<int> ord(_card[0])][<int> ord(_card[1])] = _id + 1


def known_cards(given, name, counts):
    if type(given) is not str or len(given) % 2 or len(given) > 14 or len(given) // 2 not in counts:
        return as_cards(given, name, counts)
    cdef str string = given
    cdef uint8_t[7] ids
    cdef uint64_t seen = 0
    cdef int i, card, n = <int> (len(string) // 2)
    cdef Py_UCS4 rank, suit
    for i in range(n):
        rank, suit = string[2 * i], string[2 * i + 1]
        card = ID_OF[rank][suit] - 1 if rank < 128 and suit < 128 else -1
        if card < 0 or seen >> card & 1:
            return as_cards(given, name, counts)  # reads other notations, or raises the error
        seen |= (<uint64_t> 1) << card
        ids[i] = <uint8_t> card
    return (<char *> ids)[:n]


cdef object ARRAY = np.ndarray, FLOAT64 = np.dtype(np.float64)


cdef object _as_array(weights, name):
    array = np.asarray(weights)
    if array.shape != (1326,) or array.dtype.kind not in "biuf":
        raise RangeError(f"{name}: expected 1326 numbers, got shape {array.shape} of {array.dtype}")
    return np.ascontiguousarray(array, dtype=FLOAT64)


cdef const double[::1] weights_of(weights, name):
    """What ``as_weights`` gives, to be read."""
    cdef const double[::1] given
    cdef uint64_t bits, wrong = 0
    cdef int i
    if type(weights) is ARRAY and weights.dtype is FLOAT64 and len(weights) == 1326 == weights.size:
        given = weights if weights.flags.c_contiguous else _as_array(weights, name)
    else:
        given = _as_array(weights, name)
    for i in range(1326):  # a number below 0 has the first bit set, infinity and none one more than it carries
        memcpy(&bits, &given[i], sizeof(bits))
        wrong |= bits | (bits + ((<uint64_t> 1) << 52))
    if wrong >> 63:  # or it is -0.0
        for i in range(1326):
            if not 0 <= given[i] < INFINITY:
                raise RangeError(f"{name}: weight {given[i]} at {i}, expected finite and at least 0")
    return given


def as_weights(weights, name="weights"):
    array = _as_array(weights, name)
    weights_of(array, name)
    return array


cdef struct Known:
    uint8_t[7] cards  # two hole cards, then the board
    int n  # of the board


cdef Known _known(hole, board) except *:
    cdef const uint8_t[::1] first = as_cards(hole, "hole", 2), rest = as_cards(board, "board", (3, 4, 5))
    cdef Known known
    cdef uint64_t seen = 0
    cdef int i
    known.n = <int> rest.shape[0]
    for i in range(2 + known.n):
        known.cards[i] = first[i] if i < 2 else rest[i - 2]
        if seen >> known.cards[i] & 1:
            as_cards(np.concatenate([first, rest]), "hole and board")  # raises, and names the card
        seen |= (<uint64_t> 1) << known.cards[i]
    return known


def strength(hole, board, weights=None, int ahead=2, name="weights"):
    cdef Known known = _known(hole, board)
    cdef const double[::1] array
    cdef const double *given = NULL
    cdef csrc.bc_standings standings
    cdef bint met
    if not 0 <= ahead <= 2:
        raise ValueError(f"ahead: expected 0, 1 or 2 cards, got {ahead}")
    if weights is not None:
        array = weights_of(weights, name)
        given = &array[0]
    ahead = min(ahead, 5 - known.n)
    with nogil:
        met = csrc.bc_strength(LEVEL, known.cards, known.cards + 2, known.n, ahead, given, &standings)
    if not met:
        raise RangeError(f"{name}: no holding is left beside the known cards {text(known.cards[:2 + known.n])}")
    return csrc.bc_hs(&standings), csrc.bc_ppot(&standings), csrc.bc_npot(&standings)


def expected_strength(hole, board):
    cdef Known known = _known(hole, board)
    cdef double mean, square
    with nogil:
        csrc.bc_expected_strength(LEVEL, known.cards, known.cards + 2, known.n, &mean, &square)
    return mean, square


def equity(a, b, board=""):
    cdef const uint8_t[::1] cards = known_cards(board, "board", (0, 3, 4, 5))
    cdef int n = <int> cards.shape[0], lowest
    cdef const double[::1] first = weights_of(a, "a"), second = weights_of(b, "b")
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
