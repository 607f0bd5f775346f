"""Solve a small game, and measure how much the average strategy can lose on the way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any, Protocol

from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.solvers.small.best_response import exploitability, value
from baycarp.solvers.small.cfr import CFR
from baycarp.solvers.small.game import Game
from baycarp.solvers.small.kuhn import Kuhn
from baycarp.solvers.small.leduc import Leduc
from baycarp.solvers.small.mccfr import ExternalSampling
from baycarp.solvers.small.strategy import StrategyProfile
from baycarp.solvers.small.tree import GameTree

__all__ = ["ALGORITHMS", "GAMES", "Point", "Solver", "solve"]

GAMES: Mapping[str, Callable[[], Game[Any]]] = {"kuhn": Kuhn, "leduc": Leduc}
"""The games of the package by name."""


class Solver(Protocol):
    """An algorithm that approaches an equilibrium of one game."""

    iterations: int

    def step(self) -> None:
        """One iteration."""
        ...

    def average(self) -> StrategyProfile:
        """The average strategy so far."""
        ...


ALGORITHMS: Mapping[str, Callable[[GameTree, int], Solver]] = {
    "cfr": lambda tree, seed: CFR(tree),
    "cfr+": lambda tree, seed: CFR(tree, plus=True),
    "mccfr": ExternalSampling,
}
"""By name: a solver of a game, with a seed that sampling uses."""


@dataclass(frozen=True, slots=True)
class Point:
    """A measurement.

    Parameters
    ----------
    iterations
        Iterations so far.
    value
        What player 0 wins when both play the average strategy, in units of the game.
    exploitability
        Of the average strategy, in units of the game.
    seconds
        Processor time of the iterations so far, without that of the measurements.
    """

    iterations: int
    value: float
    exploitability: float
    seconds: float


def solve(solver: Solver, iterations: int, stop: Callable[[], bool] = lambda: False) -> Iterator[Point]:
    """Iterate, and measure after 1, 2, 5, 10, 20, 50, ... iterations and after the last.

    Parameters
    ----------
    solver
        Continued from where it is.
    iterations
        To be made, 1 or more.
    stop
        Ends the work after a whole iteration when it gives True.

    Raises
    ------
    ArgumentError
        No positive number of iterations.
    """
    return _points(solver, solver.iterations + whole(iterations, "iterations", 1, MOST_INT64), stop)


def _points(solver: Solver, end: int, stop: Callable[[], bool]) -> Iterator[Point]:
    spent = 0.0
    while solver.iterations < end and not stop():
        pause, begun = min(_following(solver.iterations), end), process_time()
        while solver.iterations < pause and not stop():
            solver.step()
        spent += process_time() - begun
        average = solver.average()
        yield Point(solver.iterations, value(average), exploitability(average), spent)


def _following(iterations: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    ten = 10 ** (len(str(iterations)) - 1)
    later: int = next(each * ten for each in (1, 2, 5, 10) if each * ten > iterations)
    return later
