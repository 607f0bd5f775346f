"""The file of a shipped model: named arrays, and a JSON head as bytes."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import (
    ArrayForm,
    FileForm,
    Form,
    ListForm,
    NumberForm,
    RecordForm,
    TextForm,
    read_headed_arrays,
    write_arrays,
)

__all__ = ["MODELS", "MOST", "Arrays", "model_form", "read_model", "write_model"]

Arrays = Mapping[str, NDArray[Any]]
Read = TypeVar("Read")

MODELS = Path(__file__).parents[1] / "data" / "models"
"""The models that come with the package."""


MOST = 256
"""Shares in a file, at most."""


def write_model(path: Path | str, head: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a model; the file is there whole or not at all."""
    write_arrays(path, {"head": np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays})


def model_form(
    kind: str,
    versions: Collection[int],
    arrays: Mapping[str, ArrayForm],
    limit: int,
    optional: Mapping[str, Form] = MappingProxyType({}),
) -> FileForm:
    """The form of a model: its arrays, and a head with the kind, one of these versions, and the shares.

    The head may have the optional fields. That of an older version may have a number for each share that is
    not read any more.
    """
    fields: dict[str, Form] = {
        "format": TextForm(one_of=(kind,)),
        "version": NumberForm(min(versions), max(versions), whole=True),
        "command": TextForm(),
        "shares": ListForm(NumberForm(0, 1), 1, MOST),
    }
    return FileForm(
        arrays, limit, RecordForm(fields, {"worth": ListForm(NumberForm(), most=MOST), **optional})
    )


def read_model(
    path: Path | str, what: str, form: FileForm, parse: Callable[[dict[str, Any], Arrays], Read]
) -> Read:
    """Read a model; a process reads a file once.

    Parameters
    ----------
    what
        What the file is to hold, for the error.
    form
        Of ``model_form``.
    parse
        Makes the model of the head and the arrays.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, of another form, or refused by ``parse``.
    """
    try:
        found: Read = _read(Path(path), Path(path).stat().st_mtime_ns, form, parse)
    except Exception as error:  # what a corrupt file makes its readers raise has no bound
        raise ModelError(f"{path}: no {what}: {error}") from error
    return found


@lru_cache(maxsize=8)
def _read(path: Path, _stamp: int, form: FileForm, parse: Callable[[dict[str, Any], Arrays], Any]) -> Any:
    return parse(*read_headed_arrays(path, form))
