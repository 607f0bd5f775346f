# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Temporary: rank only."""
from libc.stdint cimport uint8_t, uint16_t
cdef extern from "baycarp/rank.h" nogil:
    uint16_t bc_rank_cards(const uint8_t *cards, int n)
from baycarp.card import as_cards

def rank(cards):
    cdef const uint8_t[::1] ids = as_cards(cards)
    return bc_rank_cards(&ids[0], <int>ids.shape[0])
