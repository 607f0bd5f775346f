"""Solvers: exact values, exploitability, iterations a second and memory; in a clone beside OpenSpiel."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from baycarp.cli.options import JSON
from baycarp.game import Variant
from baycarp.kernels.cfr import Deal
from baycarp.solvers import ALGORITHMS, CFR, GAMES, GameTree, StrategyProfile, exploitability, flatten, value
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.limit.solver import LimitSolver, sampled
from baycarp.solvers.nolimit import solver as nolimit
from baycarp.solvers.nolimit.betting import nolimit_betting
from baycarp.solvers.nolimit.deals import dealer
from baycarp.solvers.small import kuhn, leduc
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_most, printing
from benchmarks.parts.resolved import resolve_goals
from benchmarks.parts.rivals import rivals
from benchmarks.parts.spots import spot_goals

__all__ = ["goals"]

ITERATIONS = 1_000
REACHED = {"kuhn": 1e-4, "leduc": 5e-4}
"""Exploitability, and difference from the value, after these iterations of CFR+: chips a hand, at most."""

VALUES = {"kuhn": kuhn.VALUE, "leduc": leduc.VALUE}

SOLVED = "holdem.limit.2p.reverse_blinds"
NO_LIMIT = "holdem.nolimit.2p.100bb"
TABLES = 7
"""Tables of float32 cells that a solver of limit hold'em has."""

ROUND = 200
"""Iterations that are timed at once."""


def goals() -> Iterator[Goal]:
    """The lines of every solver."""
    for part in SOLVERS:
        yield from part()


def small_games() -> Iterator[Goal]:
    """Kuhn and Leduc by their protocol, and beside OpenSpiel."""
    trees = {name: flatten(make()) for name, make in GAMES.items()}
    yield from _exact(trees["kuhn"])
    for name, tree in trees.items():
        solver = CFR(tree, plus=True)
        for _ in range(ITERATIONS):
            solver.step()
        average = solver.average()
        lost, off = exploitability(average), abs(value(average) - VALUES[name])
        yield at_most(f"{name}: exploitability, cfr+ x {ITERATIONS:,}", REACHED[name], lost, "chips/hand")
        yield at_most(f"{name}: value, cfr+ x {ITERATIONS:,}, off by", REACHED[name], off, "chips/hand")
        yield Goal(f"{name}: cfr+, memory", _bytes([tree.sides, tree.payoffs, solver]) / 1024, "KiB")
        for algorithm, make_solver in ALGORITHMS.items():
            (took,) = medians(_iterations(make_solver(tree, 1).step), rounds=5)
            yield Goal(f"{name}: {algorithm}", ROUND / took, "iterations/s")
    yield from rivals("solve")(trees)


def limit_holdem() -> Iterator[Goal]:
    """Heads-up fixed limit: walks of all betting on four boards for each player, over fifty buckets a street.

    The buckets of the boards are known: making them is not measured.
    """
    abstraction = parse_buckets("p50,p50,p50", 1)
    tables = BucketTables(abstraction)
    deals = sampled(1, 0, 1, 4, lambda board: Deal(board, tables.buckets(board)))
    solver = LimitSolver(limit_betting(Variant.load(SOLVED)), abstraction.counts, lambda number: deals)
    (took,) = medians(solver.iterate, rounds=3)
    yield Goal("heads-up limit: 50 buckets a street, 4 boards", 1 / took, "iterations/s")
    yield Goal("heads-up limit: tables", TABLES * 4 * solver.betting.cells / 2**20, "MiB")


def nolimit_holdem() -> Iterator[Goal]:
    """Heads-up no-limit: deals and sampled walks, fifty buckets a street; random ones before the river."""
    abstraction, draw = parse_buckets("p50,p50,p50", 1), np.random.default_rng(1)
    flops, turns = (draw.integers(0, 50, (boards, 1326), np.uint16) for boards in (1755, 16432))
    dealt = dealer(BucketTables(abstraction, flops, turns))
    solver = nolimit.NoLimitSolver(nolimit_betting(Variant.load(NO_LIMIT)), dealt.counts, dealt.deals)
    (took,) = medians(solver.iterate, rounds=9)
    yield Goal("heads-up no-limit: 50 buckets a street", nolimit.BATCH / took, "iterations/s")
    sums = solver.regret.nbytes + solver.average.nbytes
    yield Goal("heads-up no-limit: tables", sums / 2**20, "MiB")


SOLVERS: tuple[Callable[[], Iterator[Goal]], ...] = (
    small_games,
    limit_holdem,
    nolimit_holdem,
    spot_goals,
    resolve_goals,
)
"""What gives the lines of a solver."""


def _exact(tree: GameTree) -> Iterator[Goal]:
    """The published equilibria, by their value and by best responses."""
    family = [StrategyProfile.of(tree, kuhn.equilibrium(number / 30)) for number in range(11)]
    off = max(abs(value(each) - kuhn.VALUE) for each in family)
    yield at_most("kuhn: equilibria, value less -1/18", 1e-9, off, "chips/hand")
    lost = max(map(exploitability, family))
    yield at_most("kuhn: equilibria, exploitability", 1e-9, lost, "chips/hand")


def _bytes(value: Any) -> int:
    """The bytes of the arrays that a value holds; those of a solver's tree count where the tree is given."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, list | tuple):
        return sum(map(_bytes, value))
    if isinstance(value, CFR):
        return sum(_bytes(part) for name, part in vars(value).items() if name != "tree")
    return sum(_bytes(getattr(value, each.name)) for each in fields(value)) if is_dataclass(value) else 0


def _iterations(step: Callable[[], None]) -> Callable[[], None]:
    def work() -> None:
        for _ in range(ROUND):
            step()

    return work


add = JSON
run = printing(lambda args: goals())
