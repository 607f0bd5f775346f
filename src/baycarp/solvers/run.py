"""A solve of heads-up hold'em in a folder, which continues to the same bytes after any interruption.

buckets.npz     the abstraction's buckets on all flops and turns
opponent.npz    the same of the opponent, where it has buckets of its own
checkpoint.npz  what the run continues from (``checkpoint``)
solution.npz    the strategy (``solution``)
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from baycarp.game import Variant
from baycarp.solvers.buckets.tables import Tick, bucket_tables
from baycarp.solvers.checkpoint import CHECKPOINT, continued, save
from baycarp.solvers.limit.run import LimitRun
from baycarp.solvers.loss import Loss
from baycarp.solvers.nolimit.run import NoLimitRun
from baycarp.solvers.plan import SolvePlan
from baycarp.solvers.solution import SolvedStrategy, betting_of, save_solution

__all__ = ["SOLUTION", "SolveRun"]

SOLUTION = "solution.npz"

SAVED = 300.0
"""Seconds between two checkpoints; the first of a run is that of its first iterations."""

MEASURED = 60.0
"""Seconds to the first measurement on the way; every next one comes after as many again as before."""


RUNS: Mapping[str, type[LimitRun] | type[NoLimitRun]] = {
    "limit": LimitRun,
    "no-limit": NoLimitRun,
}
"""By the kind of betting."""


class SolveRun:
    """A solve in its folder, begun or continued.

    Parameters
    ----------
    folder
        The folder, which exists.
    plan
        What is solved.
    workers
        Threads.
    tick
        See ``Tick``.

    Raises
    ------
    ModelError
        The folder holds a run of another plan, or a damaged one.
    """

    def __init__(self, folder: Path, plan: SolvePlan, workers: int, tick: Tick) -> None:
        tables = bucket_tables(plan.abstraction, folder / "buckets.npz", tick)
        other = bucket_tables(plan.opponent, folder / "opponent.npz", tick) if plan.opponent else None
        self.tables = tables
        self.folder = folder
        self.plan = plan
        self.workers = workers
        self.tick = tick
        self.run = RUNS[Variant.load(plan.game).betting](plan, tables, other)
        self.solver = self.run.solver
        if (folder / CHECKPOINT).exists():
            iterations, sums = continued(folder, plan)
            self.solver.restore(iterations, *sums)

    def solve(
        self,
        iterations: int | None,
        seconds: float | None,
        stop: Callable[[], bool],
        measured: Callable[[Loss], None],
    ) -> None:
        """Iterate to an end, or until ``stop``; what is done is in the checkpoint.

        Parameters
        ----------
        iterations
            The end: in all, with those of the calls before.
        seconds
            The end: of solving in this call, measurements apart.
        stop
            Called after every batch of iterations.
        measured
            Called with the loss after 1, 2, 4, 8, ... minutes, where it takes a small part of them.
        """
        end = inf if iterations is None else iterations
        most = inf if seconds is None else seconds
        spent, pause = 0.0, MEASURED
        while self.solver.iterations < end and spent < most and not stop():
            if self.run.is_measured_on_the_way and spent >= pause:
                self._save()
                measured(self.run.loss(self.workers, self.tick, on_the_way=True))
                pause *= 2
            begun = monotonic()
            self.solver.iterate(int(min(self.solver.batch, end - self.solver.iterations)), self.workers)
            before, spent = spent, spent + monotonic() - begun
            if int(spent // SAVED) > int(before // SAVED) or not (self.folder / CHECKPOINT).exists():
                self._save()
            if seconds is None:
                self.tick("iterations", self.solver.iterations, iterations)
            else:
                self.tick("seconds", min(int(spent), int(seconds)), int(seconds))
        self._save()

    def _save(self) -> None:
        save(self.folder, self.plan, self.solver.iterations, self.solver.sums)

    def finish(self) -> tuple[SolvedStrategy, Loss]:
        """Measure the strategy, and write it."""
        found = self.run.loss(self.workers, self.tick, on_the_way=False)
        iterations = self.solver.iterations
        origin: dict[str, Any] = {
            "command": f"{self.plan.command} --iterations {iterations} --out FOLDER",
            "iterations": iterations,
            "unit": "big blinds a hand, in the abstraction",
            "loss": asdict(found),
        }
        betting = betting_of(self.plan.game)
        tables = self.tables
        solution = SolvedStrategy.of(betting, tables.abstraction, self.solver.policy(), origin, tables.flops)
        save_solution(solution, self.folder / SOLUTION)
        return solution, found
