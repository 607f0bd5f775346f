"""Heads-up no-limit: a sampled solve that can be interrupted and continued, and its strategy as a file."""

from argparse import Namespace
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from baycarp.cli.output import as_json
from baycarp.cli.progress import stages
from baycarp.cli.solve.holdem import SAVED, Tick, Until, is_begun, verify_same
from baycarp.cli.stopping import stopping
from baycarp.errors import ArgumentError
from baycarp.game import Variant
from baycarp.solvers.limit.abstraction import parse_buckets
from baycarp.solvers.limit.tables import BucketTables, bucket_tables
from baycarp.solvers.nolimit.betting import betting_tree
from baycarp.solvers.nolimit.checkpoint import Plan, read_plan, restore, save, start
from baycarp.solvers.nolimit.deals import dealer, verify_river
from baycarp.solvers.nolimit.response import Loss, Responses, loss
from baycarp.solvers.nolimit.solution import Solution, save_solution
from baycarp.solvers.nolimit.solver import BATCH, Settings, Solver

__all__ = ["GAME", "run"]

GAME = "holdem.nolimit.2p.100bb"
BUCKETS = "e50,e50,p50"
FOREIGN = ("opponent", "weights", "boards")
"""Options of fixed limit."""

LEARNED, VALUED = 1_000_000, 2000
"""Iterations that each responder learns at the end, and deals that the responders are valued on."""


@dataclass
class Work:
    """A solve in progress: its folder, its plan, the buckets and the solver."""

    folder: Path
    plan: Plan
    tables: BucketTables
    solver: Solver

    def solve(self, until: Until, tick: Tick) -> int:
        """Iterate to an end, and write checkpoints.

        Returns
        -------
        int
            The exit status: not 0 after an interruption, which waits for the end of some iterations.
        """
        spent, solver = 0.0, self.solver
        with stopping() as stop:
            while not (stop() or until.is_over(solver.iterations, spent)):
                begun = monotonic()
                left = BATCH if until.iterations is None else until.iterations - solver.iterations
                solver.iterate(min(BATCH, left))
                now = spent + monotonic() - begun
                if int(now // SAVED) > int(spent // SAVED):
                    save(self.folder, self.plan, solver)
                spent = now
                until.show(tick, solver.iterations, spent)
            save(self.folder, self.plan, solver)
        return stop.status

    def measure(self, tick: Tick) -> Loss:
        """What the average strategy loses to players that learn against it, in the abstraction."""
        return loss(
            self.solver.sampling,
            self.solver.policy(),
            dealer(self.tables).deals,
            Responses(self.plan.settings.seed + 1, LEARNED, VALUED),
            lambda done: tick("responses", done, 2 * LEARNED),
        )


def run(args: Namespace) -> int:
    """Solve or continue, and write the strategy; after an interruption a checkpoint holds what was done."""
    until = Until(args, GAME)
    for name in FOREIGN:
        if getattr(args, name) is not None:
            raise ArgumentError(f"{GAME}: --{name}: expected an option of no-limit, not of fixed limit")
    args.out.mkdir(parents=True, exist_ok=True)
    plan = _plan(args)
    with stages() as tick:
        tables = bucket_tables(plan.abstraction, args.out / "buckets.npz", tick)
        work = Work(args.out, plan, tables, start(plan, tables))
        if is_begun(args.out):
            restore(args.out, plan, work.solver)
        status = work.solve(until, tick)
        if status:
            return status
        found = work.measure(tick)
    solution = _solution(work, found)
    save_solution(solution, args.out / "solution.npz")
    if args.json:
        print(as_json(solution.origin | {"digest": solution.digest}))
    else:
        print(
            f"{work.solver.iterations} iterations: players that learn against the strategy win "
            f"{found.mean:.3f} +-{found.half_width:.3f} big blinds a hand inside the abstraction"
        )
        print(f"strategy: {args.out / 'solution.npz'}, digest {solution.digest}")
    return 0


def _plan(args: Namespace) -> Plan:
    """The plan of the options, or the one that the folder holds."""
    if is_begun(args.out):
        plan = read_plan(args.out)
        verify_same(args, {"buckets": plan.buckets, "seed": plan.settings.seed})
        return plan
    buckets = args.buckets or BUCKETS
    abstraction = parse_buckets(buckets, args.seed)
    verify_river(abstraction)
    return Plan(GAME, buckets, abstraction, Settings(args.seed))


def _solution(work: Work, found: Loss) -> Solution:
    plan, iterations = work.plan, work.solver.iterations
    origin: dict[str, Any] = {
        "command": f"baycarp solve {plan.game} --buckets {plan.buckets} --seed {plan.settings.seed} "
        f"--until {iterations} --out FOLDER",
        "iterations": iterations,
        "unit": "big blinds a hand, in the abstraction",
        "loss": asdict(found),
    }
    tree = betting_tree(Variant.load(plan.game))
    return Solution.of(tree, plan.abstraction, work.solver.policy(), origin)
