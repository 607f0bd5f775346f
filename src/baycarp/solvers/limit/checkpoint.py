"""A run as a folder, which continues to the same bytes after any interruption.

buckets.npz     the abstraction's buckets on all flops and turns
opponent.npz    the same of the opponent, where it has buckets of its own
checkpoint.npz  the plan, the number of iterations, regrets and averages, with their digest
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Variant
from baycarp.kernels.cfr import Deal
from baycarp.solvers.checkpoint import CHECKPOINT, continued, plan_of, write_sums
from baycarp.solvers.limit.abstraction import Abstraction
from baycarp.solvers.limit.against_best import AgainstBest
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.solver import Settings, Solver, sampler
from baycarp.solvers.limit.tables import BucketTables

__all__ = ["CHECKPOINT", "Plan", "deal", "read_plan", "restore", "save", "start"]

FORMAT = "baycarp.solve"


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
    write_sums(folder / CHECKPOINT, FORMAT, plan.to_dict(), solver.iterations, solver.sums)


def read_plan(folder: Path) -> Plan:
    """The plan of a run that a folder holds.

    Raises
    ------
    ModelError
        No checkpoint, or a damaged one.
    """
    return plan_of(folder, FORMAT, Plan.from_dict)


def restore(folder: Path, plan: Plan, solver: Solver | AgainstBest) -> None:
    """Continue from a folder's checkpoint.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    iterations, (regret, average) = continued(folder, FORMAT, plan.to_dict())
    solver.restore(iterations, regret, average)
