# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, auto_pickle=False
"""Exact retrieval under a weighted similarity (csrc similarity.h)."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, NAN
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from threading import local

import numpy as np

from baycarp.errors import ArgumentError, SchemaError
from baycarp.kernels cimport aligned, csrc, simd
from baycarp.kernels.arguments import MOST_INT64, array, real, whole

__all__ = [
    "MOST_NUMBERS", "MOST_SLOTS", "MOST_SYMBOLS", "RUN", "STATES", "Cells", "Measure", "exp_nonpositive",
    "exp_nonpositive_all", "similar", "sums", "totals"
]

MOST_NUMBERS = csrc.BC_NUMBERS
MOST_SLOTS = csrc.BC_SLOTS
MOST_SYMBOLS = csrc.BC_SYMBOLS
STATES = csrc.BC_STATES
RUN = csrc.BC_RUN

cdef enum:
    ROWS = 1 << 18  # scanned between two checks for signals
    SOLUTIONS = 256  # a solution is a byte
    PLACES = 256  # added at once


def exp_nonpositive(x):
    cdef double given = real(x, "x")
    if not given <= 0:
        raise ArgumentError(f"x {given!r}: expected at most 0")
    return csrc.bc_exp_nonpositive(given)


def exp_nonpositive_all(x):
    given = np.require(array(x, "x", np.float64), np.float64, "CA")
    if not np.all(given <= 0):
        raise ArgumentError("x: expected numbers of at most 0")
    result = np.empty_like(given)
    cdef const double[::1] read = given.ravel()
    cdef double[::1] written = result.reshape(-1)
    cdef Py_ssize_t i
    for i in range(read.shape[0]):
        if i % ROWS == ROWS - 1:
            PyErr_CheckSignals()
        written[i] = csrc.bc_exp_nonpositive(read[i])
    return result


@cython.final
cdef class Measure:
    cdef csrc.bc_measure c
    cdef const double[::1] weight, decay, max

    def __init__(
        self,
        const double[::1] weight not None,  # IN, (numbers + slots + symbols,)
        const double[::1] decay not None,   # IN, (numbers,)
        const double[::1] max not None,     # IN, (numbers,)
        Py_ssize_t symbols=0,
    ):
        cdef Py_ssize_t numbers = decay.shape[0], slots = weight.shape[0] - decay.shape[0] - symbols, i
        if (max.shape[0] != numbers or numbers > csrc.BC_NUMBERS or not 0 <= slots <= csrc.BC_SLOTS
                or not 0 <= symbols <= csrc.BC_SYMBOLS):
            raise SchemaError(
                f"{numbers} numbers, {slots} slots and {symbols} symbols: "
                f"expected at most {csrc.BC_NUMBERS}, {csrc.BC_SLOTS} and {csrc.BC_SYMBOLS}"
            )
        weight, decay, max = aligned.row(weight), aligned.row(decay), aligned.row(max)
        self.weight, self.decay, self.max = weight, decay, max
        self.c.numbers, self.c.slots, self.c.symbols, self.c.total = numbers, slots, symbols, 0.0
        for i in range(weight.shape[0]):
            if not 0 < weight[i] < float("inf"):
                raise SchemaError(f"weight {weight[i]!r}: expected a finite number above 0")
            self.c.total += weight[i]
        for i in range(numbers):
            if not 0 <= decay[i] <= 1e200 or not 0 < max[i] < float("inf"):
                raise SchemaError(f"decay {decay[i]!r}, max {max[i]!r}: expected decay of 0 to 1e200 and max > 0, finite")
        if not weight.shape[0]:
            raise SchemaError("no columns: expected at least one number or slot")
        if not 1e-300 <= self.c.total < float("inf"):
            raise SchemaError(f"weights that sum to {self.c.total!r}: expected 1e-300 or more, finite")
        self.c.weight, self.c.decay, self.c.max = &weight[0], &decay[0], &max[0]


@cython.final
cdef class Cells:
    cdef csrc.bc_cells c
    cdef readonly Py_ssize_t stored, nbytes
    cdef Py_ssize_t symbols
    cdef tuple arrays
    cdef const uint8_t[::1] solutions
    cdef const double[::1] outcomes

    def __init__(
        self,
        const int32_t[::1] cells not None,      # IN, (cells + 1,)
        const int64_t[::1] starts not None,     # IN, (runs + 1,)
        const int32_t[::1] order not None,      # IN, (rows,)
        const float[:, ::1] numbers not None,   # IN, (numbers, room for rows)
        const uint8_t[:, ::1] codes not None,   # IN, (slots, room for rows)
        const float[:, ::1] stems not None,     # IN, (numbers of a stem, stems)
        const uint16_t[::1] stem_of not None,   # IN, (rows,)
        bint by_stem=False,
        symbols=None,                           # IN, uint32, (symbols, room for rows)
        tuple settled=None,                     # IN, uint8 and float64, (room for rows,)
    ):
        cells, starts, order = aligned.row(cells), aligned.row(starts), aligned.row(order)
        numbers, stems, stem_of = aligned.rows(numbers), aligned.rows(stems), aligned.row(stem_of)
        cdef Py_ssize_t count = cells.shape[0] - 1, runs = starts.shape[0] - 1, rows = order.shape[0]
        cdef Py_ssize_t columns = numbers.shape[0], slots = codes.shape[0], room = numbers.shape[1]
        if columns > csrc.BC_NUMBERS or slots > csrc.BC_SLOTS or room != codes.shape[1]:
            raise SchemaError(f"{columns} numbers and {slots} slots of {room} and {codes.shape[1]} rows: "
                              f"expected at most {csrc.BC_NUMBERS} and {csrc.BC_SLOTS}, of as many")
        if count < 1 or cells[0] != 0 or cells[count] != runs or np.any(np.diff(cells) < 0):
            raise SchemaError(f"cells: expected to rise from 0 to {runs}")
        if runs < 1 or starts[0] != 0 or starts[runs] != rows or not np.all((np.diff(starts) >= 0)
                                                                           & (np.diff(starts) <= csrc.BC_RUN)):
            raise SchemaError(f"starts: expected to rise from 0 to {rows} by {csrc.BC_RUN} at most")
        if np.any(np.sort(order) != np.arange(rows)) or rows > room:
            raise SchemaError(f"order: expected each of the rows 0 to {rows - 1} once, of {room}")
        cdef Py_ssize_t stem = stems.shape[0]
        if stem > columns or stem_of.shape[0] != rows or np.any(np.asarray(stem_of) >= stems.shape[1]) or any(
            np.any(np.asarray(stems)[f, stem_of] != np.asarray(numbers)[f, :rows]) for f in range(stem)
        ):
            raise SchemaError(f"stems of {stem} numbers: expected those of each row")
        cdef const uint32_t[:, ::1] named = np.empty((0, room), np.uint32) if symbols is None else symbols
        named = aligned.rows(named)
        if named.shape[0] > csrc.BC_SYMBOLS or named.shape[1] != room:
            raise SchemaError(f"{named.shape[0]} symbols of {named.shape[1]} rows: "
                              f"expected at most {csrc.BC_SYMBOLS}, of {room}")
        cdef uint32_t[::1] kept = np.empty(rows * named.shape[0] + 1, np.uint32)
        cdef const uint16_t[::1] placed = np.asarray(stem_of)[np.asarray(order)]
        cdef float[::1] packed = np.empty(rows * (columns - stem) + 1, np.float32)
        cdef uint8_t[::1] listed = np.zeros(rows * (columns - (stem if by_stem else 0) + slots) + csrc.BC_RUN, np.uint8)
        cdef float[:, ::1] boxes = np.empty((2, columns * count), np.float32)
        cdef uint8_t[:, ::1] run_boxes = np.zeros((2, columns * runs + csrc.BC_RUN), np.uint8)
        cdef uint32_t[::1] states = np.empty(slots * count, np.uint32)
        if settled is not None:
            if len(settled) != 2 or any(len(each) < rows for each in settled):
                raise SchemaError(f"settled: expected solutions and outcomes of {rows} rows")
            solutions, outcomes = (np.asarray(each)[np.asarray(order)] for each in settled)
            self.solutions, self.outcomes = solutions, outcomes
        self.arrays = (cells, starts, order, stems, placed, packed, listed, boxes, run_boxes, states, kept,
                       *(() if settled is None else (solutions, outcomes)))
        self.stored = rows
        self.nbytes = sum(array.nbytes for array in self.arrays)
        self.c = csrc.bc_cells(count, runs, &cells[0], &starts[0], &order[0], stem, stems.shape[1], stem if by_stem else 0, &stems[0, 0],
                               &placed[0], &packed[0], &listed[0], &boxes[0, 0], &boxes[1, 0], &run_boxes[0, 0], &run_boxes[1, 0], &states[0], &kept[0])
        cdef csrc.bc_rows given = csrc.bc_rows(rows, room, &numbers[0, 0], &codes[0, 0], NULL, &named[0, 0])
        with nogil:
            csrc.bc_similar_pack(columns, slots, named.shape[0], &given, &self.c)
        self.symbols = named.shape[0]

    def __len__(self):
        return self.c.count


@cython.final
cdef class _Work:
    """The buffers of a thread, reused by its next query: an allocation would cost more than the query."""

    cdef Py_ssize_t room, cells, stems
    cdef int64_t[::1] row
    cdef double[::1] similarity, begun
    cdef float[::1] bound, loss
    cdef int32_t[::1] queue
    cdef uint16_t[::1] units

    cdef int fit(self, Py_ssize_t room, Py_ssize_t cells, Py_ssize_t stems) except -1:
        if self.room < room:
            self.room = room
            self.row, self.similarity = np.empty(room, np.int64), np.empty(room)
        if self.cells < cells:
            self.cells = cells
            self.bound, self.queue = np.empty(cells, np.float32), np.empty(cells, np.int32)
        if self.stems < stems:
            self.stems = stems
            self.begun, self.loss, self.units = np.empty(stems), np.empty(stems, np.float32), np.empty(stems, np.uint16)
        return 0


_local = local()
_no_symbols = np.empty((0, 1), np.uint32)


cdef int64_t _rows_held(const float[:, ::1] numbers, const uint8_t[:, ::1] codes, count, Cells cells) except -1:
    """The number of valid rows, of these numbers and codes."""
    cdef int64_t held = whole(count, "count", -MOST_INT64, MOST_INT64), indexed = 0 if cells is None else cells.stored
    if not indexed <= held <= numbers.shape[1] or held > codes.shape[1]:
        raise SchemaError(f"count {held}: expected {indexed}..{numbers.shape[1]}")
    return held


cdef _Work _work(Py_ssize_t room, Cells cells):
    """The buffers of this thread, large enough."""
    cdef _Work work = getattr(_local, "work", None)
    if work is None:
        work = _local.work = _Work()
    if cells is None:
        work.fit(room, 1, 1)
    else:
        work.fit(room, cells.c.count, cells.c.stems)
    return work


cdef int _search(
    Measure measure,
    const float[:, ::1] numbers,
    const uint8_t[:, ::1] codes,
    int64_t rows_held,
    Cells cells,
    const float[::1] query,
    const double[:, ::1] tables,
    symbols,
    tuple vocabularies,
    _Work work,
    csrc.bc_found *found,
) except -1:
    """Offer all rows that the bounds do not exclude: those of the cells, then the others."""
    cdef csrc.bc_measure m = measure.c
    numbers, query, tables = aligned.rows(numbers), aligned.row(query), aligned.rows(tables)
    cdef const uint32_t[:, ::1] named = _no_symbols if symbols is None else symbols
    cdef csrc.bc_vocabulary words[csrc.BC_SYMBOLS]
    cdef const double[::1] word
    words_kept = []
    named = aligned.rows(named)
    cdef Py_ssize_t j, top
    if named.shape[0] != m.symbols or len(vocabularies) != m.symbols or (
        cells is not None and cells.symbols != m.symbols
    ) or m.symbols and named.shape[1] != numbers.shape[1]:
        raise SchemaError(f"{named.shape[0]} symbols of {named.shape[1]} rows, {len(vocabularies)} vocabularies: "
                          f"expected {m.symbols}, of {numbers.shape[1]}")
    for j in range(m.symbols):
        word = vocabularies[j]
        word = aligned.row(word)
        words_kept.append(word.base)
        words[j] = csrc.bc_vocabulary(&word[0], word.shape[0])
    if numbers.shape[0] != m.numbers or codes.shape[0] != m.slots:
        raise SchemaError(f"{numbers.shape[0]} numbers and {codes.shape[0]} slots: "
                          f"expected {m.numbers} and {m.slots}")
    if query.shape[0] != m.numbers or tables.shape[0] != m.slots or tables.shape[1] != csrc.BC_STATES:
        raise SchemaError(f"query of {query.shape[0]} numbers and {tables.shape[0]} slots: "
                          f"expected {m.numbers} and {m.slots}")
    if found.at_least != found.at_least:
        raise ArgumentError("at_least nan: expected a number")
    if rows_held == 0:
        return 0
    cdef int64_t indexed = 0 if cells is None else cells.stored
    cdef csrc.bc_query q = csrc.bc_query(&query[0], &tables[0, 0], &words[0])
    cdef csrc.bc_rows tail = csrc.bc_rows(rows_held, numbers.shape[1], &numbers[0, 0], &codes[0, 0], NULL, &named[0, 0])
    cdef csrc.bc_similar_work space = csrc.bc_similar_work(&work.bound[0], &work.queue[0], &work.begun[0],
                                                            &work.loss[0], &work.units[0])
    with nogil:
        if indexed:
            csrc.bc_similar_cells(simd.LEVEL, &m, &q, &cells.c, space, found)
    for top in range(indexed, rows_held, ROWS):
        PyErr_CheckSignals()
        with nogil:
            csrc.bc_similar_scan(simd.LEVEL, &m, &q, &tail, top, min(top + <Py_ssize_t> ROWS, rows_held), found)
    return 0


def similar(
    Measure measure not None,
    const float[:, ::1] numbers not None,    # IN, (numbers, room for rows)
    const uint8_t[:, ::1] codes not None,    # IN, (slots, room for rows)
    count,
    Cells cells,
    const float[::1] query not None,         # IN, (numbers,)
    const double[:, ::1] tables not None,    # IN, (slots, STATES)
    at_least,
    at_most,
    symbols=None,                            # IN, uint32, (symbols, room for rows)
    tuple vocabularies=(),                   # IN, float64 arrays, one a symbol
):
    cdef Py_ssize_t most = whole(at_most, "at_most", 1, MOST_INT64)
    cdef double least = real(at_least, "at_least")
    cdef int64_t held = _rows_held(numbers, codes, count, cells)
    cdef Py_ssize_t room = max(min(most, held), 1)
    cdef _Work work = _work(room, cells)
    cdef csrc.bc_found found = csrc.bc_found(least, room, 0, &work.similarity[0], &work.row[0], 0, NULL)
    _search(measure, numbers, codes, held, cells, query, tables, symbols, vocabularies, work, &found)
    rows, similarities = np.empty(found.count, np.int64), np.empty(found.count)
    cdef int64_t[::1] row = rows
    cdef double[::1] similarity = similarities
    with nogil:
        csrc.bc_similar_sort(&found, &similarity[0], &row[0])
    return rows, similarities, found.scored


def totals(
    Measure measure not None,
    const float[:, ::1] numbers not None,    # IN, (numbers, room for rows)
    const uint8_t[:, ::1] codes not None,    # IN, (slots, room for rows)
    count,
    Cells cells,
    const float[::1] query not None,         # IN, (numbers,)
    const double[:, ::1] tables not None,    # IN, (slots, STATES)
    at_least,
    const uint8_t[::1] solutions not None,   # IN, (room for rows,)
    const double[::1] outcomes not None,     # IN, (room for rows,)
    symbols=None,                            # IN, uint32, (symbols, room for rows)
    tuple vocabularies=(),                   # IN, float64 arrays, one a symbol
    bint similarities=True,
):
    outcomes = aligned.row(outcomes)
    cdef double least = real(at_least, "at_least")
    cdef int64_t held = _rows_held(numbers, codes, count, cells)
    if solutions.shape[0] < held or outcomes.shape[0] < held:
        raise SchemaError(f"{solutions.shape[0]} solutions and {outcomes.shape[0]} outcomes: expected {held}")
    if cells is not None and cells.solutions is None:
        raise SchemaError("cells without solutions: expected them, to sum over")
    counts, sums = np.zeros(SOLUTIONS, np.int64), np.zeros((2, SOLUTIONS))
    cdef int64_t[::1] counted = counts
    cdef double[:, ::1] added = sums
    cdef csrc.bc_totals into = csrc.bc_totals(&solutions[0], &outcomes[0], NULL, NULL, &counted[0], &added[0, 0],
                                              NULL)
    if similarities:
        into.similarities = &added[1, 0]
    else:
        sums[1] = NAN
    if cells is not None:
        into.solution_in_cells, into.outcome_in_cells = &cells.solutions[0], &cells.outcomes[0]
    cdef csrc.bc_found found = csrc.bc_found(least, MOST_INT64, 0, NULL, NULL, 0, &into)
    _search(measure, numbers, codes, held, cells, query, tables, symbols, vocabularies, _work(1, cells), &found)
    return counts, sums[0], sums[1], found.scored


def sums(
    const int64_t[::1] rows not None,        # IN, (found,)
    const double[::1] similarities not None, # IN, (found,)
    first,
    count,
    const uint8_t[::1] solutions not None,   # IN, (room for rows,)
    const double[::1] outcomes not None,     # IN, (room for rows,)
    kinds=SOLUTIONS,
):
    cdef int64_t held = whole(count, "count", 0, solutions.shape[0]), i, found = rows.shape[0], at, n
    cdef int64_t least = whole(first, "first", -MOST_INT64, MOST_INT64), most = whole(kinds, "kinds", 1, SOLUTIONS)
    cdef int64_t[PLACES] place
    rows, outcomes, similarities = aligned.row(rows), aligned.row(outcomes), aligned.row(similarities)
    if outcomes.shape[0] < held or similarities.shape[0] != found:
        raise SchemaError(f"{outcomes.shape[0]} outcomes and {similarities.shape[0]} similarities: "
                          f"expected {held} and {found}")
    counts, added = np.zeros(most, np.int64), np.zeros((2, most))
    cdef int64_t[::1] counted = counts
    cdef double[:, ::1] into_sums = added
    cdef csrc.bc_totals into = csrc.bc_totals(&solutions[0], &outcomes[0], NULL, NULL, &counted[0], &into_sums[0, 0],
                                              &into_sums[1, 0])
    cdef csrc.bc_found all_of_them = csrc.bc_found(-INFINITY, MOST_INT64, 0, NULL, NULL, 0, &into)
    for at in range(0, found, PLACES):
        n = min(found - at, <int64_t> PLACES)
        for i in range(n):
            if rows[at + i] < least or <uint64_t> rows[at + i] - <uint64_t> least >= <uint64_t> held:
                raise SchemaError(f"case {rows[at + i]}: expected the id of a stored case")
            place[i] = rows[at + i] - least
            if solutions[place[i]] >= most:
                raise SchemaError(f"solution {solutions[place[i]]}: expected one below {most}")
        csrc.bc_similar_add(&all_of_them, 0, &similarities[at], &place[0], <int> n)
    return counts, added[0], added[1]
