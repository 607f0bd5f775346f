# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Strength, sweeps, equity and payoffs by their definitions: what tests and benchmarks compare the kernels with.

A module of its own, built by ``pip install -C cmake.define.BAYCARP_REFERENCE=ON .`` and in no wheel.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from baycarp.kernels cimport csrc
from baycarp.kernels.game cimport Rules

import numpy as np

from baycarp.card import as_cards, text
from baycarp.errors import RangeError
from baycarp.kernels.game import DEEP
from baycarp.kernels.strength import as_weights

__all__ = ["naive_equity", "naive_expected_strength", "naive_strength", "naive_sweep", "naive_sweep_expected",
           "payoffs_twice"]


cdef extern from "naive.h" nogil:
    ctypedef struct bc_standings:
        pass
    double bc_hs(const bc_standings *standings)
    double bc_ppot(const bc_standings *standings)
    double bc_npot(const bc_standings *standings)
    bint bc_naive_strength(const uint8_t *hole, const uint8_t *board, int n, int ahead,
                           const double *weights, bint shared, bc_standings *out)
    void bc_naive_expected_strength(const uint8_t *hole, const uint8_t *board, int n, double *mean, double *square)


cdef extern from "naive_sweep.h" nogil:
    ctypedef struct bc_shares:
        double won
        double total
    void bc_naive_sweep(const uint8_t *board, int n, const double *weights, double *hs)
    void bc_naive_sweep_expected(const uint8_t *board, int n, const double *weights, double *mean, double *square)
    void bc_naive_equity(const double *a, const double *b, const uint8_t *board, int n, bc_shares *sum)

cdef extern from "naive_payoffs.h" nogil:
    ctypedef bint bc_settle(const csrc.bc_variant *variant, const csrc.bc_state *state, const uint16_t *ranks,
                            int64_t *payoffs)
    void bc_naive_hand(const csrc.bc_variant *variant, const int64_t *stacks, csrc.bc_rng *rng, bc_settle *settle,
                       int64_t *payoffs, int64_t *expected)


def _known(hole, board):
    """Two hole cards, then 3 to 5 of the board."""
    return as_cards(np.concatenate([as_cards(hole, "hole", 2), as_cards(board, "board", (3, 4, 5))]), "cards")


def naive_strength(hole, board, weights=None, int ahead=2, bint shared=False):
    """What ``kernels.strength.strength`` gives: holding by holding and future by future.

    ``shared``: the own rank beside a future is computed once for all holdings, not for each anew.
    """
    cdef const uint8_t[::1] cards = _known(hole, board)
    cdef int n = <int> cards.shape[0] - 2
    cdef const double[::1] array
    cdef const double *given = NULL
    cdef bc_standings standings
    cdef bint met
    if not 0 <= ahead <= 2:
        raise ValueError(f"ahead: expected 0, 1 or 2 cards, got {ahead}")
    if weights is not None:
        array = as_weights(weights)
        given = &array[0]
    ahead = min(ahead, 5 - n)
    with nogil:
        met = bc_naive_strength(&cards[0], &cards[2], n, ahead, given, shared, &standings)
    if not met:
        raise RangeError(f"weights: no holding is left beside the known cards {text(cards)}")
    return bc_hs(&standings), bc_ppot(&standings), bc_npot(&standings)


def naive_expected_strength(hole, board):
    """What ``kernels.strength.expected_strength`` gives: board by board and on each holding by holding."""
    cdef const uint8_t[::1] cards = _known(hole, board)
    cdef int n = <int> cards.shape[0] - 2
    cdef double mean, square
    with nogil:
        bc_naive_expected_strength(&cards[0], &cards[2], n, &mean, &square)
    return mean, square


def naive_sweep(board, weights):
    """HS of every holding against a range on a board of 3 to 5 cards; float64, shape (1326,).

    Every holding is ranked, all are sorted, and a walk takes off what shares a card.
    """
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] given = as_weights(weights)
    strengths = np.empty(1326)
    cdef double[::1] hs = strengths
    with nogil:
        bc_naive_sweep(&cards[0], n, &given[0], &hs[0])
    return strengths


def naive_sweep_expected(board, weights):
    """What ``kernels.sweeps.sweep_expected`` gives: ``naive_sweep`` on every complete board."""
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] given = as_weights(weights)
    figures = np.empty((2, 1326))
    cdef double[:, ::1] out = figures
    with nogil:
        bc_naive_sweep_expected(&cards[0], n, &given[0], &out[0, 0], &out[1, 0])
    return tuple(figures)


def naive_equity(a, b, board):
    """(won, total) weight of range ``a`` against ``b`` all-in on a board of 3 to 5 cards, pair by pair."""
    cdef const uint8_t[::1] cards = as_cards(board, "board", (3, 4, 5))
    cdef int n = <int> cards.shape[0]
    cdef const double[::1] first = as_weights(a, "a"), second = as_weights(b, "b")
    cdef bc_shares sum
    sum.won = sum.total = 0
    with nogil:
        bc_naive_equity(&first[0], &second[0], &cards[0], n, &sum)
    return sum.won, sum.total


def payoffs_twice(variant, int hands, uint64_t seed):
    """Payoffs of random hands of a ``Variant``, by the kernel and by their definition, chip by chip.

    The same seed gives the same hands. Two arrays, int64, shape (hands, seats). The time grows with the chips
    that a player puts in.
    """
    cdef Rules rules = variant.rules
    cdef int64_t stacks[10]
    cdef int64_t ours[10]
    cdef int64_t expected[10]
    cdef int i, hand, seats = rules.c.seats
    cdef csrc.bc_rng rng
    payoffs = np.empty((2, hands, seats), np.int64)
    cdef int64_t[:, :, ::1] out = payoffs
    for i in range(seats):
        stacks[i] = variant.stacks[i] if variant.stacks else DEEP
    csrc.bc_rng_seed(&rng, seed)
    with nogil:
        for hand in range(hands):
            bc_naive_hand(&rules.c, stacks, &rng, csrc.bc_state_payoffs, ours, expected)
            for i in range(seats):
                out[0, hand, i], out[1, hand, i] = ours[i], expected[i]
    return payoffs[0], payoffs[1]
