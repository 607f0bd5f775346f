# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows of states: brought into narrow codes, checked, and counted."""

cimport cython
from libc.stdint cimport INT32_MAX, int16_t, int32_t, int64_t
from baycarp.kernels cimport csrc

import numpy as np

__all__ = ["MEMBERS", "NARROW", "Column", "code_rows", "count"]

MEMBERS = csrc.BC_MEMBERS
NARROW = csrc.BC_NARROW


def code_rows(const int64_t[:, ::1] given not None, const int32_t[::1] states not None):
    cdef int64_t n = given.shape[0], columns = given.shape[1], wrong = 0
    if states.shape[0] != columns:
        raise ValueError(f"{columns} columns, states of {states.shape[0]}")
    codes = np.empty((n, columns), np.int32)
    cdef int32_t[:, ::1] out = codes
    if n and columns:
        with nogil:
            wrong = csrc.bc_code_rows(&given[0, 0], n, columns, &states[0], &out[0, 0])
    return codes, wrong


@cython.final
cdef class Column:
    cdef readonly int states
    cdef readonly object wrong
    cdef int16_t[::1] codes

    def __cinit__(self, const int64_t[::1] given not None, int states):
        cdef int64_t n = given.shape[0], wrong = 0
        if not 1 <= states <= csrc.BC_NARROW:
            raise ValueError(f"{states} states: expected 1..{csrc.BC_NARROW}")
        self.states, self.codes, self.wrong = states, np.empty(n, np.int16), None
        if n:
            with nogil:
                wrong = csrc.bc_code_column(&given[0], n, states, &self.codes[0])
        if wrong < n:
            self.wrong, self.codes = wrong, np.empty(0, np.int16)

    def __len__(self):
        return self.codes.shape[0]


def count(columns):
    cdef const int16_t *at[csrc.BC_MEMBERS]
    cdef int32_t stride[csrc.BC_MEMBERS]
    cdef Column column
    cdef int64_t size = 1, n = len(columns[0])
    cdef int k, members = len(columns)
    if not 1 <= members <= csrc.BC_MEMBERS:
        raise ValueError(f"{members} columns: expected 1..{csrc.BC_MEMBERS}")
    for k in range(members - 1, -1, -1):
        column = columns[k]
        if column.codes.shape[0] != n or size * column.states > INT32_MAX:
            raise ValueError(f"column {k}: expected {n} rows, and less than 2**31 cells")
        at[k], stride[k] = &column.codes[0] if n else NULL, size
        size *= column.states
    counts = np.zeros(size + 1, np.int64)
    cdef int64_t[::1] out = counts
    if n:
        with nogil:
            csrc.bc_count(at, stride, members, n, size, &out[0])
    return counts[:-1].reshape([column.states for column in columns])
