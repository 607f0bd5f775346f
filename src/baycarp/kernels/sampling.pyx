# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""All-in equity of several ranges, sampled."""

cimport cython

from libc.stdint cimport int64_t, uint8_t, uint64_t

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import RangeError
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole
from baycarp.kernels.strength import weights_beside

__all__ = ["Sampler"]


@cython.final
cdef class Sampler:
    cdef csrc.bc_sample c
    cdef csrc.bc_rng rng
    cdef double[:, ::1] sums
    cdef double[::1] won, squares
    cdef readonly int64_t deals

    def __init__(self, weights, board, seed):
        cdef const uint8_t[::1] cards = as_cards(board, "board", (0, 3, 4, 5))
        cdef int i
        if not 2 <= len(weights) <= 10:
            raise RangeError(f"{len(weights)} ranges: expected 2 to 10")
        sums = np.cumsum([weights_beside(each, cards, f"range {k}") for k, each in enumerate(weights, 1)], axis=1)
        if not sums[:, -1].all():
            raise RangeError(f"range {int(np.argmin(sums[:, -1])) + 1}: no holding is left beside the board")
        self.sums, self.won, self.squares = sums, np.zeros(len(sums)), np.zeros(len(sums))
        self.c.sums, self.c.players, self.c.shown = &self.sums[0, 0], <int> len(sums), <int> cards.shape[0]
        for i in range(cards.shape[0]):
            self.c.board[i] = cards[i]
        self.c.stop = interrupt.stopped
        csrc.bc_rng_seed(&self.rng, whole(seed, "seed", 0, MOST_SEED))

    def deal(self, deals):
        cdef int64_t made, wanted = whole(deals, "deals", 0, MOST_INT64)
        with nogil:
            made = csrc.bc_sample_equity(&self.rng, &self.c, wanted, &self.won[0], &self.squares[0])
        self.deals += made
        interrupt.check()
        if made < wanted:
            raise RangeError("ranges: they hardly ever leave every side two cards of its own")

    def shares(self):
        n = self.deals
        mean = np.array(self.won) / n
        return mean, np.sqrt(np.maximum(np.array(self.squares) / n - mean**2, 0) / (n - 1))
