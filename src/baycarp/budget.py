"""Limits of a decision in seconds, playouts, or both."""

import math
import time
from dataclasses import dataclass

from baycarp.errors import ArgumentError, brief

__all__ = ["Budget", "Meter"]


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a computation; None = unlimited.

    Parameters
    ----------
    time
        Wall-clock seconds, at least 0; infinite = None. A search uses all of its time.
    playouts
        Simulated hands, at least 1. With this limit alone, the result of a seed is deterministic.
    """

    time: float | None = None
    playouts: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            object.__setattr__(self, "time", _seconds(self.time))
        if self.playouts is not None and not (isinstance(self.playouts, int) and self.playouts >= 1):
            raise ArgumentError(f"playouts: expected a whole number, at least 1, got {brief(self.playouts)}")
        if self.playouts is not None:  # of more digits than Python prints, nothing could be said
            object.__setattr__(self, "playouts", min(self.playouts, 2**63 - 1))

    def start(self) -> "Meter":
        """Start the clock."""
        return Meter(self)


def _seconds(given: float) -> float | None:
    """A limit of time as a float; None without one."""
    try:
        seconds = float(given)
    except OverflowError:
        seconds = math.inf if given > 0 else -math.inf
    except (TypeError, ValueError):
        raise TypeError(f"time: expected seconds, got {brief(given, 40)}") from None
    if not seconds >= 0:
        raise ArgumentError(f"time: expected seconds >= 0, got {brief(given, 40)}")
    return None if seconds == math.inf else seconds


class Meter:
    """A running budget."""

    __slots__ = ("_began", "_worked", "budget")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._began, self._worked = time.perf_counter(), time.thread_time()

    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    def worked(self) -> float:
        """CPU seconds of this thread since the start."""
        return time.thread_time() - self._worked

    def reached(self, step: str, answer: object) -> None:
        """Called with the result of each finished step; subclasses observe progress here."""

    def left(self) -> float:
        """Seconds left; infinite without a time limit, negative when late."""
        return math.inf if self.budget.time is None else self.budget.time - self.spent()
