# cython: language_level=3
"""The instruction set of kernels that have several forms: this processor's best, or that of BAYCARP_SIMD."""

import os
from contextlib import contextmanager

from baycarp.errors import SimdError, brief

from baycarp.kernels cimport csrc

__all__ = ["AVAILABLE", "active", "use"]

AVAILABLE = ("base", "avx2", "avx512")[:csrc.bc_simd_best() + 1]


cdef csrc.bc_simd named(str name, str where) except *:
    if name not in AVAILABLE:
        raise SimdError(f"{where} {brief(name)}: expected one of {', '.join(AVAILABLE)} (what this processor has)")
    cdef int place = AVAILABLE.index(name)
    return <csrc.bc_simd> place


def active():
    return AVAILABLE[<int> LEVEL]


@contextmanager
def use(name):
    global LEVEL
    cdef csrc.bc_simd before = LEVEL
    LEVEL = named(name, "level")
    try:
        yield
    finally:
        LEVEL = before


LEVEL = named(os.environ.get("BAYCARP_SIMD", AVAILABLE[-1]), "BAYCARP_SIMD")
