"""Heads-up hold'em: ``baycarp.solve_holdem`` approaches an equilibrium inside an abstraction, in a folder."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any, Unpack

from rich.console import RenderableType

from baycarp.api.printing import counted, grid
from baycarp.api.result import Record, Result
from baycarp.api.settings import RunOptions, RunSettings, settings_of, with_settings
from baycarp.arena.measure import Z95
from baycarp.errors import ArgumentError, ModelError, brief
from baycarp.files import claimed
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.solvers.buckets.tables import Tick
from baycarp.solvers.checkpoint import CHECKPOINT, read_plan
from baycarp.solvers.loss import Loss
from baycarp.solvers.plan import SolvePlan
from baycarp.solvers.run import SOLUTION, SolveRun

__all__ = ["HOLDEM", "HoldemOptions", "HoldemPlan", "HoldemResult", "HoldemSettings", "solve_holdem"]

HOLDEM = (
    "holdem.limit.2p.reverse_blinds",
    "holdem.nolimit.2p.100bb",
    "holdem.nolimit.2p.reverse_blinds",
)
"""The games that are solved."""


@dataclass(frozen=True, slots=True, repr=False)
class HoldemResult(Result):
    """A solve of hold'em so far.

    Parameters
    ----------
    game
        Its name.
    folder
        Of the run.
    points
        Measurements, in big blinds a hand inside the abstraction: iterations and loss.
    iterations
        So far.
    origin
        Of the strategy, with its digest; empty where the run was interrupted, and none is written.
    """

    game: str
    folder: Path
    points: tuple[tuple[int, Loss], ...]
    iterations: int
    origin: dict[str, Any]

    def title(self) -> str:
        """The result in a line."""
        return f"{self.game}, {counted(self.iterations, 'iteration', ',')}, in {self.folder}"

    def parts(self) -> Iterable[RenderableType]:
        """The losses by iteration, and the file of the strategy."""
        if self.points:
            table = grid("iterations", "loses at least, mbb/h", "at most, by its own boards", words=())
            for iterations, loss in self.points:
                upper = "" if loss.upper is None else f"{1000 * loss.upper:.1f}"
                table.add_row(f"{iterations:,}", _lower(loss), upper)
            yield table
        if self.origin:
            yield f"strategy: {self.folder / SOLUTION}, digest {self.origin['digest']}"
        else:
            done = counted(self.iterations, "iteration", ",")
            yield f"interrupted after {done}; the same call goes on from there"

    def to_records(self) -> list[Record]:
        """One record a measurement."""
        return [{"iterations": iterations, **asdict(loss)} for iterations, loss in self.points]

    def to_dict(self) -> dict[str, Any]:
        """Game, iterations, measurements, and the origin of the strategy with its digest."""
        found = {"game": self.game, "iterations": self.iterations, "points": self.to_records()}
        return found | {"interrupted": not self.origin, **self.origin}


def _lower(loss: Loss) -> str:
    return f"{1000 * loss.lower:.1f} ± {1000 * Z95 * loss.error:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemSettings(RunSettings):
    """The settings of ``solve_holdem``, given there by name; the others are those of ``RunSettings``.

    Parameters
    ----------
    iterations
        The end: in all, with those of the calls before.
    minutes
        The end: of solving in this call, measurements apart.
    buckets
        The abstraction of flop, turn and river, such as ``"p50,p50,p50"``: p percentiles, v values, e
        clusters; empty = the usual ones.
    opponent
        Of fixed limit: the buckets of flop and turn of an opponent that plays best responses on the river.
    stop
        Ends the work after the first iteration for which it gives True.
    report
        Called with a line about each measurement on the way.

    Raises
    ------
    ArgumentError
        Neither iterations nor minutes, or a number out of its range.
    """

    iterations: int | None = None
    minutes: float | None = None
    buckets: str = ""
    opponent: str = ""
    stop: Callable[[], bool] = lambda: False
    report: Callable[[str], None] = lambda line: None

    def __post_init__(self) -> None:
        RunSettings.__post_init__(self)
        if self.iterations is None and self.minutes is None:
            raise ArgumentError("expected iterations or minutes, where the call ends")
        if self.iterations is not None:
            whole(self.iterations, "iterations", 1, MOST_INT64)
        if self.minutes is not None and not 0 <= self.minutes < inf:
            raise ArgumentError(f"minutes {brief(self.minutes)}: expected a number, at least 0")


class HoldemOptions(RunOptions, total=False):
    """The names and types of ``HoldemSettings``."""

    iterations: int | None
    minutes: float | None
    buckets: str
    opponent: str
    stop: Callable[[], bool]
    report: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class HoldemPlan:
    """A game of hold'em to be solved, or gone on with.

    Parameters
    ----------
    game
        One of ``HOLDEM``.
    settings
        The others.

    Raises
    ------
    ArgumentError
        Another game.
    """

    game: str
    settings: HoldemSettings

    def __post_init__(self) -> None:
        if self.game not in HOLDEM:
            raise ArgumentError(f"{brief(self.game)}: expected one of {', '.join(HOLDEM)}")

    def run(self, out: Path, workers: int, tick: Tick) -> HoldemResult:
        """Solve in a folder, and write the strategy there; what is done is kept after an interruption.

        Raises
        ------
        ArgumentError
            Settings that contradict the run that the folder holds.
        ModelError
            A folder with a damaged run, or one that another process works in.
        """
        out.mkdir(parents=True, exist_ok=True)
        with claimed(out) as own:
            if not own:
                raise ModelError(f"{out}: in use by another process")
            return self._run(out, workers, tick)

    def _run(self, out: Path, workers: int, tick: Tick) -> HoldemResult:
        settings, points = self.settings, list[tuple[int, Loss]]()

        def stoppable(name: str, done: int, total: int | None) -> None:
            tick(name, done, total)
            if name not in ("iterations", "seconds") and settings.stop():
                raise KeyboardInterrupt

        def add(loss: Loss) -> None:
            points.append((run.solver.iterations, loss))
            done = counted(run.solver.iterations, "iteration", ",")
            settings.report(f"{done}: loses at least {_lower(loss)} mbb/h")

        run = SolveRun(out, self._plan(out), workers, stoppable)
        seconds = None if settings.minutes is None else 60 * settings.minutes
        run.solve(settings.iterations, seconds, settings.stop, add)
        if settings.stop():
            return HoldemResult(self.game, out, tuple(points), run.solver.iterations, {})
        solution, loss = run.finish()
        points.append((run.solver.iterations, loss))
        origin = solution.origin | {"digest": solution.digest}
        return HoldemResult(self.game, out, tuple(points), run.solver.iterations, origin)

    def _plan(self, folder: Path) -> SolvePlan:
        """The plan of the settings, which must be that of the run that the folder holds."""
        settings = self.settings
        if not (folder / CHECKPOINT).exists():
            return SolvePlan.of(self.game, settings.buckets, settings.seed, settings.opponent)
        own = read_plan(folder)
        for name, given, known in (
            ("game", self.game, own.game),
            ("buckets", settings.buckets or own.buckets, own.buckets),
            ("opponent", settings.opponent or own.against, own.against),
            ("seed", settings.seed, own.settings.seed),
        ):
            if given != known:
                raise ArgumentError(f"{folder}: {name} {given}: expected {known}, which its run began with")
        return own


@with_settings(HoldemSettings)
def solve_holdem(game: str, out: Path | str, **settings: Unpack[HoldemOptions]) -> HoldemResult:
    """Approach an equilibrium of heads-up hold'em inside an abstraction.

    Parameters
    ----------
    game
        One of ``HOLDEM``.
    out
        The folder of the run, and of ``solution.npz``; continued if it exists.
    settings
        By name, those of ``HoldemSettings``:

    Raises
    ------
    ArgumentError
        Another game, a setting out of its range, or one that contradicts the run in the folder.
    ModelError
        A folder with a damaged run.
    """
    own = settings_of(HoldemSettings, settings, solve_holdem)

    def tick(name: str, done: int, total: int | None) -> None:
        if name == "iterations":
            own.done(done)

    return HoldemPlan(game, own).run(Path(out), own.workers, tick)
