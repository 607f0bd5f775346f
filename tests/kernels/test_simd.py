import os
import subprocess
import sys

import pytest

from baycarp.errors import SimdError
from baycarp.kernels import simd


def level_in_use(level):
    """The output of a fresh interpreter under BAYCARP_SIMD."""
    code = "from baycarp.kernels import simd; print(simd.active())"
    environment = {name: value for name, value in os.environ.items() if name != "BAYCARP_SIMD"}
    environment |= {} if level is None else {"BAYCARP_SIMD": level}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


def test_available_levels_are_those_of_this_processor():
    available = simd.AVAILABLE
    assert available[0] == "base"
    assert available == ("base", "avx2", "avx512")[: len(available)]


@pytest.mark.parametrize("level", simd.AVAILABLE)
def test_the_environment_names_the_level(level):
    assert level_in_use(level).stdout.strip() == level


def test_the_default_is_the_highest_level():
    assert level_in_use(None).stdout.strip() == simd.AVAILABLE[-1]


@pytest.mark.parametrize("level", ["", "sse9", "AVX2"])
def test_an_unavailable_level_is_refused(level):
    done = level_in_use(level)
    assert done.returncode != 0
    assert f"SimdError: BAYCARP_SIMD {level!r}: expected one of base" in done.stderr


def test_a_level_can_be_used_temporarily():
    before = simd.active()
    for level in simd.AVAILABLE:
        with simd.use(level):
            assert simd.active() == level
        assert simd.active() == before
    with pytest.raises(SimdError, match="'sse9'"), simd.use("sse9"):
        pass
    assert simd.active() == before
