# Weights as kernels read them, for bindings that take a range.

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    PRODUCT = 400  # no kernel that multiplies the weights of two ranges overflows or underflows
    SUM = 900      # nor one that adds up the weights of one range

# known: a bit for each card that blocks holdings
cdef const double[::1] weights_of(weights, name, uint64_t known, int limit)
cdef uint64_t set_of(const uint8_t[::1] cards) noexcept
