"""The slow kernels of ``csrc/reference``; a test that needs them is skipped where they were not built."""

import pytest

__all__ = [
    "naive_equity",
    "naive_expected_strength",
    "naive_strength",
    "naive_sweep",
    "naive_sweep_expected",
]

HOW = "no baycarp_reference: pip install -C cmake.define.BAYCARP_REFERENCE=ON '.[test]'"


def _kernel(name):
    def kernel(*args, **more):
        return getattr(pytest.importorskip("baycarp_reference", reason=HOW), name)(*args, **more)

    return kernel


naive_equity = _kernel("naive_equity")
naive_expected_strength = _kernel("naive_expected_strength")
naive_strength = _kernel("naive_strength")
naive_sweep = _kernel("naive_sweep")
naive_sweep_expected = _kernel("naive_sweep_expected")
