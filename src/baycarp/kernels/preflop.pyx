# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Shares and strengths before the flop, from tables."""

from functools import lru_cache

from libc.string cimport strchr

from baycarp.kernels cimport csrc
from baycarp.kernels.strength cimport PRODUCT, weights_of

import numpy as np

from baycarp.card import CLASS_OF, HOLDS
from baycarp.errors import RangeError

__all__ = ["BOARDS", "TABLE_BYTES", "class_equities", "class_strengths", "equity", "lead"]

BOARDS = csrc.BC_BOARDS
TABLE_BYTES = (
    sizeof(csrc.bc_preflop_class) + sizeof(csrc.bc_preflop_lead) + sizeof(csrc.bc_preflop_class_lead)
    + sizeof(csrc.bc_preflop_strength) + sizeof(csrc.bc_preflop_square))


cdef int _card(Py_UCS4 rank, Py_UCS4 suit):
    """The id of a card in the letters that ``text`` prints, otherwise -1."""
    cdef const char *ranks = b"23456789TJQKA"
    cdef const char *suits = b"cdhs"
    cdef const char *r = strchr(ranks, <int> rank) if 0 < rank < 128 else NULL
    cdef const char *s = strchr(suits, <int> suit) if 0 < suit < 128 else NULL
    return -1 if r == NULL or s == NULL else <int> (4 * (r - ranks) + (s - suits))


cdef bint _read(object given, int *hi, int *lo):
    """Whether ``given`` is two different cards as printed text or a tuple of ids."""
    cdef str string
    if type(given) is str and len(<str> given) == 4:
        string = given
        hi[0], lo[0] = _card(string[0], string[1]), _card(string[2], string[3])
    elif type(given) is tuple and len(<tuple> given) == 2:
        first, second = <tuple> given
        if not (isinstance(first, int) and isinstance(second, int) and 0 <= first < 52 and 0 <= second < 52):
            return False
        hi[0], lo[0] = first, second
    else:
        return False
    return hi[0] >= 0 and lo[0] >= 0 and hi[0] != lo[0]


def lead(a, b):
    cdef int a0 = 0, a1 = 0, b0 = 0, b1 = 0
    if not (_read(a, &a0, &a1) and _read(b, &b0, &b1)):
        return None
    if a0 == b0 or a0 == b1 or a1 == b0 or a1 == b1:
        return None
    return csrc.bc_preflop_matchup(a0, a1, b0, b1)


def equity(a, b):
    cdef const double[::1] first = weights_of(a, "a", 0, PRODUCT), second = weights_of(b, "b", 0, PRODUCT)  # IN, (1326,)
    cdef csrc.bc_preflop_shares sum
    with nogil:
        sum = csrc.bc_preflop_equity(&first[0], &second[0])
    if not sum.total > 0:
        raise RangeError("a, b: no two holdings can meet")
    return min(max(0.5 + 0.5 * (sum.lead / sum.total), 0.0), 1.0)


def _frozen(array):
    array.flags.writeable = False
    return array


@lru_cache(maxsize=1)
def class_equities():
    cdef Py_ssize_t i, j
    leads = np.zeros((169, 169))
    cdef double[:, ::1] lead = leads
    for i in range(169):
        for j in range(i):
            lead[i, j] = csrc.bc_preflop_class_lead[i * (i - 1) // 2 + j]
            lead[j, i] = -lead[i, j]
    members = (CLASS_OF == np.arange(169)[:, None]).astype(np.float64)
    cards = members @ HOLDS.T
    met = np.outer(members.sum(axis=1), members.sum(axis=1)) - cards @ cards.T + members @ members.T
    return _frozen((BOARDS * met + leads) / (2 * BOARDS * met))


@lru_cache(maxsize=1)
def class_strengths():
    cdef Py_ssize_t cell
    figures = np.empty((2, 169))
    cdef double[:, ::1] out = figures
    for cell in range(169):
        out[0, cell] = csrc.bc_preflop_strength[cell]
        out[1, cell] = csrc.bc_preflop_square[cell]
    scale = 2.0 * csrc.BC_PREFLOP_PAIRS
    return tuple(_frozen(figures / [[scale * csrc.BC_PREFLOP_BOARDS], [scale**2 * csrc.BC_PREFLOP_BOARDS]]))
