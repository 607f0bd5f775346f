"""Heads-up fixed limit: a solve that can be interrupted and continued, and its strategy as a file."""

from argparse import Namespace
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from baycarp.cli.options import WORKERS, count, option, options
from baycarp.cli.output import as_json
from baycarp.cli.progress import stages
from baycarp.cli.solve.holdem import SAVED, Tick, Until, is_begun, verify_same
from baycarp.cli.stopping import stopping
from baycarp.game import Variant
from baycarp.solvers.limit.abstraction import parse_buckets
from baycarp.solvers.limit.against_best import AgainstBest
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.checkpoint import Plan, deal, read_plan, restore, save, start
from baycarp.solvers.limit.response import Exploitability, ResponseBoards, Walks, exploitability
from baycarp.solvers.limit.solution import Solution, save_solution
from baycarp.solvers.limit.solver import WEIGHTS, Settings, Solver, sampled
from baycarp.solvers.limit.tables import BucketTables, bucket_tables

__all__ = ["GAME", "add", "run"]

GAME = "holdem.limit.2p.reverse_blinds"
BUCKETS = "p50,p50,p50"
MEASURED = 60.0
"""Seconds to the first measurement on the way; every next one comes after as many again as before."""

CHOSEN, VALUED = 200, 200
"""Boards that a best response is chosen on, and those that it is valued on."""
ON_THE_WAY = 40
"""The same on the way, for a fifth of the time."""


add = options(
    option(
        "--opponent",
        metavar="BUCKETS",
        help="of flop and turn, of an opponent that plays best responses on the river: less exploitable, "
        "slower (default: both players learn, with the same buckets)",
    ),
    option("--weights", choices=[*WEIGHTS], help="of the iterations (default: linear)"),
    option("--boards", type=count, help=f"of an iteration (default: {Settings().boards})"),
    WORKERS,
)


@dataclass
class Work:
    """A solve in progress.

    Parameters
    ----------
    folder
        Where its checkpoints are.
    plan, tables, solver
        What is solved.
    workers
        Threads.
    points
        Measurements: iterations and exploitability.
    quiet
        Whether measurements are not printed.
    """

    folder: Path
    plan: Plan
    tables: BucketTables
    solver: Solver | AgainstBest
    workers: int
    points: list[tuple[int, Exploitability]] = field(default_factory=list)
    quiet: bool = False
    begun: int = field(init=False)

    def solve(self, until: Until, tick: Tick) -> int:
        """Iterate to an end, measuring after 1, 2, 4, 8, ... minutes.

        Returns
        -------
        int
            The exit status: not 0 after an interruption, which waits for the end of an iteration. One that
            comes during a measurement is raised; the checkpoint then has all iterations.
        """
        self.begun = self.solver.iterations
        spent, measured = 0.0, MEASURED
        while True:
            with stopping() as stop:
                while not (stop() or spent >= measured or until.is_over(self.solver.iterations, spent)):
                    spent = self._iterate(spent)
                    until.show(tick, self.solver.iterations, spent)
                save(self.folder, self.plan, self.solver)
            if stop() or until.is_over(self.solver.iterations, spent):
                return stop.status
            self.measure(min(ON_THE_WAY, CHOSEN), min(ON_THE_WAY, VALUED))
            if not self.quiet:
                print(f"  {self._expected(until, spent)}", flush=True)
            measured *= 2

    def _expected(self, until: Until, spent: float) -> str:
        """The expected time to the end, at the speed so far in this call."""
        ends = []
        if until.seconds is not None:
            ends.append(until.seconds - spent)
        if until.iterations is not None:
            left = until.iterations - self.solver.iterations
            ends.append(left * spent / (self.solver.iterations - self.begun))
        return f"solved for {spent / 60:.0f} min, expected to end after another {min(ends) / 60:.1f} min"

    def _iterate(self, spent: float) -> float:
        """One iteration, and a checkpoint when it is time; gives the seconds spent."""
        begun = monotonic()
        self.solver.iterate(self.workers)
        now = spent + monotonic() - begun
        if int(now // SAVED) > int(spent // SAVED):
            save(self.folder, self.plan, self.solver)
        return now

    def measure(self, chosen: int, valued: int) -> None:
        """Add the exploitability of the average strategy now, inside the abstraction, by this many boards."""
        made = partial(deal, self.tables)
        seed = self.plan.settings.seed
        boards = ResponseBoards(sampled(seed, 1, 0, chosen, made), sampled(seed, 2, 0, valued, made))
        walks = Walks(self.solver.betting, self.solver.share, self.workers)
        found = exploitability(walks, self.solver.policy(), boards)
        self.points.append((self.solver.iterations, found))
        if not self.quiet:
            print(self._line(found), flush=True)

    def _line(self, found: Exploitability) -> str:
        big = Variant.load(self.plan.game).big_blind / 1000
        return (
            f"{self.solver.iterations} iterations: a best response inside the abstraction wins at least "
            f"{found.lower / big:.1f} +-{found.half_width / big:.1f} mbb/h ({found.boards} boards), "
            f"{found.upper / big:.1f} on the boards that it was chosen on"
        )


def run(args: Namespace) -> int:
    """Solve or continue, and write the strategy; after an interruption a checkpoint holds what was done."""
    until = Until(args, GAME)
    args.out.mkdir(parents=True, exist_ok=True)
    plan = _plan(args)
    with stages() as tick:
        tables = bucket_tables(plan.abstraction, args.out / "buckets.npz", tick)
        other = bucket_tables(plan.opponent, args.out / "opponent.npz", tick) if plan.opponent else None
        work = Work(args.out, plan, tables, start(plan, tables, other), args.workers, quiet=args.json)
        if is_begun(args.out):
            restore(args.out, plan, work.solver)
        status = work.solve(until, tick)
    if status:
        return status
    work.measure(CHOSEN, VALUED)
    solution = _solution(work)
    save_solution(solution, args.out / "solution.npz")
    if args.json:
        print(as_json(solution.origin | {"digest": solution.digest}))
    else:
        print(f"strategy: {args.out / 'solution.npz'}, digest {solution.digest}")
    return 0


def _plan(args: Namespace) -> Plan:
    """The plan of the options, or the one that the folder holds."""
    if not is_begun(args.out):
        boards = args.boards or Settings().boards
        settings = Settings(args.seed, args.weights or Settings().weights, boards)
        buckets = args.buckets or BUCKETS
        opponent = parse_buckets(f"{args.opponent},p1", args.seed) if args.opponent else None
        abstraction = parse_buckets(buckets, args.seed)
        return Plan(GAME, buckets, abstraction, settings, args.opponent or "", opponent)
    plan = read_plan(args.out)
    verify_same(args, {"buckets": plan.buckets, "opponent": plan.against, **plan.settings.to_dict()})
    return plan


def _solution(work: Work) -> Solution:
    plan, (iterations, found) = work.plan, work.points[-1]
    opponent = f" --opponent {plan.against}" if plan.against else ""
    settings = " ".join(f"--{name} {value}" for name, value in plan.settings.to_dict().items())
    origin: dict[str, Any] = {
        "command": f"baycarp solve {plan.game} --buckets {plan.buckets}{opponent} {settings} "
        f"--until {iterations} --out FOLDER",
        "iterations": iterations,
        "unit": "chips a hand, in the abstraction",
        "exploitability": asdict(found),
    }
    tree = betting_tree(Variant.load(plan.game))
    return Solution.of(tree, plan.abstraction, work.solver.policy(), origin)
