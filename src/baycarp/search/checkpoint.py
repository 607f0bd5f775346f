"""A solver's sums of regrets and averages as a file, written whole, with what they belong to and a digest."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import read_arrays, write_arrays

__all__ = ["CHECKPOINT", "Sums", "continued", "read_sums", "write_sums"]

CHECKPOINT = "checkpoint.npz"
VERSION = 1
LARGEST = 1 << 32
"""No checkpoint's arrays take more memory, in bytes."""

Sums = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Regrets and averages."""


def write_sums(path: Path, kind: str, plan: dict[str, Any], iterations: int, sums: Sums) -> None:
    """Write a checkpoint, whole; one that exists is replaced.

    Parameters
    ----------
    path
        The file.
    kind
        The name of the format.
    plan
        What is solved, and how, as JSON values.
    iterations
        So far.
    sums
        Of these iterations.
    """
    head: dict[str, Any] = {"format": kind, "version": VERSION, "iterations": iterations, "plan": plan}
    head["digest"] = _digest(head, sums)
    arrays = {"head": np.array(json.dumps(head, sort_keys=True)), "regret": sums[0], "average": sums[1]}
    write_arrays(path, arrays)


def _digest(head: dict[str, Any], sums: Sums) -> str:
    made = sha256(json.dumps({k: v for k, v in head.items() if k != "digest"}, sort_keys=True).encode())
    for each in sums:
        made.update(each.tobytes())
    return made.hexdigest()


def read_sums(path: Path, kind: str) -> tuple[Any, int, Sums]:
    """The plan, the iterations and the sums of a checkpoint.

    Raises
    ------
    ModelError
        No checkpoint of this kind, or a damaged one.
    """
    try:
        arrays = read_arrays(path, LARGEST)
        head = json.loads(str(arrays["head"]))
        sums = arrays["regret"], arrays["average"]
        if (head["format"], head["version"]) != (kind, VERSION):
            raise ModelError(f"{path}: expected {kind} version {VERSION}")
        if head["digest"] != _digest(head, sums):
            raise ModelError(f"{path}: damaged checkpoint")
        iterations, kinds = head["iterations"], {str(each.dtype) for each in sums}
        if kinds != {"float32"} or not isinstance(iterations, int) or iterations < 0:
            raise ModelError(f"{path}: expected tables of float32 and a number of iterations")
        return head["plan"], iterations, sums
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path}: not a readable checkpoint: {error}") from error


def continued(folder: Path, kind: str, plan: dict[str, Any]) -> tuple[int, Sums]:
    """The iterations and the sums that a folder's checkpoint has of a plan.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    own, iterations, sums = read_sums(folder / CHECKPOINT, kind)
    if own != plan:
        raise ModelError(
            f"{folder}: a run of another plan; expected a folder of its own, or the same options"
        )
    return iterations, sums
