# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The 41 features of every decision of a hand, by features.h."""

from libc.stdint cimport int8_t, int64_t, uint8_t

import numpy as np

from baycarp.card import as_cards
from baycarp.errors import CardError
from baycarp.kernels cimport csrc
from baycarp.kernels.game cimport Rules, read_act
from baycarp.kernels.game import Hand

__all__ = ["FEATURES", "MOVES", "SITUATIONS", "hand_features", "validity"]

FEATURES, SITUATIONS, MOVES = csrc.BC_FEATURES, csrc.BC_SITUATIONS, csrc.BC_MOVES

cdef int SHOWN[4]
SHOWN[:] = [0, 3, 4, 5]


def hand_features(Rules rules not None, tuple stacks not None, actions, board):
    cdef csrc.bc_state state
    cdef csrc.bc_past past
    cdef csrc.bc_texture texture
    cdef int64_t chips[10]
    cdef int64_t amount
    cdef int i, kind, n, street = -1
    Hand(rules, stacks)  # checks the stacks
    for i in range(rules.c.seats):
        chips[i] = stacks[i]
    if not isinstance(actions, (list, tuple)):  # read up to the first that is not legal
        csrc.bc_state_start(&rules.c, chips, &state)
        given, actions = actions, []
        for action in given:
            read_act(&rules.c, &state, action, len(actions), &kind, &amount)
            csrc.bc_state_apply(&rules.c, &state, kind, amount)
            actions.append(action)
    n = len(actions)
    known = np.zeros(5, np.uint8)
    table = as_cards(board, "board", (0, 3, 4, 5))
    cdef int shown = len(table)
    known[:shown] = table
    cdef const uint8_t[::1] cards = known
    rows = np.empty((n, csrc.BC_FEATURES))
    labels = np.empty((n, 3), np.int8)
    cdef double[:, ::1] x = rows
    cdef int8_t[:, ::1] label = labels
    csrc.bc_state_start(&rules.c, chips, &state)
    csrc.bc_past_start(&past)
    for i in range(n):  # some microseconds in all: the GIL is kept
        read_act(&rules.c, &state, actions[i], i, &kind, &amount)
        if state.street != street:
            street = state.street
            if SHOWN[street] > shown:
                raise CardError(f"board of {shown} cards: expected {SHOWN[street]} on street {street}")
            csrc.bc_texture_of(&cards[0], street, &texture)
        csrc.bc_features_of(&rules.c, &state, &past, &texture, &x[i, 0])
        label[i, 0] = state.to_act
        label[i, 1] = <int8_t> csrc.bc_situation(&rules.c, &state)
        label[i, 2] = <int8_t> csrc.bc_move_of(&rules.c, &state, kind, amount)
        csrc.bc_past_act(&rules.c, &state, &past, kind, amount)
        csrc.bc_state_apply(&rules.c, &state, kind, amount)
    return rows, labels


def validity():
    return np.array([[csrc.bc_feature_valid(f, s) for s in range(csrc.BC_SITUATIONS)]
                     for f in range(csrc.BC_FEATURES)], bool)
