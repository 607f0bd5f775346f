"""Small games: ``baycarp.solve`` approaches an equilibrium, and measures how much the strategy can lose."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from baycarp.api.printing import grid
from baycarp.api.result import Record, Result
from baycarp.draw import decay_as_text
from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.solvers import ALGORITHMS, GAMES, Game, Origin, Point, Strategy, flatten, save_strategy
from baycarp.solvers import solve as solve_game

__all__ = ["TICKS", "SolveResult", "solve"]

TICKS = 256
"""Iterations between two calls of ``tick``, which may take longer than one of them."""


@dataclass(frozen=True, slots=True)
class SolveResult(Result):
    """The average strategy of a solver, and how much it could lose on the way.

    Parameters
    ----------
    game, algorithm, seed
        What was solved, and how.
    points
        The measurements, the last one of the strategy.
    strategy
        Of both players.
    """

    game: str
    algorithm: str
    seed: int
    points: tuple[Point, ...]
    strategy: Strategy

    @property
    def exploitability(self) -> float:
        """What a best response wins from the strategy, in units of the game, the mean of both players."""
        return self.points[-1].exploitability

    @property
    def value(self) -> float:
        """What the first player wins a game when both play the strategy."""
        return self.points[-1].value

    def parts(self) -> Iterable[RenderableType]:
        """Exploitability and value by iteration, and the speed."""
        table, last = grid("iterations", "exploitability", "value", words=()), self.points[-1]
        for point in self.points:
            table.add_row(f"{point.iterations:,}", f"{point.exploitability:.3e}", f"{point.value:+.7f}")
        yield table
        at, losses = zip(*((point.iterations, point.exploitability) for point in self.points), strict=True)
        yield decay_as_text(at, losses, "iterations")
        speed = last.iterations / max(last.seconds, 1e-9)
        yield f"{self.game}, {self.algorithm}: {speed:,.0f} iterations/s"

    def to_records(self) -> list[Record]:
        """One record a measurement."""
        return [asdict(point) for point in self.points]

    def to_dict(self) -> dict[str, Any]:
        """Game, algorithm, seed, and the measurements."""
        found = {"game": self.game, "algorithm": self.algorithm, "seed": self.seed}
        return found | {"points": self.to_records()}

    def save(self, path: Path | str) -> None:
        """Write ``.npz``, the strategy, or what every result writes: ``.json``, ``.csv``."""
        if Path(path).suffix == ".npz":
            self.save_strategy(Path(path))
        else:
            Result.save(self, path)

    def save_strategy(self, path: Path) -> str:
        """Write the strategy, and return its digest."""
        last = self.points[-1]
        origin = Origin(self.algorithm, last.iterations, self.seed, last.exploitability)
        return save_strategy(self.strategy, origin, path)


def solve(
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
        ``"kuhn"``, ``"leduc"``, or a game of one's own (``search.Game``).
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

    Notes
    -----
    Heads-up fixed limit takes hours and a folder: ``baycarp solve holdem.limit.2p.reverse_blinds``.

    Examples
    --------
    >>> result = solve("kuhn", 1000)
    >>> round(result.value, 4), result.exploitability < 1e-3  # its value is -1/18
    (-0.0556, True)
    """
    for value, known in ((algorithm, ALGORITHMS), *([(game, GAMES)] if isinstance(game, str) else [])):
        if value not in known:
            raise ArgumentError(f"{value!r:.60}: expected one of {', '.join(known)}")
    if not isinstance(game, str) and not hasattr(game, "information"):
        raise ArgumentError(f"{game!r:.60}: expected a game such as {', '.join(GAMES)}")
    name, made = (game, GAMES[game]()) if isinstance(game, str) else (type(game).__name__, game)
    whole(seed, "seed", 0, MOST_INT64)
    solver = ALGORITHMS[algorithm](flatten(made), seed)

    def is_over() -> bool:
        if tick is not None and solver.iterations % TICKS == 0:
            tick(solver.iterations)
        return bool(points) and stop()

    points: list[Point] = []
    for point in solve_game(solver, iterations, is_over):
        points.append(point)
        if tick is not None:
            tick(point.iterations)
    return SolveResult(name, algorithm, seed, tuple(points), solver.average())
