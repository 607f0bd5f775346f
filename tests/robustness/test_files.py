"""Damaged files: a format with a checksum refuses them or gives the same content; no error is untyped."""

from collections import Counter
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from robustness.budget import budget
from robustness.damage import damaged_bytes
from robustness.file_kinds import KINDS, Kind

from baycarp.errors import BaycarpError

LONG = {"network as BIF": 0.05, "model, manifest": 0.3, "model, network": 0.3, "model, case-base": 0.3}
"""The share of the examples of kinds whose reading takes long."""

SLOW = dict.fromkeys(
    ("solve, buckets", "solve, strategy", "no-limit solve, strategy", "case store, salvaged", "cases as CSV"),
    pytest.mark.slow,
)
"""Kinds that take 5 s or more."""


def outcomes_of(kind, folder, share=1.0):
    """Read a file of a kind after each accident: how often it was refused, the same, or another text."""
    good = folder / "good"
    good.mkdir()
    path = kind.make(good)
    content, found = kind.read(path), Counter()

    @budget(share)
    @given(damaged_bytes(path.read_bytes()))
    def is_refused_or_harmless(data):
        with TemporaryDirectory(dir=folder) as copy:
            copytree(good, copy, dirs_exist_ok=True)
            damaged = Path(copy, path.name)
            damaged.write_bytes(data)
            try:
                same = kind.same(content, kind.read(damaged))
            except (BaycarpError, OSError):
                found["refused"] += 1
            else:
                assert same or not kind.checked, "read as other content"
                found["harmless" if same else "another text"] += 1

    is_refused_or_harmless()
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=SLOW.get(name, ())) for name in KINDS if "BIF" not in name]
)
def test_files_that_are_damaged_were_good(name, tmp_path):
    kind = KINDS[name]
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    assert kind.same(kind.read(kind.make(one)), kind.read(kind.make(two)))


@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW.get(name, ())) for name in KINDS])
def test_a_damaged_file_is_refused_or_harmless(name, tmp_path):
    found = outcomes_of(KINDS[name], tmp_path, LONG.get(name, 0.5))
    assert found["refused"] > 0 or name == "case store, salvaged"  # the damage is real


@pytest.mark.parametrize(
    ("read", "error"),
    [
        (lambda path: path.read_bytes(), AssertionError),
        (lambda path: {b"x": 1}[path.read_bytes()[:1]], KeyError),
    ],
)
def test_a_reader_that_overlooks_damage_is_found(read, error, tmp_path):
    kind = Kind("text", lambda path: path.write_text("x" * 1000), read)
    with pytest.raises(error):
        outcomes_of(kind, tmp_path)
