# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, auto_pickle=False
"""Expected counts of families from rows with missing values."""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from baycarp.kernels cimport aligned, csrc, interrupt
from baycarp.kernels.simd cimport LEVEL
from baycarp.kernels.elimination cimport Program, batch_messages, evidence_rows

from collections.abc import Sequence

import numpy as np

from baycarp.errors import ArgumentError

__all__ = ["Deposit", "Expectation"]

Deposit = tuple[int, int, Sequence[int], Sequence[int], Sequence[tuple[int, int]]]


@cython.final
cdef class Expectation:
    cdef csrc.bc_family_plan families
    cdef csrc.bc_deposit *deposits
    cdef csrc.bc_slice *slices
    cdef Program program

    def __cinit__(self, Program program not None, deposits):
        cdef int32_t slice_count = 0
        cdef csrc.bc_deposit *to
        if not program.plan.answer_count:
            raise ArgumentError("program without an answer: expected one that sums to the evidence's probability")
        self.program = program
        self.deposits = <csrc.bc_deposit *> calloc(len(deposits) + 1, sizeof(csrc.bc_deposit))
        self.slices = <csrc.bc_slice *> calloc(sum(len(d[4]) for d in deposits) + 1, sizeof(csrc.bc_slice))
        if self.deposits is NULL or self.slices is NULL:
            raise MemoryError()
        for message, first, lengths, strides, slices in deposits:
            self._check(message, first, lengths, strides, slices)
            to = &self.deposits[self.families.deposit_count]
            to.message, to.first, to.loops = message, first, len(lengths)
            for d in range(len(lengths)):
                to.length[d], to.stride[d] = lengths[d], strides[d]
            to.slices_from, to.slices = slice_count, len(slices)
            for node, stride in slices:
                self.slices[slice_count] = csrc.bc_slice(node, stride)
                slice_count += 1
            self.families.deposit_count += 1
        self.families.plan = &program.plan
        self.families.deposits, self.families.slices = self.deposits, self.slices

    def __dealloc__(self):
        free(self.deposits)
        free(self.slices)

    cdef _check(self, message, first, lengths, strides, slices):
        """Check that a deposit neither reads nor writes outside its memory."""
        size, last = 1, first
        for length, stride in zip(lengths, strides, strict=True):
            if length < 1 or stride < 0:
                raise ArgumentError(f"lengths {lengths}, strides {strides}: expected at least 1, at least 0")
            size, last = size * length, last + (length - 1) * stride
        for node, stride in slices:
            last += (len(self.program.codes[node]) - 1) * stride
        if not 1 <= len(lengths) <= csrc.BC_LOOPS or message < 0:
            raise ArgumentError(f"{len(lengths)} loops from {message}: expected 1..{csrc.BC_LOOPS} from 0 on")
        if message + size > self.program.plan.message_size or first < 0 or last >= len(self.program.tables):
            raise ArgumentError(f"deposit of {size} numbers up to {last}: outside messages or tables")

    def add(self, codes not None, soft, const double[::1] weights not None, double[::1] counts not None):
        cdef const int32_t[:, ::1] rows = self.program.checked(codes)
        cdef const double[:, ::1] likelihoods = self.program.checked_soft(soft, rows.shape[0])
        cdef int64_t n = rows.shape[0]
        weights = aligned.row(weights)
        cdef csrc.bc_evidence known = evidence_rows(rows, likelihoods)
        cdef double *messages
        if weights.shape[0] != n or counts.shape[0] != len(self.program.tables):
            raise ArgumentError(f"expected {n} weights and {len(self.program.tables)} counts")
        if counts.shape[0] and <size_t> &counts[0] % sizeof(double):
            raise ArgumentError("counts: expected aligned memory, since they are added to in place")
        probability = np.zeros(n)
        cdef double[::1] out = probability
        if n:
            messages = batch_messages(&self.program.plan, n)
            with nogil:
                csrc.bc_expect(LEVEL, &self.families, known, &weights[0], n, messages, &counts[0], &out[0])
            free(messages)
            interrupt.check()
        return probability
