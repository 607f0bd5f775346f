# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, auto_pickle=False
"""Most probable explanations from compiled plans."""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from baycarp.kernels cimport csrc, interrupt
from baycarp.kernels.elimination cimport Program, evidence_rows

import numpy as np

from baycarp.errors import ArgumentError

__all__ = ["Explanation"]


@cython.final
cdef class Explanation:
    cdef csrc.bc_explanation c
    cdef Program program
    cdef int32_t[:, ::1] variable

    def __cinit__(self, Program program not None, variables, lengths):
        cdef int32_t s, d
        self.program = program
        self.variable = np.full((program.plan.step_count + 1, csrc.BC_LOOPS), -1, np.int32)
        if program.plan.step_count != len(variables) or not program.plan.step_count:
            raise ArgumentError(f"{len(variables)} steps: expected the program's {program.plan.step_count}")
        for s, loops in enumerate(variables):
            if len(loops) != program.plan.steps[s].loops:
                raise ArgumentError(f"step {s}, loops {loops}: expected {program.plan.steps[s].loops}")
            for d, number in enumerate(loops):
                if not -1 <= number < len(lengths) or number >= 0 and (
                        lengths[number] != program.plan.steps[s].length[d]):
                    raise ArgumentError(f"step {s}, loop {d}: variable {number} has another number of states")
                self.variable[s, d] = number
        if program.plan.steps[program.plan.step_count - 1].size != 1:
            raise ArgumentError("last step: expected one that leaves one number")
        self.c.plan, self.c.variable, self.c.variables = &program.plan, &self.variable[0, 0], len(lengths)

    def run_batch(self, codes not None, soft=None):
        cdef const int32_t[:, ::1] rows = self.program.checked(codes)
        cdef const double[:, ::1] likelihoods = self.program.checked_soft(soft, rows.shape[0])
        cdef int64_t row, n = rows.shape[0], size = self.program.plan.message_size, doubles = 0
        cdef csrc.bc_evidence known = evidence_rows(rows, likelihoods)
        states, probability = np.zeros((n, self.c.variables + 1), np.int32), np.empty(n)
        cdef int32_t[:, ::1] out = states
        cdef double[::1] weight = probability
        cdef double *messages = <double *> malloc(size * (sizeof(double) + sizeof(int32_t)))
        if messages is NULL:
            raise MemoryError()
        with nogil:
            for row in range(n):
                if csrc.bc_ends(&self.program.plan, size + 1, &doubles):
                    break
                weight[row] = csrc.bc_explain(
                    &self.c, csrc.bc_evidence_row(&self.program.plan, known, row), messages,
                    <int32_t *> (messages + size), &out[row, 0])
        free(messages)
        interrupt.check()
        return states[:, :-1], probability
