# The level that every dispatched kernel of this process is called with.

from baycarp.kernels cimport csrc

cdef csrc.bc_simd LEVEL
