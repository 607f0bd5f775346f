"""Decisions and policies, for the modules that search from them."""

from libc.stdint cimport uint8_t

from baycarp.kernels cimport csrc
from baycarp.kernels.game cimport Hand


cdef class TreePolicies:
    cdef csrc.bc_tree_policies c
    cdef csrc.bc_policy_tree *trees
    cdef object kept  # the arrays that C reads

    cdef int _allocate(self, int clusters) except -1
    cdef int _take(self, int number, flat, values) except -1


cdef class Decision:
    cdef csrc.bc_search c
    cdef csrc.bc_price_table table
    cdef csrc.bc_strength_buckets *buckets
    cdef object kept  # the arrays that C reads

    cdef int _decide(self, Hand hand, hole, board, weights, policies, now, edges, draw, acts, sizes, dead) except -1
    cdef int _models(self, policies, edges) except -1
    cdef object _table(self, chances)
    cdef int _place(self, Hand hand, board, weights) except -1
    cdef int _deal(self, csrc.bc_state state, hole, board, weights) except -1
    cdef object _now(self, now)
    cdef int _bucket_all(self, const uint8_t[::1] row) except -1
    cdef int _shown(self)


cdef class Search(Decision):
    cdef int _begun(self) except -1
