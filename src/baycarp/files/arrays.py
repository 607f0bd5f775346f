"""Arrays of NumPy: ``.npz`` archives, read whole without pickle, and ``.npy`` files that are mapped."""

import io
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import brief, reason
from baycarp.files.data import parse_json
from baycarp.files.forms import ArrayForm, FileForm, verify_arrays
from baycarp.files.regular import open_regular
from baycarp.files.zips import Member, apart, open_member

__all__ = ["Rest", "mapped_array", "opened_arrays", "read_arrays", "read_headed_arrays"]

RATIO = 50
"""Arrays that are read may take this multiple of their file's bytes, if it is more than the limit."""

LARGEST = 1 << 26
"""Bytes of arrays that no form is declared for."""

LARGEST_HEAD = 1 << 24
"""Characters or bytes of a head, at most."""

LONGEST_HEADER = 1 << 12
"""Bytes of an array that are inflated before its type and shape are known to fit."""

Rest: TypeAlias = Callable[[str, Mapping[str, ArrayForm]], dict[str, NDArray[Any]]]
"""Reads the arrays whose names begin so; their forms have one type and a shape of numbers."""


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
    with open_regular(path) as file:
        arrays = _Stored(path, file).read(LARGEST if form is None else form.limit)
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
    with open_regular(path) as file:
        return _headed(form, _Stored(path, file).read(form.limit))


@contextmanager
def opened_arrays(path: Path | str, form: FileForm) -> Iterator[tuple[Any, dict[str, NDArray[Any]], Rest]]:
    """The same without the arrays of families, which are read when the others say what they must be.

    Given is a reader of a family, too, while the file is open: names, types, shapes and bytes are compared
    with the forms before anything is inflated but the beginnings of the arrays.

    Raises
    ------
    OSError, ValueError
        As ``read_arrays``; the reader, too.
    """
    with open_regular(path) as file:
        stored = _Stored(path, file)
        later = {name for name in stored.members if name not in form.arrays and form.form(name)}
        yield *_headed(form, stored.read(form.limit, later)), stored.rest


def _headed(form: FileForm, arrays: dict[str, NDArray[Any]]) -> tuple[Any, dict[str, NDArray[Any]]]:
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


class _Stored:
    """The arrays of an open file, by name; nothing is inflated that is not asked for."""

    def __init__(self, path: Path | str, file: io.BufferedReader) -> None:
        self._path, self._bytes = path, os.fstat(file.fileno()).st_size
        self.members = dict[str, zipfile.ZipInfo]()
        with self._readable():
            self._archive = zipfile.ZipFile(file)
            for each in apart(self._archive, file):
                if (name := each.filename.removesuffix(".npy")) in self.members:
                    raise ValueError(f"two arrays of one name, {brief(name)}")
                self.members[name] = each

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            raise
        except Exception as error:  # zipfile, zlib and numpy raise errors of many types for damaged bytes
            raise ValueError(f"{self._path}: not readable arrays: {reason(error)}") from error

    def read(self, limit: int, later: Set[str] = frozenset()) -> dict[str, NDArray[Any]]:
        """All arrays but some, which stay; of ``limit`` bytes, or the usual multiple of the file's."""
        members = {name: each for name, each in self.members.items() if name not in later}
        self.members = {name: self.members[name] for name in later}
        with self._readable():
            size, most = sum(each.file_size for each in members.values()), max(limit, self._bytes * RATIO)
            if size > most:
                raise ValueError(f"arrays of {size} bytes: expected at most {most}")
            return self._inflated(members)

    def rest(self, start: str, forms: Mapping[str, ArrayForm]) -> dict[str, NDArray[Any]]:
        """As of ``Rest``."""
        members = {name: each for name, each in self.members.items() if name.startswith(start)}
        for name in (*forms, *members):
            if name not in members or name not in forms:
                names = ", ".join(sorted(forms))[:200] or "none"
                raise ValueError(f"{name[:60]!r}: {'expected ' + names if name in members else 'missing'}")
        with self._readable():
            for name, form in forms.items():
                with open_member(self._archive, members[name]) as member:
                    layout = _layout(_beginning(member))
                size = layout.offset + layout.bytes
                if (layout.dtype.name, layout.shape) != (form.types, form.shape):
                    found = f"{layout.dtype}, shape {layout.shape}"
                    raise ValueError(f"{name[:60]!r}: {found}: expected {form.types}, shape {form.shape}")
                if members[name].file_size != size:
                    raise ValueError(f"{name[:60]!r}: {members[name].file_size} bytes: expected {size}")
            arrays = self._inflated({name: members[name] for name in forms})
        verify_arrays(FileForm(forms), arrays)
        return arrays

    def _inflated(self, members: Mapping[str, zipfile.ZipInfo]) -> dict[str, NDArray[Any]]:
        arrays = dict[str, NDArray[Any]]()
        for name, each in members.items():
            with open_member(self._archive, each) as member:
                arrays[name] = _array(member.read())
        return arrays


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


class _Layout(NamedTuple):
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    by_column: bool
    offset: int

    @property
    def bytes(self) -> int:
        """Of the numbers."""
        return math.prod(self.shape) * self.dtype.itemsize


def _layout(data: bytes) -> _Layout:
    """What the header of an ``.npy`` file of version 1 or 2 says."""
    file = io.BytesIO(data)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, by_column, dtype = read[np.lib.format.read_magic(file)](file)
    return _Layout(dtype, shape, by_column, file.tell())


def _beginning(member: Member) -> bytes:
    data = b""
    while len(data) < LONGEST_HEADER and (more := member.read1(LONGEST_HEADER - len(data))):
        data += more
    return data


def _array(data: bytes) -> NDArray[Any]:
    """The array of an ``.npy`` file; its header is verified against the number of bytes."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) == (3, 0):
        # Names of fields beyond Latin-1: numpy has no public function for its header.
        array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
        _verify_items(array.dtype, array.size, len(data))
        return array
    layout = _layout(data)
    dtype, shape, by_column, offset = layout
    held, size = len(data) - offset, layout.bytes
    if dtype.hasobject or any(length < 0 for length in shape) or held != size:
        raise ValueError(f"{dtype} of shape {shape} in {held} bytes: expected {size}, no objects")
    _verify_items(dtype, math.prod(shape), held)
    if not dtype.itemsize:
        return np.empty(shape, dtype)
    return np.frombuffer(data, dtype, offset=offset).reshape(shape, order="F" if by_column else "C")


def _verify_items(dtype: np.dtype[Any], number: int, held: int) -> None:
    """Refuse what takes memory that the file has not: texts of no characters, or very many empty records."""
    if dtype.itemsize * number > held or (not dtype.itemsize and (dtype.kind != "V" or number > LARGEST)):
        raise ValueError(f"{number} of {dtype}: expected items of some bytes, or at most {LARGEST} records")
