# Misaligned arrays are copied before a kernel reads them: in C a misaligned read is undefined.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

cimport cython

ctypedef fused Number:
    double
    float
    int32_t
    int64_t
    uint16_t
    uint32_t


cdef inline const Number[::1] row(const Number[::1] given):
    """A read-only row, copied if it is misaligned."""
    cdef Number[::1] copy
    if given.shape[0] == 0 or <size_t> &given[0] % sizeof(Number) == 0:
        return given
    import numpy
    copy = numpy.array(given)
    return copy


cdef inline const Number[:, ::1] rows(const Number[:, ::1] given):
    """Read-only rows, copied if they are misaligned."""
    cdef Number[:, ::1] copy
    if given.shape[0] == 0 or given.shape[1] == 0 or <size_t> &given[0, 0] % sizeof(Number) == 0:
        return given
    import numpy
    copy = numpy.array(given)
    return copy
