# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Hands of hold'em: rank, and the census of all hands."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.sequence cimport PySequence_Fast_GET_ITEM, PySequence_Fast_GET_SIZE
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from itertools import islice

import numpy as np

from baycarp.card import RANKS, SUITS, as_cards
from baycarp.errors import CardError, brief

from baycarp.kernels cimport csrc, interrupt, simd

__all__ = ["TABLE_BYTES", "census", "rank"]

TABLE_BYTES = csrc.bc_rank_table_bytes

cdef enum:
    ROWS = 1 << 20  # ranked between two checks for signals

cdef int8_t RANK[128]
cdef int8_t SUIT[128]
memset(RANK, -1, sizeof(RANK))
memset(SUIT, -1, sizeof(SUIT))
for _i, _name in enumerate(RANKS):
    RANK[<int> ord(_name)] = _i
for _i, _name in enumerate(SUITS):
    SUIT[<int> ord(_name)] = _i


def rank(cards):
    """The rank of the best five cards of hands of five to seven: a higher one wins, equal ones split."""
    cdef uint8_t row[7]
    cdef int n = plain_row(cards, row)
    if n:
        return csrc.bc_rank_cards(row, n)
    if isinstance(cards, str):
        cards = as_cards(cards)
    try:
        given = np.asarray(cards if hasattr(cards, "dtype") else listed(cards))
    except (TypeError, ValueError):
        raise CardError(f"cards: expected text or card ids, got {brief(cards)}") from None
    if given.ndim == 2:
        return _rank_rows(given)
    if given.ndim != 1 or not 5 <= len(given) <= 7:
        raise CardError(f"cards: expected 5 to 7 in a row, or rows of them, got shape {given.shape}")
    return int(_rank_rows(given[None])[0])


cdef list listed(cards):
    """Cards, or rows of them; of cards in one row no more than show that there are too many."""
    remaining = iter(cards)
    first = list(islice(remaining, 8))
    return first + list(remaining) if len(first) == 8 and np.ndim(first[0]) else first


cdef int plain_row(cards, uint8_t *row) except -1:
    """Read one valid hand from a list or tuple of ints or from plain text; 0 for any other argument."""
    cdef uint64_t seen = 0
    cdef long card
    cdef Py_ssize_t i, n
    cdef bint spelled = type(cards) is str
    if spelled:
        n = len(<str> cards) // 2
        if len(<str> cards) % 2:
            return 0
    elif type(cards) is list or type(cards) is tuple:
        n = PySequence_Fast_GET_SIZE(cards)
    else:
        return 0
    if not 5 <= n <= 7:
        return 0
    for i in range(n):
        card = spelled_card(<str> cards, 2 * i) if spelled else plain_card(PySequence_Fast_GET_ITEM(cards, i))
        if card < 0 or seen >> card & 1:
            return 0
        seen |= <uint64_t> 1 << card
        row[i] = <uint8_t> card
    return <int> n


cdef inline long plain_card(PyObject *given) except -2:
    """The value of an int 0..51, otherwise -1."""
    cdef int overflow
    if not PyLong_CheckExact(<object> given):
        return -1
    cdef long number = PyLong_AsLongAndOverflow(<object> given, &overflow)  # -1 on overflow
    return number if 0 <= number <= 51 else -1


cdef inline long spelled_card(str text, Py_ssize_t at) noexcept:
    """The id of a card such as Ah, otherwise -1."""
    cdef Py_UCS4 rank = text[at], suit = text[at + 1]
    if rank > 127 or suit > 127 or RANK[rank] < 0 or SUIT[suit] < 0:
        return -1
    return 4 * RANK[rank] + SUIT[suit]


def _rank_rows(given):
    if not 5 <= given.shape[1] <= 7:
        raise CardError(f"cards: expected shape (n, 5..7), got {given.shape}")
    if given.dtype != np.uint8 and (given.dtype.kind not in "iu" or ((given < 0) | (given > 51)).any()):
        raise CardError(f"cards: expected whole ids 0..51, got {brief(given.ravel().tolist())}")
    cdef const uint8_t[:, ::1] cards = np.ascontiguousarray(given, np.uint8)  # IN
    cdef Py_ssize_t n = cards.shape[0], k = cards.shape[1], bad = -1, top
    cdef csrc.bc_simd level = simd.LEVEL
    ranks = np.empty(n, np.uint16)
    cdef uint16_t[::1] out = ranks
    for top in range(0, n, ROWS):
        with nogil:
            bad = csrc.bc_rank_batch(level, &cards[top, 0], min(<Py_ssize_t> ROWS, n - top), <int> k, &out[top])
        if bad >= 0:
            bad += top
            break
        if n > ROWS:
            PyErr_CheckSignals()
    if bad >= 0:
        as_cards(given[bad], "cards" if n == 1 else f"row {bad} of cards")
    return ranks


def census(k=7):
    from baycarp.kernels.arguments import whole  # here, so that the import of `rank` stays small

    cdef int64_t counts[9]
    cdef int size = whole(k, "k", 0, 52)
    if not 5 <= size <= 7:
        raise CardError(f"k {k}: expected hands of 5 to 7 cards")
    with nogil:
        csrc.bc_rank_census(size, interrupt.stopped, counts)
    interrupt.check()
    return tuple([counts[i] for i in range(9)])
