"""The file of a shipped model: named arrays, and a JSON head as bytes."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import parse_json, read_arrays, write_arrays

__all__ = ["MODELS", "Arrays", "read_head", "read_model", "write_model"]

Arrays = Mapping[str, NDArray[Any]]
Read = TypeVar("Read")

MODELS = Path(__file__).parents[1] / "data" / "models"
"""The models that come with the package."""

LARGEST_HEAD = 2**16
"""Bytes."""


def write_model(path: Path | str, head: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a model; the file is there whole or not at all."""
    write_arrays(path, {"head": np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays})


def read_model(path: Path | str, what: str, limit: int, parse: Callable[[Arrays], Read]) -> Read:
    """Read a model; a process reads a file once.

    Parameters
    ----------
    what
        What the file is to hold, for the error.
    limit
        The greatest number of bytes.
    parse
        Makes the model of the arrays.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, or refused by ``parse``.
    """
    try:
        found: Read = _read(Path(path), Path(path).stat().st_mtime_ns, limit, parse)
    except Exception as error:  # what a corrupt file makes its readers raise has no bound
        raise ModelError(f"{path}: no {what}: {error}") from error
    return found


@lru_cache(maxsize=8)
def _read(path: Path, _stamp: int, limit: int, parse: Callable[[Arrays], Any]) -> Any:
    return parse(read_arrays(path, limit))


def read_head(arrays: Arrays, form: str, versions: Collection[int], names: Collection[str]) -> dict[str, Any]:
    """The head of a model of this format, one of these versions, with arrays of these names.

    Raises
    ------
    ModelError
        Another format, version or content.
    """
    if set(arrays) != {"head", *names} or arrays["head"].nbytes > LARGEST_HEAD:
        raise ModelError(f"holds {sorted(arrays)}: expected head and {', '.join(names)}")
    head: dict[str, Any] = parse_json(arrays["head"].tobytes())
    if head.get("format") != form or head.get("version") not in versions:
        raise ModelError(f"expected format {form!r}, version {' or '.join(map(str, versions))}")
    return head
