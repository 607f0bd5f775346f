"""The instruction set of kernels that have several forms: this processor's best, or that of BAYCARP_SIMD.

The environment variable is read once, at the first import of a kernel. Every level gives the same bits.
"""

from contextlib import AbstractContextManager

__all__ = ["AVAILABLE", "active", "use"]

AVAILABLE: tuple[str, ...]
"""The levels of this processor, of base, avx2 and avx512, in ascending order."""

def active() -> str:
    """Name the level in use.

    Examples
    --------
    >>> active() in AVAILABLE
    True
    """

def use(name: str) -> AbstractContextManager[None]:
    """Use another level temporarily, in the whole process: for tests and benchmarks.

    Parameters
    ----------
    name
        One of ``AVAILABLE``.

    Raises
    ------
    SimdError
        A level that is unknown or that this processor does not have.

    Examples
    --------
    >>> with use("base"):
    ...     print(active())
    base
    """
