"""Solvers: exact values, exploitability, iterations a second and memory; in a clone beside OpenSpiel."""

from collections.abc import Callable, Iterator

from baycarp.cli.bench.clock import medians
from baycarp.cli.bench.goal import Goal, at_most
from baycarp.cli.bench.rivals import rivals
from baycarp.search import ALGORITHMS, CFR, GAMES, Strategy, Tree, exploitability, flatten, kuhn, leduc, value

__all__ = ["goals"]

ITERATIONS = 1_000
REACHED = {"kuhn": 1e-4, "leduc": 5e-4}
"""Exploitability, and difference from the value, after these iterations of CFR+: chips a hand, at most."""

VALUES = {"kuhn": kuhn.VALUE, "leduc": leduc.VALUE}

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
        yield Goal(f"{name}: cfr+, memory", (tree.nbytes + solver.nbytes) / 1024, "KiB")
        for algorithm, make_solver in ALGORITHMS.items():
            (took,) = medians(_iterations(make_solver(tree, 1).step), rounds=5)
            yield Goal(f"{name}: {algorithm}", ROUND / took, "iterations/s")
    yield from rivals("solve")(trees)


SOLVERS: tuple[Callable[[], Iterator[Goal]], ...] = (small_games,)
"""What gives the lines of a solver."""


def _exact(tree: Tree) -> Iterator[Goal]:
    """The published equilibria, by their value and by best responses."""
    family = [Strategy.of(tree, kuhn.equilibrium(number / 30)) for number in range(11)]
    off = max(abs(value(each) - kuhn.VALUE) for each in family)
    yield at_most("kuhn: equilibria, value less -1/18", 1e-9, off, "chips/hand")
    lost = max(map(exploitability, family))
    yield at_most("kuhn: equilibria, exploitability", 1e-9, lost, "chips/hand")


def _iterations(step: Callable[[], None]) -> Callable[[], None]:
    def work() -> None:
        for _ in range(ROUND):
            step()

    return work
