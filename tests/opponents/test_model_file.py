"""The file of a model: what is written is read, and another head or content is refused."""

import numpy as np
import pytest

from baycarp.errors import ModelError
from baycarp.files import ArrayForm, write_arrays
from baycarp.opponents.model_file import model_form, read_model, write_model

HEAD = {"format": "a form", "version": 2, "command": "made", "shares": [0.5, 0.5]}
TABLE = np.arange(6.0).reshape(2, 3)


FORM = model_form("a form", (1, 2), {"table": ArrayForm("float64", (2, 3), 0, 5)}, 1 << 20)


def parsed(head, arrays):
    return head, arrays["table"]


def test_what_is_written_is_read_once(tmp_path):
    path = tmp_path / "model.npz"
    write_model(path, HEAD, {"table": TABLE})
    head, table = read_model(path, "model", FORM, parsed)
    assert head == HEAD
    assert np.array_equal(table, TABLE)
    assert read_model(path, "model", FORM, parsed)[1] is table


@pytest.mark.parametrize(
    ("head", "arrays", "reason"),
    [
        (HEAD | {"version": 3}, {"table": TABLE}, "head: version: 3: expected 1 to 2"),
        (HEAD | {"format": "other"}, {"table": TABLE}, "head: format: other: expected 'a form'"),
        (HEAD, {"tables": TABLE}, "expected table"),
        (HEAD, {"table": TABLE, "more": TABLE}, "'more': expected table"),
        (HEAD, {"table": TABLE + 1}, "'table': 1.0 to 6.0: expected 0 to 5"),
        (HEAD, {"table": TABLE * np.nan}, "'table': expected finite numbers"),
        (HEAD, {"table": TABLE.astype(np.complex128)}, "'table': complex128: expected float64"),
        (HEAD, {"table": TABLE[0]}, r"'table': shape \(3,\): expected \(2, 3\)"),
        (HEAD | {"command": "x" * 70_000}, {"table": TABLE}, "command: .*expected a text of at most"),
        (HEAD | {"shares": ["1", 0.5]}, {"table": TABLE}, r"shares: \[0\]: 1: expected a number"),
        (HEAD | {"shares": [-1, 2]}, {"table": TABLE}, r"shares: \[0\]: -1: expected 0 to 1"),
    ],
)
def test_another_head_or_content_is_refused(tmp_path, head, arrays, reason):
    path = tmp_path / "model.npz"
    write_model(path, head, arrays)
    with pytest.raises(ModelError, match=f"no model: .*{reason}"):
        read_model(path, "model", FORM, parsed)


def test_a_file_that_is_missing_or_no_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match="no model"):
        read_model(tmp_path / "missing.npz", "model", FORM, parsed)
    write_arrays(tmp_path / "bare.npz", {"table": TABLE})
    with pytest.raises(ModelError, match="expected head"):
        read_model(tmp_path / "bare.npz", "model", FORM, parsed)
