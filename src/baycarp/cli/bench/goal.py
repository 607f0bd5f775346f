"""A line of a benchmark."""

from dataclasses import dataclass

__all__ = ["Goal"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of a benchmark: what must be reached, what was measured here, and what we are after."""

    goal: str
    must: float | None
    measured: float
    unit: str
    met: bool | None
    stretch: float | None = None
