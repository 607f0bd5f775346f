# A compiled plan, for the bindings that extend it.

cimport cython
from libc.stdint cimport int32_t, int64_t

from baycarp.kernels cimport csrc


@cython.final
cdef class Program:
    cdef csrc.bc_plan plan
    cdef csrc.bc_step *steps
    cdef csrc.bc_factor *factors
    cdef csrc.bc_slice *slices
    cdef csrc.bc_answer *answers
    cdef const double[::1] tables, constants  # keep their memory alive
    cdef tuple nodes  # the observed nodes, in the order of an evidence row
    cdef tuple codes  # by node, state -> code
    cdef object states  # by node, number of states
    cdef readonly Py_ssize_t width
    cdef _fill(self, steps)
    cdef int32_t _fill_factor(self, csrc.bc_factor *view, lengths, factor, int32_t slice_count) except -1


cdef csrc.bc_evidence evidence_rows(const int32_t[:, ::1] rows, const double[:, ::1] soft) noexcept

cdef double *batch_messages(const csrc.bc_plan *plan, int64_t n) except NULL
