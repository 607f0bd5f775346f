# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Pot shares of known holdings over the cards to come."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import ArgumentError, CardError
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole

__all__ = ["runout"]


def runout(holes, board, sets, dead=(), boards=None, seed=None):
    cdef csrc.bc_runout run
    cdef csrc.bc_rng rng
    cdef int64_t count
    cdef bint sampled = boards is not None
    cdef int i, players = len(holes), shown = len(board)
    if not 1 <= players <= 10 or shown > 5 or any([len(hole) != 2 for hole in holes]):
        raise CardError(f"expected two cards each of 1 to 10 players and a board of at most 5: {holes}, {board}")
    if sampled != (seed is not None):
        raise ArgumentError(f"boards {boards}, seed {seed}: expected neither, or at least one board and a seed")
    known = as_cards([card for hole in holes for card in hole] + [*board, *dead], "hole cards, board and dead cards")
    cdef const uint8_t[::1] cards = known
    named = f"sets of bits of {players} players, at least one a set"
    cdef const uint16_t[::1] asked = np.array([whole(s, named, 1, (1 << players) - 1) for s in sets], np.uint16)
    if not asked.shape[0]:
        raise ArgumentError(f"{named}: expected at least one")
    if len(known) - shown > 52 - 5:
        raise CardError(f"{len(known)} cards known: expected a board to be left")
    run.holes, run.players, run.shown, run.dead = &cards[0], players, shown, 0
    run.stop = interrupt.stopped
    run.sets, run.count = &asked[0], <int> asked.shape[0]
    for i in range(shown):
        run.board[i] = cards[2 * players + i]
    for i in range(2 * players + shown, len(known)):
        run.dead |= <uint64_t>1 << cards[i]
    portions = np.empty((asked.shape[0], players), np.int64)
    cdef int64_t[:, ::1] won = portions
    if sampled:
        csrc.bc_rng_seed(&rng, whole(seed, "seed", 0, MOST_SEED))
        count = whole(boards, "boards", 1, MOST_INT64 // csrc.BC_PORTIONS)
        with nogil:
            csrc.bc_runout_sampled(&rng, &run, count, &won[0, 0])
    else:
        with nogil:
            count = csrc.bc_runout_exact(&run, &won[0, 0])
    interrupt.check()
    return portions / (<double> csrc.BC_PORTIONS * count)
