# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Choices, observations, and many hands stepped together, by episode.h."""

cimport cython

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from baycarp.errors import ArgumentError, CardError
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.kernels cimport csrc
from baycarp.kernels.game cimport Hand, Rules

from baycarp.kernels.game import RAISE

__all__ = ["MOST_EPISODES", "MOST_SIZES", "Episodes", "Menu"]

MOST_SIZES = csrc.BC_MENU
MOST_EPISODES = 1 << 20

cdef enum:
    UNSEEN = 255
    BOARD = 20

cdef int SHOWN[4]
SHOWN[:] = [0, 3, 4, 5]


@cython.final
cdef class Menu:
    cdef readonly Rules rules
    cdef readonly tuple sizes
    cdef csrc.bc_menu c

    def __init__(self, Rules rules not None, sizes):
        cdef int i
        given = tuple([float(size) for size in sizes])
        if len(given) > MOST_SIZES or not all([0 < a < b for a, b in zip(given, (*given[1:], 1e6))]):
            raise ArgumentError(f"sizes {sizes}: expected at most {MOST_SIZES} rising shares of the pot below 1e6")
        self.rules, self.sizes = rules, () if rules.c.limit else given
        memset(&self.c, 0, sizeof(self.c))
        self.c.count = len(self.sizes)
        for i in range(self.c.count):
            self.c.sizes[i] = self.sizes[i]

    @property
    def choices(self):
        return csrc.bc_choices(&self.rules.c, &self.c)

    @property
    def width(self):
        return csrc.bc_observed(self.rules.c.seats)

    def amounts(self, Hand hand not None):
        cdef int64_t amounts[16]
        cdef int i
        csrc.bc_choice_amounts(&self.rules.c, &hand.c, &self.c, amounts)
        return tuple([amounts[i] for i in range(self.choices)])

    def observe(self, Hand hand not None, acts, int seat, bint public=False):
        cdef csrc.bc_history history
        cdef csrc.bc_state then
        cdef const uint8_t *hole = NULL
        cdef int i, kind
        if not 0 <= seat < self.rules.c.seats:
            raise ArgumentError(f"seat {seat}: expected a position below {self.rules.c.seats}")
        for i in range(SHOWN[hand.c.street]):
            if hand.cards[BOARD + i] == UNSEEN:
                raise CardError(f"board: expected {SHOWN[hand.c.street]} cards on street {hand.c.street}")
        if not public and hand.cards[2 * seat] != UNSEEN:
            hole = &hand.cards[2 * seat]
        memset(&history, 0, sizeof(history))
        memset(&then, 0, sizeof(then))
        for position, street, name in acts:
            then.to_act, then.street = position, street
            kind = csrc.BC_FOLD if name == "fold" else RAISE if name in ("bet", "raise") else csrc.BC_CALL
            csrc.bc_history_act(&then, &history, kind)
        found = np.empty(self.width, np.float32)
        cdef float[::1] out = found
        csrc.bc_observe(&self.rules.c, &hand.c, &history, seat, hole, &hand.cards[BOARD], &out[0])
        return found


@cython.final
cdef class Episodes:
    cdef readonly Menu menu
    cdef readonly int count
    cdef csrc.bc_episodes c
    cdef csrc.bc_episode *each

    def __cinit__(self):
        self.each = NULL

    def __dealloc__(self):
        free(self.each)

    def __init__(self, Menu menu not None, tuple stacks not None, habits, seat, count):
        cdef int i, seats = menu.rules.c.seats
        Hand(menu.rules, stacks)  # checks the stacks
        if len(habits) != seats - 1:
            raise ArgumentError(f"habits: expected {seats - 1}, got {len(habits)}")
        self.menu, self.count = menu, whole(count, "count", 1, MOST_EPISODES)
        memset(&self.c, 0, sizeof(self.c))
        self.c.variant = &menu.rules.c
        self.c.menu = menu.c
        self.c.seat = -1 if seat is None else whole(seat, "seat", 0, seats - 1)
        for i in range(seats):
            self.c.stacks[i] = stacks[i]
        for i in range(seats - 1):
            habit = habits[i]
            self.c.habits[i + 1].even = habit is None
            if habit is not None:
                self.c.habits[i + 1].fold, self.c.habits[i + 1].raises, self.c.habits[i + 1].bet = habit
        free(self.each)
        self.each = <csrc.bc_episode *> calloc(self.count, sizeof(csrc.bc_episode))
        if self.each == NULL:
            raise MemoryError()
        self.start(0)

    def start(self, seed):
        cdef uint64_t first = whole(seed, "seed", 0, MOST_SEED)
        cdef int i
        with nogil:
            for i in range(self.count):
                csrc.bc_episode_start(&self.c, &self.each[i], first, i)

    def observe(self):
        seen, masks = self._buffers()
        cdef float[:, ::1] observations = seen
        cdef int8_t[:, ::1] mask = masks
        cdef int i
        with nogil:
            for i in range(self.count):
                csrc.bc_episode_observe(&self.c, &self.each[i], &observations[i, 0], &mask[i, 0])
        return seen, masks

    def step(self, const int64_t[::1] choices not None):
        if choices.shape[0] != self.count:
            raise ArgumentError(f"choices: expected {self.count}, got {choices.shape[0]}")
        seen, masks = self._buffers()
        last, _ = self._buffers()
        won, ended, wrong = np.zeros(self.count, np.int64), np.zeros(self.count, bool), np.zeros(self.count, bool)
        cdef float[:, ::1] observations = seen
        cdef float[:, ::1] finals = last
        cdef int8_t[:, ::1] mask = masks
        cdef int64_t[::1] payoff = won
        cdef uint8_t[::1] over = ended.view(np.uint8)
        cdef uint8_t[::1] illegal = wrong.view(np.uint8)
        cdef csrc.bc_episode *episode
        cdef int64_t choice
        cdef int i, flags
        with nogil:
            for i in range(self.count):
                episode, choice = &self.each[i], choices[i]
                if not -1 <= choice <= csrc.BC_MENU_CHOICES:
                    choice = -1
                flags = csrc.bc_episode_act(&self.c, episode, <int> choice, &payoff[i])
                illegal[i] = (flags & csrc.BC_ILLEGAL) != 0
                if flags & csrc.BC_ENDED:
                    over[i] = True
                    csrc.bc_episode_observe(&self.c, episode, &finals[i, 0], &mask[i, 0])
                    csrc.bc_episode_deal(&self.c, episode)
                csrc.bc_episode_observe(&self.c, episode, &observations[i, 0], &mask[i, 0])
        return seen, masks, won, ended, wrong, last

    def deck(self, int episode):
        if not 0 <= episode < self.count:
            raise ArgumentError(f"episode {episode}: expected one below {self.count}")
        cdef int n = 2 * self.menu.rules.c.seats + 5
        return self.each[episode].seat, <bytes> (<char *> self.each[episode].deck)[:n]

    cdef tuple _buffers(self):
        shape = self.count, self.menu.width
        return np.empty(shape, np.float32), np.empty((self.count, self.menu.choices), np.int8)
