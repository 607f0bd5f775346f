"""Files of every kind that the package writes, damaged: refused or harmless, never other content."""

from collections import Counter

import pytest

from baycarp.cli.bench.damage import damaged_file
from baycarp.cli.bench.damaged_files import FILES, Kind, outcome


def campaign(kind, files, folder, seed=1):
    found = Counter(outcome(kind, number, seed, folder) for number in range(files))
    assert set(found) <= {"refused", "harmless"}, found
    assert found["refused"] > files // 4  # the damage is real


@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_is_refused_or_harmless(kind, tmp_path):
    campaign(kind, 30, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_a_thousand_damaged_files_are_refused_or_harmless(kind, tmp_path):
    campaign(kind, 1000, tmp_path)


def test_damage_depends_on_the_seed_alone():
    good = bytes(range(256)) * 64
    made = [damaged_file(good, str(seed)) for seed in range(200)]
    assert made == [damaged_file(good, str(seed)) for seed in range(200)]
    assert sum(each != good for each in made) > 100  # a page may be copied to itself
    assert {len(each) == len(good) for each in made} == {True, False}
    assert damaged_file(b"", "1") == b""


def test_other_content_and_untyped_errors_are_noticed(tmp_path, monkeypatch):
    def fails(path):
        raise RuntimeError("at once")

    good = Kind(lambda path: path.write_bytes(bytes(1000)), lambda path: path.read_bytes())
    monkeypatch.setitem(FILES, "bytes", good)
    assert {outcome("bytes", number, 1, tmp_path) for number in range(40)} == {"other content", "harmless"}
    monkeypatch.setitem(FILES, "bytes", Kind(good.make, fails))
    assert outcome("bytes", 1, 1, tmp_path) == "RuntimeError: at once"
