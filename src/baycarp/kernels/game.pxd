# The compiled hand, for the bindings that use it (simulation).

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t

from baycarp.kernels cimport csrc


@cython.final
cdef class Rules:
    cdef csrc.bc_variant c
    cdef tuple given


cdef class Hand:
    cdef readonly Rules rules
    cdef csrc.bc_state c
    cdef uint8_t cards[25]  # two for each of ten positions, then the board; 255 = unseen
    cdef uint16_t gone  # the positions that mucked at the showdown
    cdef tuple _chips(self, const int64_t *chips)
    cdef int _rank(self, uint16_t *ranks) except -1
    cpdef Hand clone(self)


cdef int read_act(const csrc.bc_variant *variant, const csrc.bc_state *state, object act, int number,
                  int *kind, int64_t *amount) except -1
