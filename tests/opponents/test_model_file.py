"""The file of a model: what is written is read, and another head or content is refused."""

import numpy as np
import pytest

from baycarp.errors import ModelError
from baycarp.files import write_arrays
from baycarp.opponents.model_file import read_head, read_model, write_model

HEAD = {"format": "a form", "version": 2, "shares": [0.5, 0.5]}
TABLE = np.arange(6.0).reshape(2, 3)


def parsed(arrays):
    return read_head(arrays, "a form", (1, 2), ["table"]), arrays["table"]


def test_what_is_written_is_read_once(tmp_path):
    path = tmp_path / "model.npz"
    write_model(path, HEAD, {"table": TABLE})
    head, table = read_model(path, "model", 1 << 16, parsed)
    assert head == HEAD
    assert np.array_equal(table, TABLE)
    assert read_model(path, "model", 1 << 16, parsed)[1] is table


@pytest.mark.parametrize(
    ("head", "arrays", "reason"),
    [
        (HEAD | {"version": 3}, {"table": TABLE}, "expected format 'a form', version 1 or 2"),
        (HEAD | {"format": "other"}, {"table": TABLE}, "expected format 'a form'"),
        (HEAD, {"tables": TABLE}, "expected head and table"),
        (HEAD | {"command": "x" * 70_000}, {"table": TABLE}, "expected head and table"),
    ],
)
def test_another_head_or_content_is_refused(tmp_path, head, arrays, reason):
    path = tmp_path / "model.npz"
    write_model(path, head, arrays)
    with pytest.raises(ModelError, match=f"no model: .*{reason}"):
        read_model(path, "model", 1 << 20, parsed)


def test_a_file_that_is_missing_or_no_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match="no model"):
        read_model(tmp_path / "missing.npz", "model", 1 << 16, parsed)
    write_arrays(tmp_path / "bare.npz", {"table": TABLE})
    with pytest.raises(ModelError, match="expected head and table"):
        read_model(tmp_path / "bare.npz", "model", 1 << 16, parsed)
