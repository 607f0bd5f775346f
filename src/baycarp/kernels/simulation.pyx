# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Probability triples of the betting rules, and simulations of hands by them."""

cimport cython

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import ArgumentError, RangeError, VariantError
from baycarp.kernels cimport aligned, csrc
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.kernels.game cimport Rules
from baycarp.kernels.simd cimport LEVEL

__all__ = ["RULES", "Simulation", "rule_shares", "triples"]

RULES = ("strong", "good", "semi-bluff", "pot odds", "showdown odds", "give up")

cdef enum:
    HOLDINGS = 1326
    TRIALS = 256  # simulated between two checks for signals


cdef csrc.bc_spot as_spot(object spot) except *:
    cdef csrc.bc_spot s
    s.pot, s.owed, s.bet, s.later = spot.pot, spot.owed, spot.bet, spot.later
    s.bets, s.opponents, s.behind = spot.bets, spot.opponents, spot.behind
    s.invested, s.can_raise = spot.invested, spot.can_raise
    s.last, s.following = spot.last, spot.following
    return s


cdef csrc.bc_rules as_rules(object rules) except *:
    cdef csrc.bc_rules r
    r.strong, r.good, r.bluff, r.odds = rules.strong, rules.good, rules.bluff, rules.odds
    r.implied, r.defence, r.slow = rules.implied, rules.defence, rules.slow
    return r


def rule_shares(spot, rules, double hs, double ppot, double npot):
    """The share of each rule, ``RULES`` in order, and the triple (fold, call, raise) of one hand."""
    cdef csrc.bc_spot s = as_spot(spot)
    cdef csrc.bc_rules r = as_rules(rules)
    cdef double share[6]
    cdef double out[3]
    csrc.bc_rule_shares(&s, &r, hs, ppot, npot, share)
    csrc.bc_triple(&s, &r, share, out)
    return tuple([share[i] for i in range(csrc.BC_RULES)]), (out[0], out[1], out[2])


def triples(spot, rules, const double[::1] hs not None, const double[::1] ppot not None,
            const double[::1] npot not None):
    """The triple of every hand; nan where its strength is nan."""
    cdef csrc.bc_spot s = as_spot(spot)
    cdef csrc.bc_rules r = as_rules(rules)
    cdef Py_ssize_t i, n = hs.shape[0]
    cdef double share[6]
    if ppot.shape[0] != n or npot.shape[0] != n:
        raise ArgumentError(f"ppot, npot: expected {n} numbers each, got {ppot.shape[0]} and {npot.shape[0]}")
    hs, ppot, npot = aligned.row(hs), aligned.row(ppot), aligned.row(npot)
    made = np.full((n, 3), np.nan)
    cdef double[:, ::1] out = made
    with nogil:
        for i in range(n):
            if hs[i] == hs[i]:
                csrc.bc_rule_shares(&s, &r, hs[i], ppot[i], npot[i], share)
                csrc.bc_triple(&s, &r, share, &out[i, 0])
    return made


@cython.final
cdef class Simulation:
    """Simulated playouts of one limit hand, from the decision of the player to act."""

    cdef csrc.bc_simulation c

    def __init__(self, state, hole, const double[:, ::1] weights not None, rules,
                 const double[::1] ppot not None, const double[::1] npot not None, seed):
        cdef int i, seat, seats = state.variant.seats
        if state.variant.betting != "limit":
            raise VariantError(f"simulation of a {state.variant.betting} hand: expected limit")
        if state.is_over or state.street == 0:
            raise VariantError(f"simulation of {state!r}: expected a player to act on the flop or later")
        if weights.shape[0] != seats or weights.shape[1] != HOLDINGS:
            raise RangeError(f"weights: expected shape {(seats, HOLDINGS)}, got {(weights.shape[0], weights.shape[1])}")
        if ppot.shape[0] != HOLDINGS or npot.shape[0] != HOLDINGS or len(rules) != seats:
            raise RangeError(f"potentials and rules: expected {HOLDINGS} numbers each and {seats} rules")
        known = as_cards([*hole, *state.board], "hole cards and board", len(state.board) + 2)
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        weights, ppot, npot = aligned.rows(weights), aligned.row(ppot), aligned.row(npot)
        self.c.level = LEVEL
        self._seat_all(state)
        for i in range(2):
            self.c.hole[i] = known[i]
        for i in range(2, len(known)):
            self.c.board[i - 2] = known[i]
        for seat in range(seats):
            self.c.rules[seat] = as_rules(rules[seat])
            memcpy(self.c.weights[seat], &weights[seat, 0], HOLDINGS * sizeof(double))
        for i in range(HOLDINGS):  # the entries of blocked holdings are not read
            self.c.ppot[i], self.c.npot[i] = ppot[i], npot[i]
        self._check_weights(state)
        with nogil:
            csrc.bc_simulation_start(&self.c, first)

    cdef int _seat_all(self, object state) except -1:
        """The chips now, from a replay of the actions of the hand."""
        variant = state.variant
        cdef int64_t stacks[10]
        cdef csrc.bc_variant *v = &self.c.variant
        cdef int i
        v[0] = (<Rules>variant.rules).c
        for i in range(variant.seats):
            stacks[i] = state.stacks[i] + state.committed[i]
        csrc.bc_state_start(v, stacks, &self.c.state)
        kinds = {"fold": csrc.BC_FOLD, "check": csrc.BC_CALL, "call": csrc.BC_CALL}
        for act in state.acts:
            csrc.bc_state_apply(v, &self.c.state, kinds.get(act.action.name, csrc.BC_RAISE), act.action.amount)
        return 0

    cdef int _check_weights(self, object state) except -1:
        cdef int i
        for seat in state.seats_in:
            if seat == state.to_act:
                continue
            row = np.asarray(<double[:HOLDINGS]>self.c.weights[<int>seat])
            if not (row >= 0).all() or not row.any():
                raise RangeError(f"weights of position {seat}: expected numbers >= 0, not all 0")
        return 0

    def run(self, trials):
        """Simulate more trials."""
        cdef int left = whole(trials, "trials", 0, 2**31 - 1), some
        while left:
            some = min(left, <int> TRIALS)
            with nogil:
                csrc.bc_simulate(&self.c, some)
            left -= some
            PyErr_CheckSignals()

    @property
    def trials(self):
        return self.c.trials

    @property
    def can_raise(self):
        return bool(self.c.can_raise)

    @property
    def call(self):
        return self._mean(0)

    @property
    def raised(self):
        return self._mean(1)

    @property
    def gap(self):
        return self._mean(2)

    cdef tuple _mean(self, int k):
        cdef double n = self.c.trials
        if n == 0:
            return float("nan"), float("inf")
        cdef double mean = self.c.worth[k] / n
        if n == 1:
            return mean, float("inf")
        cdef double variance = (self.c.squares[k] / n - mean * mean) * n / (n - 1)
        return mean, sqrt(max(variance, 0.0) / n)
