"""What a run continues from: its plan, the number of iterations, regrets and averages, with their digest."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import AnyForm, ArrayForm, FileForm, NumberForm, TextForm, verify_as_written
from baycarp.solvers.headed import VERSION, headed, read_headed, reading, write_headed
from baycarp.solvers.plan import SolvePlan

__all__ = ["CHECKPOINT", "Sums", "continued", "read_plan", "save"]

CHECKPOINT = "checkpoint.npz"
FORMAT = "baycarp.solve"
BOUND = 1e30
"""No regret and no average is greater: their sums in 32 bits stay finite."""

FORM = headed(
    FORMAT,
    {"iterations": NumberForm(0, 1 << 53, whole=True), "plan": AnyForm(), "digest": TextForm()},
    FileForm(
        {
            "regret": ArrayForm("float32", ("cells",), -BOUND, BOUND),
            "average": ArrayForm("float32", ("cells",), 0, BOUND),
        },
        limit=1 << 32,
    ),
)
"""A number for each cell of a strategy."""

Sums = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Regrets and averages."""


def save(folder: Path, plan: SolvePlan, iterations: int, sums: Sums) -> None:
    """Write the checkpoint of a run after some iterations, whole; one that exists is replaced."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "iterations": iterations,
        "plan": plan.to_dict(),
    }
    regret, average = sums
    head["digest"] = _digest(head, sums)
    write_headed(folder / CHECKPOINT, FORMAT, head, {"regret": regret, "average": average})


def _digest(head: dict[str, Any], sums: Sums) -> str:
    signed = {name: value for name, value in head.items() if name != "digest"}
    made = sha256(json.dumps(signed, sort_keys=True).encode())
    for each in sums:
        made.update(each.tobytes())
    return made.hexdigest()


def read_plan(folder: Path) -> SolvePlan:
    """The plan of a run that a folder holds.

    Raises
    ------
    ModelError
        No checkpoint, or a damaged one.
    """
    return _read(folder)[0]


def continued(folder: Path, plan: SolvePlan) -> tuple[int, Sums]:
    """The iterations and the sums that a folder's checkpoint has of a plan.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    own, iterations, sums = _read(folder)
    if own != plan:
        raise ModelError(
            f"{folder}: a run of another plan; expected a folder of its own, or the same settings"
        )
    return iterations, sums


def _read(folder: Path) -> tuple[SolvePlan, int, Sums]:
    path = folder / CHECKPOINT
    with reading(path, "checkpoint"):
        head, arrays = read_headed(path, FORM)
        sums = arrays["regret"], arrays["average"]
        if head["digest"] != _digest(head, sums):
            raise ModelError(f"{path}: damaged checkpoint")
        plan = SolvePlan.from_dict(head["plan"])
        verify_as_written(head["plan"], plan.to_dict(), "plan")
        return plan, head["iterations"], sums
