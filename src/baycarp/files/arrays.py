"""Arrays of NumPy: ``.npz`` archives, read whole without pickle, and ``.npy`` files that are mapped."""

import io
import math
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import brief, reason
from baycarp.files.data import parse_json
from baycarp.files.forms import FileForm, verify_arrays
from baycarp.files.regular import open_regular
from baycarp.files.zips import apart, open_member

__all__ = ["mapped_array", "read_arrays", "read_headed_arrays"]

RATIO = 50
"""Arrays that are read may take this multiple of their file's bytes, if it is more than the limit."""

LARGEST = 1 << 26
"""Bytes of arrays that no form is declared for."""

LARGEST_HEAD = 1 << 24
"""Characters or bytes of a head, at most."""


def read_arrays(path: Path | str, form: FileForm | None = None) -> dict[str, NDArray[Any]]:
    """The arrays of an ``.npz`` file by name, read-only, without pickle.

    Parameters
    ----------
    path
        The file.
    form
        What it must hold; None = any arrays, which its reader verifies, of at most 64 MiB together, or 50
        times the bytes of the file if that is more.

    Raises
    ------
    OSError
        As ``open_regular``.
    ValueError
        Not a regular file, damaged, arrays of Python objects, arrays that take more memory (nothing has been
        inflated then), or of another form.
    """
    arrays = _unpacked(path, LARGEST if form is None else form.limit)
    if form is not None:
        verify_arrays(form, arrays)
    return arrays


def read_headed_arrays(path: Path | str, form: FileForm) -> tuple[Any, dict[str, NDArray[Any]]]:
    """The head of an ``.npz`` file, the JSON in one array, and its other arrays.

    Raises
    ------
    OSError, ValueError
        As ``read_arrays``.
    """
    arrays = _unpacked(path, form.limit)
    if form.head_in not in arrays:
        raise ValueError(f"holds {', '.join(sorted(arrays))[:200]}: expected {form.head_in}")
    head = parse_json(_text(arrays.pop(form.head_in)))
    verify_arrays(form, arrays, head)
    return head, arrays


def _text(array: NDArray[Any]) -> bytes | str:
    """The text in an array: one of text, or its bytes."""
    if array.nbytes > LARGEST_HEAD:
        raise ValueError(f"head of {array.nbytes} bytes: expected at most {LARGEST_HEAD}")
    if array.dtype.kind == "U" and array.shape == ():
        return str(array)
    if array.dtype == np.uint8 and array.ndim == 1:
        return array.tobytes()
    raise ValueError(f"head of {array.shape}, {array.dtype}: expected a text, or uint8")


def _unpacked(path: Path | str, limit: int) -> dict[str, NDArray[Any]]:
    with open_regular(path) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = apart(archive, file)
                size = sum(each.file_size for each in members)
                most = max(limit, os.fstat(file.fileno()).st_size * RATIO)
                if size > most:
                    raise ValueError(f"arrays of {size} bytes: expected at most {most}")
                arrays = dict[str, NDArray[Any]]()
                for each in members:
                    if (name := each.filename.removesuffix(".npy")) in arrays:
                        raise ValueError(f"two arrays of one name, {brief(name)}")
                    with open_member(archive, each) as member:
                        arrays[name] = _array(member.read())
                return arrays
        except OSError:
            raise
        except Exception as error:  # zipfile, zlib and numpy raise errors of many types for damaged bytes
            raise ValueError(f"{path}: not readable arrays: {reason(error)}") from error


def mapped_array(path: Path | str, dtype: str) -> NDArray[Any]:
    """The array of an ``.npy`` file of this type, mapped into memory, read-only.

    Raises
    ------
    OSError, ValueError
        A file that cannot be read, or holds another type.
    """
    with open_regular(path):
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.dtype != dtype:
        raise ValueError(f"{path}: {array.dtype}: expected {dtype}")
    return array


def _array(data: bytes) -> NDArray[Any]:
    """The array of an ``.npy`` file; its header is verified against the number of bytes."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version == (3, 0):  # names of fields beyond Latin-1: numpy has no public function for its header
        array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
        _verify_items(array.dtype, array.size, len(data))
        return array
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, by_column, dtype = read[version](file)
    held, size = len(data) - file.tell(), math.prod(shape) * dtype.itemsize
    if dtype.hasobject or any(length < 0 for length in shape) or held != size:
        raise ValueError(f"{dtype} of shape {shape} in {held} bytes: expected {size}, no objects")
    _verify_items(dtype, math.prod(shape), held)
    if not dtype.itemsize:
        return np.empty(shape, dtype)
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape, order="F" if by_column else "C")


def _verify_items(dtype: np.dtype[Any], number: int, held: int) -> None:
    """Refuse what takes memory that the file has not: texts of no characters, or very many empty records."""
    if dtype.itemsize * number > held or (not dtype.itemsize and (dtype.kind != "V" or number > LARGEST)):
        raise ValueError(f"{number} of {dtype}: expected items of some bytes, or at most {LARGEST} records")
