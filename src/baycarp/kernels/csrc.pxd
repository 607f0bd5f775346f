# Every C declaration, once: one block a header.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "baycarp/rng.h" nogil:
    ctypedef struct bc_rng:
        pass
    void bc_rng_seed(bc_rng *rng, uint64_t seed)
    uint64_t bc_rng_next(bc_rng *rng)
    double bc_rng_unit(bc_rng *rng)
    uint32_t bc_rng_below(bc_rng *rng, uint32_t n)


cdef extern from "baycarp/similarity.h" nogil:
    enum:
        BC_NUMBERS
        BC_SLOTS
        BC_STATES
    ctypedef struct bc_measure:
        int numbers, slots
        const double *weight
        const double *decay
        const double *max
        double total
    ctypedef struct bc_query:
        const float *numbers
        const double *tables
    ctypedef struct bc_rows:
        int64_t count, stride
        const float *numbers
        const uint8_t *codes
        const int32_t *order
    ctypedef struct bc_cells:
        int32_t count
        const int64_t *starts
        const float *numbers
        const uint8_t *codes
        const int32_t *order
        const float *low
        const float *high
        const uint32_t *states
    ctypedef struct bc_found:
        double at_least
        int64_t room, count
        double *similarity
        int64_t *row
        int64_t scored
    void bc_similar_scan(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t start, int64_t to,
                         bc_found *found)
    void bc_similar_cells(const bc_measure *m, const bc_query *q, const bc_cells *cells, float *bound,
                          int32_t *queue, bc_found *found)
    void bc_similar_sort(bc_found *found)
