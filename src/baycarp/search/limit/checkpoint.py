"""A run as a folder, which continues to the same bytes after any interruption.

buckets.npz     the abstraction's buckets on all flops and turns
opponent.npz    the same of the opponent, where it has buckets of its own
checkpoint.npz  the plan, the number of iterations, regrets and averages, with their digest
"""

import json
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.game import Variant
from baycarp.kernels.cfr import Deal
from baycarp.search.limit.abstraction import Abstraction
from baycarp.search.limit.against_best import AgainstBest
from baycarp.search.limit.betting import betting_tree
from baycarp.search.limit.solver import Settings, Solver, sampler
from baycarp.search.limit.tables import BucketTables

__all__ = ["CHECKPOINT", "Plan", "deal", "read_plan", "restore", "save", "start"]

CHECKPOINT = "checkpoint.npz"
FORMAT, VERSION = "baycarp.solve", 1
LARGEST = 1 << 32
"""No checkpoint's arrays take more memory, in bytes."""


@dataclass(frozen=True)
class Plan:
    """What is solved, and how.

    Parameters
    ----------
    game
        The name of the game.
    buckets
        The specification of the abstraction, as ``parse_buckets`` takes it.
    abstraction
        The abstraction.
    settings
        Of the solver.
    against
        The specification of the opponent's buckets on the flop and the turn, where it has its own and plays
        best responses on the river; empty: both players have the same buckets.
    opponent
        The opponent's abstraction, with one bucket on the river.
    """

    game: str
    buckets: str
    abstraction: Abstraction
    settings: Settings
    against: str = ""
    opponent: Abstraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON values."""
        parts = {"abstraction": self.abstraction.to_dict(), "settings": self.settings.to_dict()}
        other = {"against": self.against, "opponent": self.opponent.to_dict()} if self.opponent else {}
        return {"game": self.game, "buckets": self.buckets, **parts, **other}

    @staticmethod
    def from_dict(given: Any) -> "Plan":
        """The plan that ``to_dict`` gave; raises ``ArgumentError``, ``KeyError`` or ``TypeError``."""
        abstraction = Abstraction.from_dict(given["abstraction"])
        opponent = Abstraction.from_dict(given["opponent"]) if "opponent" in given else None
        settings, against = Settings(**given["settings"]), str(given.get("against", ""))
        return Plan(str(given["game"]), str(given["buckets"]), abstraction, settings, against, opponent)


def deal(tables: BucketTables, board: NDArray[np.uint8]) -> Deal:
    """A board with its buckets."""
    return Deal(board, tables.buckets(board))


def _deal_apart(tables: BucketTables, opponent: BucketTables, learner: int, board: NDArray[np.uint8]) -> Deal:
    """A board with the buckets of the learner and of its opponent."""
    own, other = tables.buckets(board), opponent.buckets(board)
    return Deal(board, other, other=own) if learner else Deal(board, own, other=other)


def start(plan: Plan, tables: BucketTables, opponent: BucketTables | None = None) -> Solver | AgainstBest:
    """A solver of a plan, before its first iteration.

    Parameters
    ----------
    plan
        What is solved.
    tables, opponent
        The buckets of its abstractions; the second where the opponent has its own.
    """
    tree = betting_tree(Variant.load(plan.game))
    if opponent is None or plan.opponent is None:
        boards = sampler(plan.settings, partial(deal, tables))
        return Solver(tree, plan.abstraction.counts, boards, plan.settings)
    one, other = (sampler(plan.settings, partial(_deal_apart, tables, opponent, k)) for k in (0, 1))
    return AgainstBest(tree, plan.abstraction.counts, plan.opponent.counts, (one, other), plan.settings)


def save(folder: Path, plan: Plan, solver: Solver | AgainstBest) -> None:
    """Write the checkpoint of a run, whole; one that exists is replaced."""
    regret, average = solver.sums
    head = {"format": FORMAT, "version": VERSION, "iterations": solver.iterations, "plan": plan.to_dict()}
    head["digest"] = _digest(head, regret, average)
    arrays = {"head": np.array(json.dumps(head, sort_keys=True)), "regret": regret, "average": average}
    write_arrays(folder / CHECKPOINT, arrays)


def _digest(head: dict[str, Any], regret: NDArray[np.float32], average: NDArray[np.float32]) -> str:
    made = sha256(json.dumps({k: v for k, v in head.items() if k != "digest"}, sort_keys=True).encode())
    made.update(regret.tobytes())
    made.update(average.tobytes())
    return made.hexdigest()


def _read(folder: Path) -> tuple[dict[str, Any], NDArray[np.float32], NDArray[np.float32]]:
    path = folder / CHECKPOINT
    try:
        arrays = read_arrays(path, LARGEST)
        head = json.loads(str(arrays["head"]))
        regret, average = arrays["regret"], arrays["average"]
        if (head["format"], head["version"]) != (FORMAT, VERSION):
            raise ModelError(f"{path}: expected {FORMAT} version {VERSION}")
        if head["digest"] != _digest(head, regret, average):
            raise ModelError(f"{path}: damaged checkpoint")
        kinds = {str(regret.dtype), str(average.dtype)}
        if kinds != {"float32"} or not isinstance(head["iterations"], int) or head["iterations"] < 0:
            raise ModelError(f"{path}: expected tables of float32 and a number of iterations")
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path}: not a readable checkpoint: {error}") from error
    return head, regret, average


def read_plan(folder: Path) -> Plan:
    """The plan of a run that a folder holds.

    Raises
    ------
    ModelError
        No checkpoint, or a damaged one.
    """
    head = _read(folder)[0]
    try:
        return Plan.from_dict(head["plan"])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{folder / CHECKPOINT}: no plan of a run: {error!r:.200}") from error


def restore(folder: Path, plan: Plan, solver: Solver | AgainstBest) -> None:
    """Continue from a folder's checkpoint.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    head, regret, average = _read(folder)
    if head["plan"] != plan.to_dict():
        raise ModelError(
            f"{folder}: a run of another plan; expected a folder of its own, or the same options"
        )
    solver.restore(int(head["iterations"]), regret, average)
