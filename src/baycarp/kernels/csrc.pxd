# Every C declaration, once: one block a header.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "baycarp/rng.h" nogil:
    ctypedef struct bc_rng:
        pass
    void bc_rng_seed(bc_rng *rng, uint64_t seed)
    uint64_t bc_rng_next(bc_rng *rng)
    double bc_rng_unit(bc_rng *rng)
    uint32_t bc_rng_below(bc_rng *rng, uint32_t n)


cdef extern from "baycarp/eliminate.h" nogil:
    enum:
        BC_LOOPS
        BC_FACTORS
    enum bc_memory:
        BC_TABLES
        BC_MESSAGES
    ctypedef struct bc_slice:
        int32_t observed, stride
    ctypedef struct bc_factor:
        int32_t memory, depth
        int64_t first
        int32_t slices_from, slices
        int32_t[BC_LOOPS] stride
    ctypedef struct bc_step:
        int32_t loops, factors_from, factors
        int32_t[BC_LOOPS] settled, length, stride
        int64_t first, size
    ctypedef struct bc_answer:
        int64_t first, size
    ctypedef struct bc_plan:
        const double *tables
        const bc_step *steps
        const bc_factor *factors
        const bc_slice *slices
        const bc_answer *answers
        int32_t step_count, answer_count, observed
        int64_t message_size
    double bc_eliminate(const bc_plan *plan, const int32_t *evidence, double *messages, double *out)
    void bc_eliminate_batch(
        const bc_plan *plan, const int32_t *evidence, int64_t n, double *messages, double *out, double *probability)
