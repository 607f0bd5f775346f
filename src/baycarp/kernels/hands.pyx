# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Hands of hold'em: rank."""

from libc.stdint cimport uint8_t, uint16_t

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import CardError

from baycarp.kernels cimport csrc

__all__ = ["rank"]


def rank(cards):
    if isinstance(cards, str):
        cards = as_cards(cards)
    given = np.asarray(cards if hasattr(cards, "dtype") else list(cards))
    if given.ndim == 2:
        return _rank_rows(given)
    if given.ndim != 1 or not 5 <= len(given) <= 7:
        raise CardError(f"cards: expected 5 to 7 in a row, or rows of them, got shape {given.shape}")
    return int(_rank_rows(given[None])[0])


def _rank_rows(given):
    if not 5 <= given.shape[1] <= 7:
        raise CardError(f"cards: expected shape (n, 5..7), got {given.shape}")
    if given.dtype != np.uint8 and (given.dtype.kind not in "iu" or ((given < 0) | (given > 51)).any()):
        raise CardError(f"cards: expected whole ids 0..51, got {given.dtype} {given.min()!s}..{given.max()!s}")
    cdef const uint8_t[:, ::1] cards = np.ascontiguousarray(given, np.uint8)  # IN
    cdef Py_ssize_t n = cards.shape[0], k = cards.shape[1], bad = -1
    ranks = np.empty(n, np.uint16)
    cdef uint16_t[::1] out = ranks
    if n:
        with nogil:
            bad = csrc.bc_first_bad_row(&cards[0, 0], n, k)
            if bad < 0:
                csrc.bc_rank_batch(&cards[0, 0], n, k, &out[0])
    if bad >= 0:
        as_cards(given[bad], "cards" if n == 1 else f"row {bad} of cards")
    return ranks
