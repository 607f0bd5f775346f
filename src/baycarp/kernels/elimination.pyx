# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, auto_pickle=False
"""Compiled elimination plans: built once, checked once, run without the GIL by any number of threads."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from baycarp.kernels cimport aligned, csrc, interrupt
from baycarp.kernels.simd cimport LEVEL

from collections.abc import Sequence

import numpy as np

from baycarp.errors import ArgumentError, EvidenceError, brief
from baycarp.kernels.arguments import array
from baycarp.kernels.counting import code_rows

__all__ = ["CONSTANTS", "FACTORS", "LOOPS", "MESSAGES", "SOFT", "TABLES", "Factor", "Program", "Step"]

LOOPS = csrc.BC_LOOPS
FACTORS = csrc.BC_FACTORS
TABLES = csrc.BC_TABLES
CONSTANTS = csrc.BC_CONSTANTS
MESSAGES = csrc.BC_MESSAGES
SOFT = csrc.BC_SOFT

Factor = tuple[int, int, Sequence[int], Sequence[tuple[int, int]]]
Step = tuple[Sequence[int], Sequence[int], int, int, Sequence[Factor]]

cdef object _empty = np.empty


cdef void *_zeroed(size_t count, size_t size) except NULL:
    cdef void *memory = calloc(count if count else 1, size)
    if memory is NULL:
        raise MemoryError()
    return memory


cdef csrc.bc_evidence evidence_rows(const int32_t[:, ::1] rows, const double[:, ::1] soft) noexcept:
    cdef csrc.bc_evidence known
    known.states = &rows[0, 0] if rows.shape[0] and rows.shape[1] else NULL
    known.soft = &soft[0, 0] if soft.shape[0] and soft.shape[1] else NULL
    return known


cdef double *batch_messages(const csrc.bc_plan *plan, int64_t n) except NULL:
    """Memory for the messages of the rows, of n, that run together."""
    cdef double *messages = <double *> malloc(
        csrc.bc_together(plan, n) * plan.message_size * sizeof(double) + 1)
    if messages is NULL:
        raise MemoryError()
    return messages


@cython.final
cdef class Program:
    def __cinit__(
        self,
        const double[::1] tables not None,
        const double[::1] constants not None,
        observed,
        steps,
        answers,
        Py_ssize_t soft=0,
    ):
        tables, constants = aligned.row(tables), aligned.row(constants)
        self.tables, self.constants = tables, constants
        self.nodes = tuple(node for node, _ in observed)
        self.codes = tuple({state: code for code, state in enumerate(states)} for _, states in observed)
        views = [factor for step in steps for factor in step[4]]
        self.steps = <csrc.bc_step *> _zeroed(len(steps), sizeof(csrc.bc_step))
        self.factors = <csrc.bc_factor *> _zeroed(len(views), sizeof(csrc.bc_factor))
        self.slices = <csrc.bc_slice *> _zeroed(sum(len(view[3]) for view in views), sizeof(csrc.bc_slice))
        self.answers = <csrc.bc_answer *> _zeroed(len(answers), sizeof(csrc.bc_answer))
        self.plan.soft = soft
        self.states = np.array([len(codes) for codes in self.codes], np.int32)
        self._fill(steps)
        for first, size in answers:
            if not 0 <= first <= first + size <= self.plan.message_size:
                raise ArgumentError(f"answer at {first}, size {size}: messages take {self.plan.message_size}")
            self.answers[self.plan.answer_count] = csrc.bc_answer(first, size)
            self.plan.answer_count += 1
            self.width += size
        self.plan.observed = len(self.nodes)
        self.plan.tables = &tables[0] if tables.shape[0] else NULL
        self.plan.constants = &constants[0] if constants.shape[0] else NULL
        self.plan.steps, self.plan.factors = self.steps, self.factors
        self.plan.slices, self.plan.answers = self.slices, self.answers
        self.plan.stop = interrupt.stopped

    def __dealloc__(self):
        free(self.steps)
        free(self.factors)
        free(self.slices)
        free(self.answers)

    cdef _fill(self, steps):
        """Copy the steps into C; check that no step reads or writes outside its memory."""
        cdef csrc.bc_step *step
        cdef int32_t factor_count = 0, slice_count = 0
        for lengths, strides, first, size, factors in steps:
            if not 2 <= len(lengths) <= LOOPS or len(factors) > FACTORS:
                raise ArgumentError(
                    f"{len(lengths)} loops, {len(factors)} factors: expected 2..{LOOPS} and 0..{FACTORS}")
            if first != self.plan.message_size or size <= _reach(lengths, strides):
                raise ArgumentError(
                    f"message at {first}, size {size}: expected at {self.plan.message_size}, or longer")
            step = &self.steps[self.plan.step_count]
            step.loops, step.first, step.size = len(lengths), first, size
            step.factors_from, step.factors = factor_count, len(factors)
            for d in range(len(lengths)):
                step.length[d], step.stride[d] = lengths[d], strides[d]
            for factor in sorted(factors, key=_depth):
                slice_count = self._fill_factor(&self.factors[factor_count], lengths, factor, slice_count)
                for d in range(_depth(factor), len(lengths)):
                    step.settled[d] += 1
                factor_count += 1
            self.plan.step_count += 1
            self.plan.message_size += size

    cdef int32_t _fill_factor(self, csrc.bc_factor *view, lengths, factor, int32_t slice_count) except -1:
        memory, first, strides, slices = factor
        limits = {
            TABLES: len(self.tables),
            CONSTANTS: len(self.constants),
            MESSAGES: self.plan.message_size,
            SOFT: self.plan.soft,
        }
        limit = limits[memory]
        last = first + _reach(lengths, strides)
        if any(not 0 <= node < len(self.codes) for node, _ in slices):
            raise ArgumentError(f"slices {slices}: expected observed nodes 0..{len(self.codes) - 1}")
        last += _reach([len(self.codes[node]) for node, _ in slices], [stride for _, stride in slices])
        if first < 0 or last >= limit:
            raise ArgumentError(f"factor from {first} to {last}: its memory ends at {limit}")
        view.memory, view.first = memory, first
        view.slices_from, view.slices = slice_count, len(slices)
        for d, stride in enumerate(strides):
            view.stride[d] = stride
        for node, stride in slices:
            self.slices[slice_count] = csrc.bc_slice(node, stride)
            slice_count += 1
        return slice_count

    def messages(self):
        if self.plan.observed or self.plan.soft:
            raise ArgumentError(f"program that observes {self.nodes}: expected one that needs no evidence")
        left = np.zeros(self.plan.message_size + 1)
        cdef double[::1] out = left
        with nogil:
            csrc.bc_messages(LEVEL, &self.plan, csrc.bc_evidence(NULL, NULL), 1, &out[0])
        interrupt.check()
        return left[:-1]

    def run(self, evidence not None, const double[::1] soft=None):
        cdef Py_ssize_t i, n = self.plan.observed
        cdef double probability
        cdef PyObject *found
        cdef Py_buffer out
        values = _empty(self.width)
        cdef size_t size = self.plan.message_size * sizeof(double) + n * sizeof(int32_t)
        cdef double *messages = <double *> malloc(size)
        cdef int32_t *row = <int32_t *> (messages + self.plan.message_size)
        cdef csrc.bc_evidence known
        if messages is NULL:
            raise MemoryError()
        try:
            given = evidence if type(evidence) is dict else _as_dict(evidence)
            if len(given) != n:
                self._refuse(given)
            for i in range(n):
                found = PyDict_GetItem(given, self.nodes[i])
                found = PyDict_GetItem(self.codes[i], <object> found) if found is not NULL else NULL
                if found is NULL:
                    self._refuse(given)
                row[i] = <object> found
            known.states, known.soft = row, NULL
            if self.plan.soft != (soft.shape[0] if soft is not None else 0):
                raise EvidenceError(f"likelihoods: expected {self.plan.soft} numbers, got {brief(soft)}")
            if self.plan.soft:
                soft = aligned.row(soft)
                known.soft = &soft[0]
            PyObject_GetBuffer(values, &out, PyBUF_WRITABLE)
            with nogil:
                probability = csrc.bc_eliminate(LEVEL, &self.plan, known, messages, <double *> out.buf)
            PyBuffer_Release(&out)
            interrupt.check()
        finally:
            free(messages)
        return values, probability

    def run_batch(self, codes not None, soft=None):
        cdef const int32_t[:, ::1] rows = self.checked(codes)
        cdef const double[:, ::1] likelihoods = self.checked_soft(soft, rows.shape[0])
        cdef Py_ssize_t n = rows.shape[0]
        values, probability = np.empty((n, self.width)), np.empty(n)
        cdef double[:, ::1] out = values
        cdef double[::1] weight = probability
        cdef csrc.bc_evidence known = evidence_rows(rows, likelihoods)
        cdef double *messages
        if n:
            messages = batch_messages(&self.plan, n)
            with nogil:
                csrc.bc_eliminate_batch(LEVEL, &self.plan, known, n, messages, &out[0, 0], &weight[0])
            free(messages)
            interrupt.check()
        return values, probability

    def checked(self, codes):
        codes = array(codes, "codes")
        if codes.ndim != 2 or codes.shape[1] != len(self.nodes):
            raise EvidenceError(
                f"codes: expected shape (n, {len(self.nodes)}) for {self.nodes}, got {codes.shape}")
        if codes.dtype.kind not in "iu":
            raise EvidenceError(f"codes: expected integers, got {codes.dtype}")
        coded, wrong = code_rows(np.ascontiguousarray(codes, dtype=np.int64), self.states)
        if wrong < coded.size:
            row, j = divmod(wrong, coded.shape[1])
            raise EvidenceError(
                f"row {row}: {self.nodes[j]!r} = {codes[row, j]}, expected a code 0..{self.states[j] - 1}")
        return coded

    def checked_soft(self, soft, Py_ssize_t n):
        given = np.empty((n, 0)) if soft is None else np.require(array(soft, "likelihoods", np.float64), np.float64, "CA")
        if given.shape != (n, self.plan.soft):
            raise EvidenceError(f"likelihoods: expected shape ({n}, {self.plan.soft}), got {given.shape}")
        return given

    def _refuse(self, evidence):
        """Raise an error that names the evidence that does not fit."""
        for node in evidence:
            if node not in self.nodes:
                raise EvidenceError(f"evidence on {brief(node)}: expected exactly {self.nodes}")
        for node, states in zip(self.nodes, self.codes):
            if node not in evidence:
                raise EvidenceError(f"evidence lacks {brief(node)}: expected exactly {self.nodes}")
            if not isinstance(evidence[node], str) or evidence[node] not in states:
                raise EvidenceError(
                    f"evidence {brief(node)} = {brief(evidence[node])}: expected one of {tuple(states)}")
        raise AssertionError(f"evidence {brief(evidence)} fits {self.nodes}")


def _as_dict(evidence):
    try:
        return dict(evidence)
    except (TypeError, ValueError):
        raise EvidenceError(f"evidence {brief(evidence)}: expected a mapping of node to state") from None


def _reach(lengths, strides):
    """The largest offset that loops of these lengths and strides reach."""
    if any(n < 1 for n in lengths) or any(s < 0 for s in strides):
        raise ArgumentError(f"loops {lengths} with strides {strides}: expected lengths >= 1 and strides >= 0")
    return sum((n - 1) * s for n, s in zip(lengths, strides, strict=True))


def _depth(factor):
    """The number of loops after which the place of the factor no longer changes."""
    return max((d + 1 for d, stride in enumerate(factor[2]) if stride), default=0)
