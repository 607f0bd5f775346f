"""A line of a benchmark."""

from dataclasses import dataclass

__all__ = ["Goal"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of a benchmark: what must be reached, and what was measured here."""

    goal: str
    must: float | None
    measured: float
    unit: str
    met: bool | None
