"""Files of solvers: arrays with a head of JSON values that names the format, its version and a digest."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.errors import ModelError, reason
from baycarp.files import FileForm, Form, NumberForm, RecordForm, TextForm, read_headed_arrays, write_arrays

__all__ = ["VERSION", "headed", "read_headed", "reading", "write_headed"]

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
            f"{what} {str(path)!r}: {reason(error)}: expected a file of baycarp solve"
        ) from error
    except (LookupError, AttributeError, ArithmeticError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: not a readable {what}: {error}") from error


def write_headed(path: Path, kind: str, head: Mapping[str, Any], arrays: Mapping[str, ArrayLike]) -> None:
    """Write arrays with their head, whole; ``kind`` is the name of the format."""
    named = {"format": kind, "version": VERSION, **head}
    write_arrays(path, {"head": np.array(json.dumps(named, sort_keys=True)), **arrays})


def headed(kind: str, head: Mapping[str, Form], arrays: FileForm) -> FileForm:
    """The form of a file of this kind: its arrays, and a head with these fields beside format and version."""
    named: dict[str, Form] = {
        "format": TextForm(one_of=(kind,)),
        "version": NumberForm(VERSION, VERSION, whole=True),
    }
    return replace(arrays, head=RecordForm({**named, **head}))


def read_headed(path: Path | str, form: FileForm) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The head and the arrays of a file of this form; within ``reading``."""
    return read_headed_arrays(path, form)
