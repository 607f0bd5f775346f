# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The probability of players' acts, given each holding, under many hypotheses about a player."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t, uint64_t

import numpy as np

from baycarp.errors import ArgumentError
from baycarp.kernels cimport aligned, csrc
from baycarp.kernels.arguments import real, whole
from baycarp.kernels.strength cimport set_of
from baycarp.kernels.strength import known_cards

__all__ = [
    "alternatives",
    "by_holding",
    "by_hypothesis",
    "mixed_choices",
    "strength_buckets",
    "sum_by_label",
    "weigh_top_labels",
]


cdef tuple COUNTS = tuple(range(53))


cdef const uint8_t[::1] _holdings(given, name):
    cdef const uint8_t[::1] codes = given
    if codes.shape[0] != 1326:
        raise ArgumentError(f"{name}: expected 1326 codes, got {codes.shape[0]}")
    return codes


cdef tuple held(acts):
    """Acts that nobody changes while the GIL is released."""
    return tuple([(bucket, table) for bucket, table in acts])


cdef csrc.bc_seen_act _act(act, Py_ssize_t hypotheses) except *:
    """The pointers of an act, whose arrays the caller holds."""
    cdef const uint8_t[::1] bucket = _holdings(act[0], "buckets")
    cdef const float[:, ::1] table = act[1]
    cdef csrc.bc_seen_act seen
    cdef int i, most = -1
    for i in range(1326):
        if bucket[i] != csrc.BC_UNBUCKETED and bucket[i] > most:
            most = bucket[i]
    if table.shape[1] != hypotheses or most >= table.shape[0]:
        raise ArgumentError(
            f"table of shape {np.shape(act[1])}: expected more than {most} buckets, {hypotheses} hypotheses"
        )
    seen.bucket, seen.table = &bucket[0], &table[0, 0]
    return seen


cdef csrc.bc_seen_act *_acts(acts, Py_ssize_t hypotheses) except NULL:
    """Memory that the caller frees."""
    cdef Py_ssize_t i
    if len({id(act[0]) for act in acts}) > csrc.BC_ACT_STREETS:
        raise ArgumentError(f"acts: expected at most {csrc.BC_ACT_STREETS} arrays of buckets")
    cdef csrc.bc_seen_act *seen = <csrc.bc_seen_act *> PyMem_Malloc((len(acts) + 1) * sizeof(csrc.bc_seen_act))
    if seen == NULL:
        raise MemoryError()
    try:
        for i, act in enumerate(acts):
            seen[i] = _act(act, hypotheses)
    except BaseException:
        PyMem_Free(seen)
        raise
    return seen


def by_holding(players, known):
    figures = np.empty((len(players), 1326))
    cdef double[:, ::1] out = figures
    cdef const uint8_t[::1] cards = known_cards(known, "known cards", COUNTS)
    cdef const double[::1] weights
    cdef double deal
    cdef Py_ssize_t row
    cdef csrc.bc_seen_act *seen
    cdef int acts_seen, hypotheses
    cdef uint64_t dead = set_of(cards)
    for row, (given_acts, given, rest) in enumerate(players):
        acts = held(given_acts)
        weights, deal = given, rest
        seen = _acts(acts, weights.shape[0])
        acts_seen, hypotheses = <int> len(acts), <int> weights.shape[0]
        with nogil:
            csrc.bc_evidence_by_holding(seen, acts_seen, hypotheses, &weights[0] if hypotheses else NULL, deal, dead,
                                        &out[row, 0])
        PyMem_Free(seen)
    return figures


def by_hypothesis(acts, hypotheses, known, holding=-1):
    cdef int number = whole(holding, "holding", -1, 1325), count = whole(hypotheses, "hypotheses", 0, 1 << 20)
    cdef const uint8_t[::1] cards = known_cards(known, "known cards", COUNTS)
    figures = np.empty(count)
    cdef double[::1] out = figures
    acts = held(acts)
    for bucket, _ in acts:
        if number >= 0 and bucket[number] == csrc.BC_UNBUCKETED:
            raise ArgumentError(f"holding {number}: expected one that has a bucket in every act")
    cdef csrc.bc_seen_act *seen = _acts(acts, count)
    cdef int acts_seen = <int> len(acts)
    cdef uint64_t dead = set_of(cards)
    with nogil:
        csrc.bc_evidence_by_hypothesis(seen, acts_seen, count, number, dead, &out[0] if count else NULL)
    PyMem_Free(seen)
    return figures


def alternatives(acts, last, weights, known, holding=-1):
    cdef const double[::1] shares = weights
    cdef const float[:, :, ::1] tables = last[1]
    cdef int number = whole(holding, "holding", -1, 1325), count = <int> shares.shape[0]
    cdef const uint8_t[::1] cards = known_cards(known, "known cards", COUNTS)
    cdef uint64_t dead = set_of(cards)
    figures = np.empty(tables.shape[0])
    cdef double[::1] out = figures
    acts = held(acts)
    if len({id(act[0]) for act in (*acts, last)}) > csrc.BC_ACT_STREETS or len(acts) > csrc.BC_SEEN_ACTS:
        raise ArgumentError(f"acts: expected at most {csrc.BC_SEEN_ACTS}, of {csrc.BC_ACT_STREETS} streets")
    if not tables.shape[0] or not count:
        raise ArgumentError(f"table of shape {np.shape(last[1])}: expected some alternatives and hypotheses")
    if number >= 0 and any([bucket[number] == csrc.BC_UNBUCKETED for bucket, _ in (*acts, last)]):
        raise ArgumentError(f"holding {number}: expected one that has a bucket in every act")
    cdef csrc.bc_seen_act first = _act((last[0], last[1][0]), count)
    cdef csrc.bc_alternatives tried
    tried.bucket, tried.table = first.bucket, first.table
    tried.count, tried.buckets = <int> tables.shape[0], <int> tables.shape[1]
    cdef csrc.bc_seen_act *seen = _acts(acts, count)
    cdef int acts_seen = <int> len(acts)
    with nogil:
        csrc.bc_evidence_alternatives(seen, acts_seen, tried, count, &shares[0], number, dead, &out[0])
    PyMem_Free(seen)
    return figures


def mixed_choices(table, weights, buckets):
    cdef const float[:, :, :, ::1] tables = table
    cdef const float[:, ::1] shares = weights
    cdef const uint8_t[:, ::1] codes = buckets
    cdef int cells = <int> codes.shape[1]
    cdef csrc.bc_powers powers
    powers.powers, powers.buckets, powers.hypotheses = <int> tables.shape[1], <int> tables.shape[2], <int> tables.shape[3]
    if not (tables.shape[0] == shares.shape[0] == csrc.BC_LIMIT_CHOICES and shares.shape[1] == codes.shape[0] == powers.powers):
        raise ArgumentError(f"table of shape {np.shape(table)}: expected that of weights {np.shape(weights)} "
                            f"and buckets {np.shape(buckets)}")
    cdef int power, cell, most = 0
    for power in range(powers.powers):
        for cell in range(cells):
            if codes[power, cell] > most:
                most = codes[power, cell]
    if not powers.powers * powers.hypotheses * cells or most >= powers.buckets:
        raise ArgumentError(f"table of shape {np.shape(table)}: expected some cells, in these buckets")
    powers.table = &tables[0, 0, 0, 0]
    mixed = np.empty((csrc.BC_LIMIT_CHOICES, cells, powers.hypotheses), np.float32)
    cdef float[:, :, ::1] out = mixed
    with nogil:
        csrc.bc_mix_choices(powers, &shares[0, 0], &codes[0, 0], cells, &out[0, 0, 0])
    return mixed


def strength_buckets(hs, ppot, edges, draw):
    cdef const double[::1] now = hs, later = ppot, ends = edges
    now, later, ends = aligned.row(now), aligned.row(later), aligned.row(ends)
    cdef int n = <int> ends.shape[0]
    cdef double least = real(draw, "draw")
    if now.shape[0] != 1326 or later.shape[0] != 1326 or not 1 <= ends.shape[0] <= 126:
        raise ArgumentError(f"strengths of shape {np.shape(hs)} and {np.shape(ppot)}, {ends.shape[0]} edges: "
                            f"expected 1326 each, and 1 to 126")
    buckets = np.empty(1326, np.uint8)
    cdef uint8_t[::1] out = buckets
    with nogil:
        csrc.bc_bucket_holdings(&now[0], &later[0], &ends[0], n, least, &out[0])
    return buckets


def sum_by_label(weights, label, labels):
    cdef const double[:, ::1] rows = weights
    cdef const uint8_t[::1] codes = _holdings(label, "label")
    cdef int count = whole(labels, "labels", 1, 256), n = whole(rows.shape[0], "rows", 0, 1 << 20)
    if rows.shape[1] != 1326:
        raise ArgumentError(f"weights: expected shape (n, 1326), got {np.shape(weights)}")
    figures = np.empty((n, count))
    cdef double[:, ::1] out = figures
    if n:
        with nogil:
            csrc.bc_sum_by_label(&rows[0, 0], n, &codes[0], count, &out[0, 0])
    return figures


def weigh_top_labels(chances, counts, label, known):
    cdef const double[:, ::1] rows = chances
    cdef const uint8_t[::1] codes = _holdings(label, "label"), cards = known_cards(known, "known cards", COUNTS)
    cdef uint64_t dead = set_of(cards), chosen
    cdef double[::1] out
    cdef Py_ssize_t row, count, labels = rows.shape[1]
    if not 1 <= labels <= csrc.BC_LABELS or rows.shape[0] != len(counts):
        raise ArgumentError(f"chances of shape {np.shape(chances)}, {len(counts)} counts: "
                            f"expected a row for each count, of 1 to {csrc.BC_LABELS} labels")
    rows = aligned.rows(rows)
    found, weights = {}, []
    for row, given in enumerate(counts):
        count = given if type(given) is int and 1 <= given <= labels else whole(given, "count", 1, labels)
        figures = np.empty(1326)
        out = figures
        with nogil:
            chosen = csrc.bc_weigh_top_labels(&rows[row, 0], <int> labels, <int> count, &codes[0], dead, &out[0])
        weights.append(found.setdefault(chosen, figures) if chosen else None)
    return weights
