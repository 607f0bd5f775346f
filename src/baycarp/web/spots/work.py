"""The solve of a spot in a thread of its own: measured, stopped, looked at between two iterations."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from baycarp.solvers.spots.locks import RangeFrequency, SpotLock
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.solver import SpotPoint, SpotSettings, SpotSolver
from baycarp.solvers.spots.spot import Spot

__all__ = ["SpotWork", "aside"]

P = ParamSpec("P")
Found = TypeVar("Found")


async def aside(work: Callable[P, Found], *args: P.args, **named: P.kwargs) -> Found:
    """Await work in a thread of its own, whose end the process does not await.

    An iteration of a flop takes seconds, and a study leaves nothing on the disk.
    """
    future = Future[Found]()

    def run() -> None:
        try:
            found = work(*args, **named)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(found)

    future.set_running_or_notify_cancel()  # a cancelled wait leaves it as it is
    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)


@dataclass
class SpotWork:
    """One solve. ``run`` is called in a thread; ``ask`` and ``stop`` from any.

    Parameters
    ----------
    report
        Called with every measurement, in the thread of ``run``.
    solution
        The solution so far; None before the engine is made.
    free
        After a solve with locks, the exploitability in the game without them.
    """

    report: Callable[[SpotPoint], None]
    solution: Solution | None = None
    is_stopped: bool = False
    free: float | None = None
    _asked: deque[tuple[Callable[[], Any], "Future[Any]"]] = field(default_factory=deque)

    def stop(self) -> None:
        """End the solve after its next iterations; what is done stays."""
        self.is_stopped = True

    def ask(self, work: Callable[[], Any]) -> "Future[Any]":
        """Have something done in the thread of the solve, while the engine rests."""
        future: Future[Any] = Future()
        self._asked.append((work, future))
        return future

    def build(
        self,
        spot: Spot,
        locks: Callable[[], list[SpotLock | RangeFrequency]],
        target: float,
        memory: float,
    ) -> None:
        """Make the engine; locks that take long are made here."""
        settings = SpotSettings(
            target=target, memory=memory, locks=locks(), stop=self._rest, report=self.report
        )
        self.solution = Solution(SpotSolver(spot, settings))

    def run(self, target: float) -> None:
        """Solve to a target, or on from where it was stopped."""
        assert self.solution is not None
        try:
            self.solution.more(target=target, stop=self._rest, report=self.report)
            self.free = self.solution.free_exploitability if self.solution.solver.is_locked else None
        finally:
            self.is_stopped = True
            self.serve()

    def _rest(self) -> bool:
        """Whether to stop; meanwhile what is asked for is done."""
        if self.solution is not None and self.solution.iterations:
            self.serve()
        return self.is_stopped

    def serve(self) -> None:
        """Do what is asked for."""
        while self._asked:
            work, future = self._asked.popleft()
            try:
                future.set_result(work())
            except Exception as error:  # it is of the one that asked
                future.set_exception(error)
