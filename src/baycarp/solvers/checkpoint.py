"""A solver's sums of regrets and averages as a file, written whole, with what they belong to and a digest."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.solvers.headed import VERSION, read_headed, reading, write_headed

__all__ = ["CHECKPOINT", "Sums", "continued", "plan_of", "write_sums"]

CHECKPOINT = "checkpoint.npz"
LARGEST = 1 << 32
"""No checkpoint's arrays take more memory, in bytes."""

Sums = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Regrets and averages."""

Plan = TypeVar("Plan")


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
    write_headed(path, kind, head, {"regret": sums[0], "average": sums[1]})


def _digest(head: dict[str, Any], sums: Sums) -> str:
    made = sha256(json.dumps({k: v for k, v in head.items() if k != "digest"}, sort_keys=True).encode())
    for each in sums:
        made.update(each.tobytes())
    return made.hexdigest()


def _read(path: Path, kind: str) -> tuple[Any, int, Sums]:
    """The plan, the iterations and the sums of a checkpoint."""
    with reading(path, "checkpoint"):
        head, arrays = read_headed(path, kind, LARGEST)
        sums = arrays["regret"], arrays["average"]
        if head["digest"] != _digest(head, sums):
            raise ModelError(f"{path}: damaged checkpoint")
        iterations, kinds = head["iterations"], {str(each.dtype) for each in sums}
        if kinds != {"float32"} or not isinstance(iterations, int) or iterations < 0:
            raise ModelError(f"{path}: expected tables of float32 and a number of iterations")
        return head["plan"], iterations, sums


def plan_of(folder: Path, kind: str, parse: Callable[[Any], Plan]) -> Plan:
    """The plan of a run that a folder holds, parsed from JSON values.

    Raises
    ------
    ModelError
        No checkpoint of this kind, or a damaged one.
    """
    path = folder / CHECKPOINT
    plan = _read(path, kind)[0]
    try:
        return parse(plan)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: no plan of a run: {error!r:.200}") from error


def continued(folder: Path, kind: str, plan: dict[str, Any]) -> tuple[int, Sums]:
    """The iterations and the sums that a folder's checkpoint has of a plan.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    own, iterations, sums = _read(folder / CHECKPOINT, kind)
    if own != plan:
        raise ModelError(
            f"{folder}: a run of another plan; expected a folder of its own, or the same options"
        )
    return iterations, sums
