# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The category of hand that every holding ends in, counted over all cards to come."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from baycarp.card import as_cards
from baycarp.kernels cimport csrc

__all__ = ["CATEGORIES", "categories", "category_orders"]

CATEGORIES = csrc.BC_CATEGORIES


def category_orders(board):
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    counts = np.empty((1326, CATEGORIES), np.int32)
    orders = np.empty((1326, CATEGORIES), np.int32)
    cdef int32_t[:, ::1] count = counts, order = orders
    with nogil:
        csrc.bc_categories(&cards[0], <int> cards.shape[0], &count[0, 0], &order[0, 0])
    return counts, orders


def categories(board):
    return category_orders(board)[0]
