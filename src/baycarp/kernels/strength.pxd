# Weights as kernels read them, for bindings that take a range.

from libc.stdint cimport uint8_t

cdef enum:
    PRODUCT = 400  # no kernel that multiplies the weights of two ranges overflows or underflows
    SUM = 900      # nor one that adds up the weights of one range

cdef const double[::1] weights_of(weights, name, const uint8_t[::1] cards, int limit)
