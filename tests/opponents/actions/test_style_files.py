"""Styles on disk: they are read back, and other files are refused."""

import json

import numpy as np
import pytest
from reference.action_models import nearby

from baycarp.errors import ModelError, SchemaError
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.styles import Styles, load_styles, save_styles

TWO = Styles((nearby(1), nearby(2)), (0.25, 0.75))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "styles.npz"
    save_styles(TWO, path, "the tests")
    return path


def test_styles_come_back(file):
    back = load_styles(file)
    assert back.shares == TWO.shares
    for one, two in zip(back.models, TWO.models, strict=True):
        for ours, theirs in zip(one.tables, two.tables, strict=True):
            assert ours == pytest.approx(theirs, abs=1e-3)
    assert load_styles(file) is back
    assert not list(file.parent.glob("*.part"))


def rewritten(file, **changes):
    with np.load(file) as arrays:
        contents = dict(arrays) | changes
    with file.open("wb") as out:
        np.savez_compressed(out, **{name: array for name, array in contents.items() if array is not None})


HEAD = {"format": "baycarp.styles", "version": 1, "command": "", "shares": [0.5, 0.5], "worth": [1.0, 1.0]}


@pytest.mark.parametrize(
    "changes",
    [
        {"street2": None},
        {"street1": np.zeros((2, 3, 4, 3), np.float32)},
        {"street0": np.zeros((2, 80, 16, 3), np.float32)},
        {"head": np.frombuffer(json.dumps(HEAD).encode(), np.uint8)},
        {"head": np.frombuffer(b"[", np.uint8)},
        {"street3": np.array([{}], dtype=object)},
    ],
    ids=["missing", "shape", "no probabilities", "version", "no JSON", "a pickle"],
)
def test_other_files_than_styles_are_refused(file, changes):
    with np.errstate(invalid="ignore"):
        rewritten(file, **changes)
        with pytest.raises(ModelError, match="no styles"):
            load_styles(file)


def test_files_of_version_2_are_read(file):
    rewritten(file, head=np.frombuffer(json.dumps(HEAD | {"version": 2}).encode(), np.uint8))
    assert load_styles(file).shares == (0.5, 0.5)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", None])
def test_a_file_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "styles.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match="no styles"):
        load_styles(path)


def test_shares_are_checked():
    with pytest.raises(SchemaError, match="expected one for each of 1 styles"):
        Styles((sensible(),), (0.9,))


def test_more_styles_than_a_file_has_are_not_written(tmp_path):
    many = Styles((sensible(),) * 257, (1 / 257,) * 257)
    with pytest.raises(SchemaError, match="257 styles"):
        save_styles(many, tmp_path / "many.npz", "a test")
    assert not list(tmp_path.iterdir())
