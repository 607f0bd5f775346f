"""Chips are neither made nor lost, over a million random hands of every kind."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_a_million_hands_keep_every_invariant(tmp_path):
    program = tmp_path / "test_game"
    sources = [
        ROOT / "csrc" / part
        for part in ("tests/test_game.c", "src/game.c", "src/rank.c", "src/rank_tables.c", "src/simd.c")
    ]
    include = ROOT / "csrc" / "include"
    subprocess.run(["cc", "-std=c11", "-O2", "-I", include, "-o", program, *sources], check=True)
    subprocess.run([program, "million"], check=True)
