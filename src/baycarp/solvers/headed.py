"""Files of solvers: arrays with a head of JSON values that names the format, its version and a digest."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.errors import ModelError
from baycarp.files import parse_json, read_arrays, write_arrays

__all__ = ["VERSION", "read_headed", "reading", "write_headed"]

VERSION = 2


@contextmanager
def reading(path: Path | str, what: str) -> Iterator[None]:
    """Errors in what a file holds become a ``ModelError`` that names it."""
    try:
        yield
    except ModelError:
        raise
    except OSError as error:
        raise ModelError(
            f"{what} {str(path)!r}: {error.strerror}: expected a file of baycarp solve"
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: not a readable {what}: {error}") from error


def write_headed(path: Path, kind: str, head: Mapping[str, Any], arrays: Mapping[str, ArrayLike]) -> None:
    """Write arrays with their head, whole; ``kind`` is the name of the format."""
    named = {"format": kind, "version": VERSION, **head}
    write_arrays(path, {"head": np.array(json.dumps(named, sort_keys=True)), **arrays})


def read_headed(path: Path | str, kind: str, limit: int) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The head and the arrays of a file of this kind; within ``reading``.

    Parameters
    ----------
    path
        The file.
    kind
        The name of the format.
    limit
        Bytes that the arrays may take, as of ``read_arrays``.
    """
    arrays = read_arrays(path, limit)
    head = parse_json(str(arrays["head"]))
    if (head["format"], head["version"]) != (kind, VERSION):
        raise ModelError(f"{path}: expected {kind} version {VERSION}")
    return head, arrays
