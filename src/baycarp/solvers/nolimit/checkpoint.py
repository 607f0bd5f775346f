"""A run as a folder, which continues to the same bytes after any interruption.

buckets.npz     the abstraction's buckets on all flops and turns
checkpoint.npz  the plan, the number of iterations, regrets and averages, with their digest
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from baycarp.game import Variant
from baycarp.solvers.checkpoint import CHECKPOINT, continued, plan_of, write_sums
from baycarp.solvers.limit.abstraction import Abstraction
from baycarp.solvers.limit.tables import BucketTables
from baycarp.solvers.nolimit.betting import betting_tree
from baycarp.solvers.nolimit.deals import dealer
from baycarp.solvers.nolimit.solver import Settings, Solver

__all__ = ["CHECKPOINT", "Plan", "read_plan", "restore", "save", "start"]

FORMAT = "baycarp.solve.nolimit"


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
    """

    game: str
    buckets: str
    abstraction: Abstraction
    settings: Settings

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON values."""
        parts = {"abstraction": self.abstraction.to_dict(), "settings": self.settings.to_dict()}
        return {"game": self.game, "buckets": self.buckets, **parts}

    @staticmethod
    def from_dict(given: Any) -> "Plan":
        """The plan that ``to_dict`` gave; raises ``ArgumentError``, ``KeyError`` or ``TypeError``."""
        abstraction, settings = Abstraction.from_dict(given["abstraction"]), Settings(**given["settings"])
        return Plan(str(given["game"]), str(given["buckets"]), abstraction, settings)


def start(plan: Plan, tables: BucketTables) -> Solver:
    """A solver of a plan, before its first iteration.

    Parameters
    ----------
    plan
        What is solved.
    tables
        The buckets of its abstraction.
    """
    deals, tree = dealer(tables), betting_tree(Variant.load(plan.game))
    return Solver(tree, deals.counts, deals.deals, plan.settings)


def save(folder: Path, plan: Plan, solver: Solver) -> None:
    """Write the checkpoint of a run, whole; one that exists is replaced."""
    sums = solver.regret, solver.average
    write_sums(folder / CHECKPOINT, FORMAT, plan.to_dict(), solver.iterations, sums)


def read_plan(folder: Path) -> Plan:
    """The plan of a run that a folder holds.

    Raises
    ------
    ModelError
        No checkpoint, or a damaged one.
    """
    return plan_of(folder, FORMAT, Plan.from_dict)


def restore(folder: Path, plan: Plan, solver: Solver) -> None:
    """Continue from a folder's checkpoint.

    Raises
    ------
    ModelError
        It is damaged, or another plan's.
    """
    iterations, (regret, average) = continued(folder, FORMAT, plan.to_dict())
    solver.restore(iterations, regret, average)
