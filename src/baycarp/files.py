"""Files that are on the disk whole or not at all."""

import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["sync_folder", "write_arrays", "write_whole"]


def write_whole(path: Path | str, data: bytes | str) -> None:
    r"""Write a file under another name, sync it and rename it; an interruption leaves what was there before.

    Parameters
    ----------
    path
        The file; one that exists is replaced. A device or a pipe is written to as it is.
    data
        All of it; text is encoded as UTF-8.

    Raises
    ------
    OSError
        The disk is full, the folder is missing or not writable; the file is what it was.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "note.txt")
    >>> write_whole(path, "ten high\n")
    >>> path.read_text("utf-8"), [each.name for each in path.parent.iterdir()]
    ('ten high\n', ['note.txt'])
    """
    path, content = Path(path), data.encode() if isinstance(data, str) else data
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_arrays(path: Path | str, arrays: Mapping[str, ArrayLike]) -> None:
    """Write arrays as a compressed ``.npz``, without pickle, as ``write_whole`` does.

    Raises
    ------
    ValueError
        An array of Python objects.
    """
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    write_whole(path, data.getvalue())


def sync_folder(folder: Path) -> None:
    """Make the names of new files last, where folders can be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
