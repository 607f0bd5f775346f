# Every C declaration, once: one block a header.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "baycarp/rng.h" nogil:
    ctypedef struct bc_rng:
        pass
    void bc_rng_seed(bc_rng *rng, uint64_t seed)
    uint64_t bc_rng_next(bc_rng *rng)
    double bc_rng_unit(bc_rng *rng)
    uint32_t bc_rng_below(bc_rng *rng, uint32_t n)
