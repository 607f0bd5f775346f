# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Converts rows of states to narrow codes, checks and counts them."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport INT32_MAX, int16_t, int32_t, int64_t
from baycarp.kernels cimport aligned, csrc

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import whole

__all__ = ["MEMBERS", "NARROW", "Column", "code_rows", "count"]

MEMBERS = csrc.BC_MEMBERS
NARROW = csrc.BC_NARROW

cdef enum:
    ROWS = 1 << 22  # between two checks for signals


def code_rows(const int64_t[:, ::1] given not None, const int32_t[::1] states not None):
    cdef int64_t n = given.shape[0], columns = given.shape[1], wrong = 0
    if states.shape[0] != columns:
        raise ArgumentError(f"{columns} columns, states of {states.shape[0]}")
    codes = np.empty((n, columns), np.int32)
    cdef int32_t[:, ::1] out = codes
    cdef int64_t top, some
    given, states = aligned.rows(given), aligned.row(states)
    if not columns:
        return codes, wrong
    for top in range(0, n, ROWS):
        PyErr_CheckSignals()
        some = min(<int64_t> ROWS, n - top)
        with nogil:
            wrong = csrc.bc_code_rows(&given[top, 0], some, columns, &states[0], &out[top, 0])
        if wrong < some * columns:
            return codes, top * columns + wrong
    return codes, n * columns


@cython.final
cdef class Column:
    cdef readonly int states
    cdef readonly object wrong
    cdef int16_t[::1] codes

    def __cinit__(self, const int64_t[::1] given not None, states):
        cdef int64_t n = given.shape[0], wrong, top, some
        self.states = whole(states, "states", 1, csrc.BC_NARROW)
        given = aligned.row(given)
        self.codes, self.wrong = np.empty(n, np.int16), None
        for top in range(0, n, ROWS):
            PyErr_CheckSignals()
            some = min(<int64_t> ROWS, n - top)
            with nogil:
                wrong = csrc.bc_code_column(&given[top], some, self.states, &self.codes[top])
            if wrong < some:
                self.wrong, self.codes = top + wrong, np.empty(0, np.int16)
                return

    def __len__(self):
        return self.codes.shape[0]


def count(columns):
    cdef const int16_t *at[csrc.BC_MEMBERS]
    cdef int32_t stride[csrc.BC_MEMBERS]
    cdef Column column
    cdef int k, members = whole(len(columns), "columns", 1, csrc.BC_MEMBERS)
    cdef int64_t size = 1, n = len(columns[0]), top, some
    for k in range(members - 1, -1, -1):
        column = columns[k]
        if column.codes.shape[0] != n or size * column.states > INT32_MAX:
            raise ArgumentError(f"column {k}: expected {n} rows, and less than 2**31 cells")
        at[k], stride[k] = &column.codes[0] if n else NULL, size
        size *= column.states
    counts = np.zeros(size + 1, np.int64)
    cdef int64_t[::1] out = counts
    for top in range(0, n, ROWS):
        PyErr_CheckSignals()
        some = min(<int64_t> ROWS, n - top)
        with nogil:
            csrc.bc_count(at, stride, members, some, size, &out[0])
            for k in range(members):
                at[k] += some
    return counts[:-1].reshape([column.states for column in columns])
