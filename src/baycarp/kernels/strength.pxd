# Weights in the layout of the kernels, for bindings that take a range.

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    PRODUCT = 400  # products of the weights of two ranges neither overflow nor underflow
    SUM = 900      # sums of the weights of one range do not overflow

# known: bit set of the known cards
cdef const double[::1] weights_of(weights, name, uint64_t known, int limit)
cdef uint64_t set_of(const uint8_t[::1] cards) noexcept
