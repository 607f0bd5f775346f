"""``baycarp.solve`` approaches an equilibrium; here of small games: it measures what a strategy can lose."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from rich.console import RenderableType

from baycarp.api.printing import counted, grid
from baycarp.api.result import Record, Result
from baycarp.api.solve_spot import SpotSolveOptions, solve_spot
from baycarp.draw import decay_as_text
from baycarp.errors import ArgumentError, brief, one_of
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.solvers import ALGORITHMS, GAMES, Game, Point, SolvedBy, StrategyProfile, flatten, save_strategy
from baycarp.solvers import solve as iterate
from baycarp.solvers.buckets.tables import Tick
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.spot import Spot

__all__ = ["TICKS", "GameOptions", "SmallGamePlan", "SolveResult", "solve", "solve_game"]

TICKS = 256
"""Iterations between two calls of ``tick``, which may take longer than one of them."""


@dataclass(frozen=True, slots=True, repr=False)
class SolveResult(Result):
    """The average strategy of a small game, and how much it could lose on the way.

    Parameters
    ----------
    plan
        What was solved, and how.
    points
        The measurements, the last one of the strategy.
    strategy
        Of both players.
    saved
        The file of the strategy, and its digest; None where it is not saved.
    """

    plan: "SmallGamePlan"
    points: tuple[Point, ...]
    strategy: StrategyProfile
    saved: tuple[Path, str] | None = None

    @property
    def exploitability(self) -> float:
        """What a best response wins from the strategy, in units of the game, the mean of both players."""
        return self.points[-1].exploitability

    @property
    def value(self) -> float:
        """What the first player wins a game when both play the strategy."""
        return self.points[-1].value

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before its last iteration."""
        return self.points[-1].iterations < self.plan.iterations

    def title(self) -> str:
        """The result in a line."""
        done = counted(self.points[-1].iterations, "iteration", ",")
        return f"{self.plan.name}, {done}, value {self.value:+.5f}, exploitability {self.exploitability:.1e}"

    def parts(self) -> Iterable[RenderableType]:
        """Exploitability and value by iteration, and the speed."""
        last = self.points[-1]
        if self.interrupted:
            planned = counted(self.plan.iterations, "iteration", ",")
            yield f"interrupted after {last.iterations:,} of {planned}"
        table = grid("iterations", "exploitability", "value", words=())
        for point in self.points:
            table.add_row(f"{point.iterations:,}", f"{point.exploitability:.3e}", f"{point.value:+.7f}")
        yield table
        iterations = [point.iterations for point in self.points]
        yield decay_as_text(iterations, [point.exploitability for point in self.points], "iterations")
        speed = last.iterations / max(last.seconds, 1e-9)
        yield f"{self.plan.name}, {self.plan.algorithm}: {speed:,.0f} iterations/s"
        if self.saved:
            yield f"strategy: {self.saved[0]}, digest {self.saved[1]}"

    def to_records(self) -> list[Record]:
        """One record a measurement."""
        return [asdict(point) for point in self.points]

    def to_dict(self) -> dict[str, Any]:
        """Game, algorithm, seed, the measurements, and the file."""
        return {
            "game": self.plan.name,
            "algorithm": self.plan.algorithm,
            "seed": self.plan.seed,
            "points": self.to_records(),
            "interrupted": self.interrupted,
            "saved": {"file": str(self.saved[0]), "digest": self.saved[1]} if self.saved else None,
        }

    def save(self, path: Path | str, spreadsheet: bool = False) -> None:
        """Write ``.npz``, the strategy, or what every result writes: ``.json``, ``.csv``."""
        if Path(path).suffix == ".npz":
            self.save_strategy(Path(path))
        else:
            Result.save(self, path, spreadsheet)

    def save_strategy(self, path: Path) -> str:
        """Write the strategy, and return its digest."""
        last = self.points[-1]
        origin = SolvedBy(self.plan.algorithm, last.iterations, self.plan.seed, last.exploitability)
        return save_strategy(self.strategy, origin, path)


@dataclass(frozen=True, slots=True)
class SmallGamePlan:
    """A small game to be solved.

    Parameters
    ----------
    game
        By name, or a game of one's own.
    iterations, algorithm, seed, stop
        As in ``solve``.

    Raises
    ------
    ArgumentError
        No such game or algorithm, or a number out of its range.
    """

    game: str | Game[Any]
    iterations: int = 1000
    algorithm: str = "cfr+"
    seed: int = 1
    stop: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ArgumentError(f"{brief(self.algorithm)}: {one_of(str(self.algorithm), ALGORITHMS)}")
        if isinstance(self.game, str) and self.game not in GAMES:
            raise ArgumentError(f"{brief(self.game)}: expected one of {', '.join(GAMES)}")
        if not isinstance(self.game, str) and not hasattr(self.game, "information"):
            raise ArgumentError(f"{brief(self.game)}: expected a game such as {', '.join(GAMES)}")
        whole(self.seed, "seed", 0, MOST_INT64)
        whole(self.iterations, "iterations", 1, MOST_INT64)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game if isinstance(self.game, str) else type(self.game).__name__

    def run(self, out: Path | None, workers: int, tick: Tick) -> SolveResult:
        """Solve the game, in one thread, and write the strategy to a file, if one is given."""
        game = GAMES[self.game]() if isinstance(self.game, str) else self.game
        solver = ALGORITHMS[self.algorithm](flatten(game), self.seed)
        points: list[Point] = []

        def is_over() -> bool:
            if solver.iterations % TICKS == 0:
                tick("iterations", solver.iterations, self.iterations)
            return bool(points) and self.stop()

        for point in iterate(solver, self.iterations, is_over):
            points.append(point)
            tick("iterations", point.iterations, self.iterations)
        found = SolveResult(self, tuple(points), solver.average())
        return found if out is None else replace(found, saved=(out, found.save_strategy(out)))


class GameOptions(TypedDict, total=False):
    """The names and types of the other settings of ``solve_game``."""

    seed: int
    tick: Callable[[int], None] | None
    stop: Callable[[], bool]


def solve_game(
    game: str | Game[Any] = "leduc",
    iterations: int = 1000,
    algorithm: str = "cfr+",
    *,
    seed: int = 1,
    tick: Callable[[int], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> SolveResult:
    """Approach an equilibrium of a small game for two players.

    Parameters
    ----------
    game
        ``"kuhn"``, ``"leduc"``, or a game of one's own (``baycarp.solvers.Game``).
    iterations
        Of the algorithm.
    algorithm
        ``"cfr"``, ``"cfr+"`` or ``"mccfr"``, which samples.
    seed
        Used by ``"mccfr"``.
    tick
        Called with the number of iterations done, now and then.
    stop
        Ends the work after the first iteration for which it gives True.

    Raises
    ------
    ArgumentError
        No such game or algorithm, or no positive number of iterations.
    """
    plan = SmallGamePlan(game, iterations, algorithm, seed, stop)
    return plan.run(None, 1, lambda name, done, total: tick(done) if tick else None)


@overload
def solve(
    problem: Spot, target: float = 0.3, time: float | None = None, **settings: Unpack[SpotSolveOptions]
) -> Solution: ...
@overload
def solve(
    problem: str | Game[Any] = "leduc",
    iterations: int = 1000,
    algorithm: str = "cfr+",
    **settings: Unpack[GameOptions],
) -> SolveResult: ...
def solve(problem: Any = "leduc", *args: Any, **settings: Any) -> Solution | SolveResult:
    """Approach an equilibrium: of a spot of hold'em, or of a small game for two players.

    Parameters
    ----------
    problem
        A ``Spot``; or ``"kuhn"``, ``"leduc"``, or a game of one's own (``baycarp.solvers.Game``).
    args, settings
        Of a spot, those of ``api.solve_spot.solve_spot``: target, time and others; of a game, those of
        ``solve_game``: iterations, algorithm, seed, tick, stop.

    Raises
    ------
    ArgumentError
        No such game, or a setting out of its range.

    Notes
    -----
    All of heads-up hold'em takes hours and a folder: ``baycarp.solve_holdem``.

    Examples
    --------
    >>> result = solve("kuhn", 1000)
    >>> round(result.value, 4), result.exploitability < 1e-3  # its value is -1/18
    (-0.0556, True)
    """
    if isinstance(problem, Spot):
        return solve_spot(problem, *args, **settings)
    return solve_game(problem, *args, **settings)
