# The instruction set of all dispatched kernels of this process.

from baycarp.kernels cimport csrc

cdef csrc.bc_simd LEVEL
