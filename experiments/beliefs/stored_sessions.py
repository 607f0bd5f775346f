"""Judged sessions as files: what an interruption leaves is not judged again.

FOLDER/NUMBER.npz   ``head``: JSON, as bytes: the names of the models, and of those that predict actions; the
                    digest of the other arrays
                    ``points FIELD``, ``actions FIELD``, ``known``: the columns of ``Judged``
                    ``score MODEL FIELD``, ``loss MODEL``: the scores of a model, by its number in the head
"""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import fields
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.errors import ModelError
from baycarp.files import ListForm, RecordForm, TextForm, parse_json, read_arrays, write_arrays
from experiments.beliefs.columns import ActionColumns, Judged, PointColumns

__all__ = ["judge_each", "load_judged", "save_judged"]

Unit = TypeVar("Unit")
Arrays = dict[str, NDArray[Any]]


def judge_each(
    units: Sequence[Unit],
    judge: Callable[[], Callable[[Unit], Judged]],
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int, int], None] = lambda done, of: None,
) -> list[Judged]:
    """Judge units of work; those that the folder has are read.

    Parameters
    ----------
    units
        In order; the place of a unit is the number of its file.
    judge
        Returns the work of a unit, a function of a module or a ``partial`` of one. It is called when a file
        is missing: what only the work needs, such as fitted models, is made in it.
    folder
        Of the files; made if missing.
    workers
        Where the work is done.
    tick
        Receives the number of judged units, and of all.

    Raises
    ------
    ModelError
        A file that is not readable.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:04}.npz" for number in range(len(units))]
    lacking = [(path, unit) for path, unit in zip(paths, units, strict=True) if not path.exists()]
    stored = len(units) - len(lacking)
    tick(stored, len(units))
    if lacking:
        with closing(in_order(partial(_second, judge()), lacking, workers)) as found:
            for done, ((path, _), judged) in enumerate(found, start=stored + 1):
                save_judged(judged, path)
                tick(done, len(units))
    return [load_judged(path) for path in paths]


def _second(work: Callable[[Unit], Judged], each: tuple[Path, Unit]) -> Judged:
    return work(each[1])


def save_judged(judged: Judged, path: Path) -> None:
    """Write the scores of one session; the file is there whole or not at all."""
    arrays: Arrays = {"known": judged.known}
    arrays |= {f"points {field.name}": getattr(judged.points, field.name) for field in fields(PointColumns)}
    arrays |= {f"actions {name}": getattr(judged.actions, name) for name in _ACTIONS}
    for number, columns in enumerate(judged.scores.values()):
        arrays |= {f"score {number} {name}": column for name, column in columns.items()}
    arrays |= {f"loss {number}": each for number, each in enumerate(judged.actions.losses.values())}
    names = {"models": list(judged.scores), "predict": list(judged.actions.losses)}
    head = json.dumps({**names, "digest": _digest(arrays)}).encode()
    write_arrays(path, {"head": np.frombuffer(head, np.uint8), **arrays})


_NAMES = ListForm(TextForm())
HEAD = RecordForm({"models": _NAMES, "predict": _NAMES, "digest": TextForm()})
"""What is stored beside the arrays of a session."""


def _digest(arrays: Arrays) -> str:
    """SHA-256 of arrays and of their names."""
    made = sha256()
    for name, array in sorted(arrays.items()):
        made.update(f"{name} {array.dtype} {array.shape} ".encode())
        made.update(np.ascontiguousarray(array).tobytes())
    return made.hexdigest()


def load_judged(path: Path) -> Judged:
    """Read the scores of one session.

    Raises
    ------
    ModelError
        A file that is missing, damaged, or of other content.
    """
    try:
        arrays = read_arrays(path)
        head = parse_json(arrays.pop("head").tobytes(), HEAD)
        if head["digest"] != _digest(arrays):
            raise ModelError("damaged")
        scores: dict[str, Arrays] = {name: {} for name in head["models"]}
        for name in arrays:
            if name.startswith("score "):
                _, number, field = name.split()
                scores[head["models"][int(number)]][field] = arrays[name]
        losses = {name: arrays[f"loss {number}"] for number, name in enumerate(head["predict"])}
        points = PointColumns(
            **{field.name: arrays[f"points {field.name}"] for field in fields(PointColumns)}
        )
        actions = ActionColumns(**{name: arrays[f"actions {name}"] for name in _ACTIONS}, losses=losses)
        return Judged(scores, points, actions, arrays["known"])
    except Exception as error:  # what a damaged file makes its readers raise has no bound
        raise ModelError(f"{path}: no judged session: {error}; expected one, or no file") from error


_ACTIONS = [field.name for field in fields(ActionColumns) if field.name != "losses"]
